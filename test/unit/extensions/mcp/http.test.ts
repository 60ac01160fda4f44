import nock from "nock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { httpTransport } from "../../../../src/extensions/mcp/http.ts";
import { toolServer } from "../../../../src/extensions/mcp/server.ts";
import { listening } from "../modules.ts";

const HOST = "https://tools.example";
const going = new AbortController().signal;
const greeting = (result: object = { protocolVersion: "2025-06-18" }) => ({ jsonrpc: "2.0", id: 1, result });
const JSON_TYPE = { "content-type": "application/json" };

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

const server = () =>
  toolServer({
    name: "remote",
    read: [],
    open: httpTransport({ url: `${HOST}/mcp`, headers: { authorization: "Bearer t0ken" }, fetch: globalThis.fetch }),
    version: "1.2.3",
    log: listening(),
  });

/** One POST whose message has this method; its answer. */
const posts = (method: string, headers: Record<string, string> = {}) =>
  nock(HOST, { reqheaders: { authorization: "Bearer t0ken", accept: "application/json, text/event-stream", ...headers } }).post(
    "/mcp",
    (body: { readonly method?: string }) => body.method === method,
  );
const greets = (session = "s1") => {
  posts("initialize").reply(200, greeting(), { ...JSON_TYPE, "mcp-session-id": session });
  posts("notifications/initialized", { "mcp-session-id": session, "mcp-protocol-version": "2025-06-18" }).reply(202);
};

describe("a server that is asked over HTTP", () => {
  it("is greeted, keeps its session, and answers with JSON or with a stream of events", async () => {
    greets();
    const known = { "mcp-session-id": "s1", "mcp-protocol-version": "2025-06-18" };
    posts("tools/list", known).reply(200, { jsonrpc: "2.0", id: 2, result: { tools: [{ name: "search" }] } }, JSON_TYPE);
    const events = [
      ": a comment",
      'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}',
      'event: message\ndata: {"jsonrpc":"2.0","id":3,\ndata: "result":{"content":[]}}',
      "data: no message",
    ];
    posts("tools/call", known).reply(200, `${events.join("\n\n")}\n\n`, { "content-type": "text/event-stream; charset=utf-8" });
    nock(HOST, { reqheaders: known }).delete("/mcp").reply(204);
    const { list, call, stop } = server();
    expect(await list()).toEqual([{ name: "search" }]);
    expect(await call("search", { query: "x" }, going)).toEqual({ content: [] });
    await stop();
    expect(nock.pendingMocks()).toEqual([]);
  });

  it.each<readonly [what: string, status: number, body: string, headers: Record<string, string>, why: string]>([
    ["redirects", 302, "", { location: "https://elsewhere.example/" }, "it answers 302, which is not followed"],
    ["refuses", 500, "secret words", {}, "it answers 500"],
    ["answers with a page", 200, "<html>", { "content-type": "text/html" }, 'it answers with "text/html"'],
    ["answers with nothing", 200, "", { "content-type": "text/event-stream" }, "it gave no answer"],
    ["answers something else", 200, '{"jsonrpc":"2.0","id":77,"result":{}}', JSON_TYPE, "it gave no answer"],
    ["answers with what is no JSON", 200, "{", JSON_TYPE, "it gave no answer"],
    ["answers too much", 200, " ".repeat(8 * 1024 * 1024 + 1), JSON_TYPE, "it answers with more than 8388608 bytes"],
  ])("fails the call when it %s", async (_, status, body, headers, why) => {
    greets();
    posts("tools/call").reply(status, body, headers);
    posts("notifications/cancelled").reply(202);
    await expect(server().call("search", {}, going)).rejects.toThrow(`The tool server remote did not do it: ${why}.`);
  });

  it("that has forgotten the session is greeted anew for the next call", async () => {
    greets("s1");
    posts("tools/call", { "mcp-session-id": "s1" }).reply(404);
    greets("s2");
    posts("tools/call", { "mcp-session-id": "s2" }).reply(200, { jsonrpc: "2.0", id: 2, result: { content: [] } }, JSON_TYPE);
    const { call } = server();
    await expect(call("search", {}, going)).rejects.toThrow("it answers 404");
    expect(await call("search", {}, going)).toEqual({ content: [] });
  });

  it("that cannot be reached says so, without the headers that it would have had", async () => {
    posts("initialize").replyWithError("connect ECONNREFUSED");
    await expect(server().list()).rejects.toThrow("The tool server remote did not do it: it cannot be reached: connect ECONNREFUSED.");
  });
});
