import { describe, expect, it, vi } from "vitest";
import type { Bot } from "../../../src/extensions/api.ts";
import { openDraft } from "../../../src/extensions/draft.ts";
import { createHost } from "../../../src/extensions/host.ts";
import { stopServices } from "../../../src/extensions/services.ts";
import { listening } from "./modules.ts";

const RUN = { id: "run-1", repository: { owner: "acme", name: "widgets" }, trigger: "mention" } as const;
const isText = (answer: unknown) => (typeof answer === "string" ? undefined : "answered something that is no text");

/** A host of extensions that register as they are told. */
export function hostOf(registers: Readonly<Record<string, (bot: Bot) => void>>, log = listening()) {
  const drafts = Object.entries(registers).map(([name, register]) => {
    const { bot, draft, close } = openDraft(name, {}, "app", (variable) => variable);
    register(bot);
    close();
    return draft;
  });
  return createHost({ entrypoint: "app", drafts, builtIn: [], mask: (text) => text.replaceAll("s3cret", "[masked]"), log });
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("filters", () => {
  it("run by ascending priority whatever the order of loading, until they are taken off", async () => {
    let off = (): void => undefined;
    const host = hostOf({
      late: (bot) => void bot.addFilter("prompt.system", (text) => `${text} late`, 20),
      early: (bot) => {
        bot.addFilter("prompt.system", async (text) => Promise.resolve(`${text} early`), 5);
        off = bot.addFilter("prompt.system", (text) => `${text} default`);
      },
    });
    expect(await host.filter("prompt.system", "x", RUN, isText)).toBe("x early default late");
    off();
    expect(await host.filter("prompt.system", "x", RUN, isText)).toBe("x early late");
  });

  it.each([
    ["throws", () => Promise.reject(new Error("kaput")), "The filter prompt.system of the extension odd failed: kaput."],
    ["answers nothing", () => undefined, "The filter prompt.system of the extension odd answered nothing."],
    ["answers something else", () => 7, "The filter prompt.system of the extension odd answered something that is no text."],
  ])("fail the run and are named when one %s", async (_, filter, message) => {
    const host = hostOf({ odd: (bot) => void bot.addFilter("prompt.system", filter as never) });
    await expect(host.filter("prompt.system", "x", RUN, isText)).rejects.toMatchObject({ message, code: "extension-fault" });
  });

  it("that hang fail the run after half a minute", async () => {
    vi.useFakeTimers();
    try {
      const host = hostOf({ odd: (bot) => void bot.addFilter("prompt.system", () => new Promise(() => {})) });
      const filtering = expect(host.filter("prompt.system", "x", RUN, isText)).rejects.toThrow(/took longer than 30 s/);
      await vi.advanceTimersByTimeAsync(30_000);
      await filtering;
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("actions", () => {
  it("that throw are logged, and the next one is called", async () => {
    const log = listening();
    const seen: string[] = [];
    const host = hostOf(
      {
        one: (bot) => void bot.addAction("run.before", () => Promise.reject(new Error("kaput"))),
        two: (bot) => void bot.addAction("run.before", ({ id }) => void seen.push(id)),
      },
      log,
    );
    await host.act("run.before", () => RUN, RUN);
    expect(seen).toEqual(["run-1"]);
    expect(log.warnings).toEqual([expect.stringContaining("kaput")]);
  });
});

describe("events", () => {
  const called = { run: RUN, tool: "look", status: "ok", ms: 1 } as const;
  it("reach each observer in their order, masked and frozen, after whoever told of them has gone on", async () => {
    const seen: unknown[] = [];
    const host = hostOf({ watch: (bot) => void bot.on("approval.requested", (event) => void seen.push(event)) });
    host.emit("approval.requested", { run: RUN, id: "a-b", detail: "with s3cret" });
    expect(seen).toEqual([]);
    await settled();
    expect(seen).toEqual([{ run: RUN, id: "a-b", detail: "with [masked]" }]);
    expect(Object.isFrozen(seen[0])).toBe(true);
  });

  it("pass an observer that hangs, which misses what it has no room for, and one that throws", async () => {
    const log = listening();
    const seen: number[] = [];
    const host = hostOf(
      {
        hangs: (bot) => void bot.on("tool.called", () => new Promise(() => {})),
        throws: (bot) => void bot.on("tool.called", () => Promise.reject(new Error("kaput"))),
        fine: (bot) => void bot.on("tool.called", ({ ms }) => void seen.push(ms)),
      },
      log,
    );
    for (let ms = 0; ms < 200; ms++) {
      host.emit("tool.called", { ...called, ms });
      await settled();
    }
    expect(seen).toHaveLength(200);
    // One is with the observer, 64 wait.
    expect([...host.dropped()]).toEqual([["tool.called", 135]]);
    expect(log.warnings.filter((line) => line.includes("kaput"))).toHaveLength(1);
    expect(log.warnings.filter((line) => line.includes("too slow"))).toHaveLength(1);
  });

  it("are heard no more once they are unsubscribed from", async () => {
    const seen: string[] = [];
    let off = (): void => undefined;
    const host = hostOf({ watch: (bot) => void (off = bot.on("tool.called", ({ tool }) => void seen.push(tool))) });
    off();
    host.emit("tool.called", called);
    await settled();
    expect(seen).toEqual([]);
  });
});

describe("services", () => {
  it("are stopped side by side; one that hangs is abandoned, one that throws is said", async () => {
    const log = listening();
    const stopped: string[] = [];
    const start = () => undefined;
    await stopServices(
      [
        { name: "hangs", start, stop: () => new Promise<void>(() => {}) },
        { name: "throws", start, stop: () => Promise.reject(new Error("kaput")) },
        { name: "fine", start, stop: () => void stopped.push("fine") },
      ],
      log,
      10,
    );
    expect(stopped).toEqual(["fine"]);
    expect(log.warnings.join("\n")).toMatch(/throws[\s\S]*hangs/);
  });
});
