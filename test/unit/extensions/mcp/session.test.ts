import { describe, expect, it, vi } from "vitest";
import { openSession } from "../../../../src/extensions/mcp/session.ts";
import type { Listener, Message } from "../../../../src/extensions/mcp/transport.ts";

const going = new AbortController().signal;

/** A session with a server that answers as it is told; `sent` is what was said to it. */
async function session(answer: (message: Message, listener: Listener) => void, revision: unknown = "2025-06-18") {
  const sent: Message[] = [];
  let heard: Listener | undefined;
  const seen: string[] = [];
  const opened = await openSession({
    version: "1.2.3",
    onChanged: () => void seen.push("changed"),
    onEnded: (why) => void seen.push(`ended: ${why}`),
    open: (listener) => {
      heard = listener;
      return Promise.resolve({
        send(message) {
          sent.push(message);
          if (message.method === "initialize") listener.message({ jsonrpc: "2.0", id: message.id, result: { protocolVersion: revision } });
          else answer(message, listener);
          return Promise.resolve();
        },
        close: () => Promise.resolve(),
      });
    },
  });
  return { ...opened, sent, seen, say: (message: unknown) => heard?.message(message) };
}

describe("a session with a tool server", () => {
  it("begins with a greeting that offers nothing", async () => {
    const { sent } = await session(() => undefined);
    expect(sent.map(({ method }) => method)).toEqual(["initialize", "notifications/initialized"]);
    expect(sent[0]?.params).toMatchObject({ capabilities: {}, clientInfo: { name: "sallyport", version: "1.2.3" } });
  });

  it.each([["1999-01-01"], [null], [7]])("is not begun in the revision %j", async (revision) => {
    await expect(session(() => undefined, revision)).rejects.toThrow(/speaks the revision|which is not known/);
  });

  it("refuses what a server asks of its client, and answers its pings", async () => {
    const { sent, say, seen } = await session(() => undefined);
    say({ jsonrpc: "2.0", id: "a", method: "sampling/createMessage", params: { messages: [] } });
    say({ jsonrpc: "2.0", id: "b", method: "ping" });
    say({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    expect(sent.slice(2)).toEqual([
      { jsonrpc: "2.0", id: "a", error: { code: -32601, message: "Nothing is offered to servers." } },
      { jsonrpc: "2.0", id: "b", result: {} },
    ]);
    expect(seen).toEqual(["changed"]);
  });

  it.each([[null], ["words"], [[]], [{}], [{ id: 99, result: 1 }], [{ id: "2" }]])("passes over %j", async (message) => {
    const { request, say } = await session((asked, listener) => {
      if (asked.method !== "tools/call") return;
      say(message);
      listener.message({ jsonrpc: "2.0", id: asked.id, result: "right" });
    });
    expect(await request("tools/call", {}, going)).toBe("right");
  });

  it("gives up on an answer after a minute, and says so to the server", async () => {
    const { request, sent } = await session(() => undefined);
    vi.useFakeTimers();
    try {
      const asked = expect(request("tools/call", {}, going)).rejects.toThrow("took longer than 60 s");
      await vi.advanceTimersByTimeAsync(60_000);
      await asked;
    } finally {
      vi.useRealTimers();
    }
    expect(sent.at(-1)).toMatchObject({ method: "notifications/cancelled", params: { requestId: 2 } });
  });

  it("ends what is waited for when the server does, and asks nothing after that", async () => {
    const { request, ended, seen } = await session((message, listener) => {
      if (message.method === "tools/call") listener.closed("it fell over");
    });
    await expect(request("tools/call", {}, going)).rejects.toThrow("it fell over");
    expect(ended()).toBe("it fell over");
    expect(seen).toEqual(["ended: it fell over"]);
    await expect(request("tools/list", {}, going)).rejects.toThrow("it fell over");
  });
});
