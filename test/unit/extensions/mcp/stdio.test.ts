import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { stdioTransport } from "../../../../src/extensions/mcp/stdio.ts";
import { MOST_STARTS, START_WINDOW_MS, toolServer } from "../../../../src/extensions/mcp/server.ts";
import { startProgram } from "../../../../src/workspace/start-program.ts";
import { listening } from "../modules.ts";

const FIXTURE = fileURLToPath(new URL("../../../fixtures/mcp/server.mjs", import.meta.url));
const going = new AbortController().signal;

/** The fixture as a server of the configuration; it is stopped with the test. */
function server(env: Readonly<Record<string, string>> = {}, { command = process.execPath, now = Date.now } = {}) {
  const log = listening();
  let started = 0;
  const open = stdioTransport(() => {
    started++;
    return startProgram({ command, args: [FIXTURE], env, path: "/usr/bin:/bin" });
  });
  const it = toolServer({ name: "fixture", read: [], open, version: "1.2.3", log, now });
  onTestFinished(() => it.stop());
  return { ...it, log, started: () => started };
}
const textOf = (answer: unknown): string => (answer as { content: { text: string }[] }).content[0]?.text ?? "";

describe("a server on standard input and output", () => {
  it("is started when it is needed, lists its tools page by page, and is called", async () => {
    const { list, call } = server();
    const tools = (await list()) as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(["echo", "Where-Am.I", "die", "hang", "flood"]);
    expect(textOf(await call("echo", { words: "hello\nthere" }, going))).toBe("hello\nthere");
    await expect(call("other", {}, going)).rejects.toThrow('The tool server fixture did not do it: it answers: "no tool other".');
  });

  it("sees the variables that were named for it and PATH, in an empty folder that goes with it", async () => {
    process.env["PRODUCT_SECRET"] = "must not be seen";
    onTestFinished(() => void delete process.env["PRODUCT_SECRET"]);
    const { call, stop } = server({ DOCS_TOKEN: "t0ken" });
    const { variables, files, folder } = JSON.parse(textOf(await call("Where-Am.I", {}, going))) as {
      readonly variables: readonly string[];
      readonly files: readonly string[];
      readonly folder: string;
    };
    expect(variables.filter((name) => !name.startsWith("__"))).toEqual(["DOCS_TOKEN", "PATH"]);
    expect(files).toEqual([]);
    expect(existsSync(folder)).toBe(true);
    await stop();
    expect(existsSync(folder)).toBe(false);
    await expect(call("echo", { words: "late" }, going)).rejects.toThrow("it was stopped");
  });

  it("that dies fails the call, which is not made again, and the next one has it started anew", async () => {
    const { call, log } = server();
    await expect(call("die", {}, going)).rejects.toThrow("The tool server fixture did not do it: it ended with exit code 7.");
    expect(log.warnings).toEqual([expect.stringContaining("a tool server has ended: fixture it ended with exit code 7")]);
    expect(textOf(await call("echo", { words: "back" }, going))).toBe("back");
  });

  it("is started once, and started anew once, however many need it at a time", async () => {
    const { list, call, started } = server();
    const folders = async () => {
      const answers = await Promise.all([list(), ...["a", "b"].map(() => call("Where-Am.I", {}, going))]);
      return new Set(answers.slice(1).map(textOf)).size;
    };
    expect(await folders()).toBe(1);
    await expect(call("die", {}, going)).rejects.toThrow("exit code 7");
    expect(await folders()).toBe(1);
    expect(started()).toBe(2);
  });

  it("that does not start says why, and is left alone after some tries until time has passed", async () => {
    let time = 0;
    const { list } = server({ BEHAVIOUR: "refuses to start" }, { now: () => time });
    for (let tries = 0; tries < MOST_STARTS; tries++) await expect(list()).rejects.toThrow("it ended with exit code 3 (no licence)");
    await expect(list()).rejects.toThrow("it was started 5 times within ten minutes and is left alone for now");
    time = START_WINDOW_MS;
    await expect(list()).rejects.toThrow("it ended with exit code 3 (no licence)");
  });

  it("that is not there says so", async () => {
    await expect(server({}, { command: "no-such-program" }).list()).rejects.toThrow(/could not be started: spawn no-such-program ENOENT/);
  });

  it("that sends more than a message may hold is ended", async () => {
    await expect(server().call("flood", {}, going)).rejects.toThrow("it sent a message of more than 8388608 bytes");
  });

  it("that hangs is told that the call is over when the run is", async () => {
    const stopped = new AbortController();
    const { call } = server();
    await call("echo", { words: "ready" }, going);
    const hanging = call("hang", {}, stopped.signal);
    stopped.abort(new Error("the run is over"));
    await expect(hanging).rejects.toThrow("the run is over");
    expect(textOf(await call("echo", { words: "still there" }, going))).toBe("still there");
  });
});
