import { get } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { createLive, type LiveOptions } from "../../../src/web/live/live.ts";
import { readTopic } from "../../../src/web/live/topic.ts";
import { createPages } from "../../../src/web/pages.ts";
import { describeOnEmbedded } from "../store/databases.ts";
import { mention } from "../store/requests.ts";
import { storeRun, writeJournal } from "./stored-runs.ts";

describeOnEmbedded("open pages", ({ database, clear }) => {
  beforeEach(clear);

  async function openStreams(limits: NonNullable<LiveOptions["limits"]> = {}) {
    const live = createLive({ database: database(), log: silent, limits: { lookEvery: 10, ...limits } });
    const pages = createPages({ database: database(), log: silent, live });
    const server = createServer((request, response) => void pages(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    /** What has been heard so far; `done` once the server has ended it. */
    const listen = (path: string, headers: Record<string, string> = {}) => {
      const heard = { status: 0, type: "", text: "", isDone: false };
      get({ host: "127.0.0.1", port, path, headers, agent: false }, (response) => {
        heard.status = response.statusCode ?? 0;
        heard.type = response.headers["content-type"] ?? "";
        response.on("data", (part: Buffer) => (heard.text += part.toString()));
        response.on("end", () => (heard.isDone = true));
      });
      return heard;
    };
    return {
      live,
      listen,
      async [Symbol.asyncDispose]() {
        live[Symbol.dispose]();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  test("hear that a run has gone on, and nothing of what it says", async () => {
    const id = await storeRun(database(), mention({ title: "a title", text: "a text" }));
    await using streams = await openStreams();
    const heard = streams.listen(`/sallyport/live?run=${id}`);
    await expect.poll(() => heard.text).toContain("data: queued.0\n\n");
    await writeJournal(database(), id, [{ kind: "note", turn: 1, text: "a note" }]);
    await expect.poll(() => heard.text).toContain("event: changed\nid: queued.0.1\ndata: queued.0.1\n\n");
    expect([heard.status, heard.type]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(heard.text).not.toMatch(/a (?:title|text|note)/);
    expect(heard.text.match(/event:/g)).toHaveLength(2);
  });

  test("hear of new runs on the list, and only of what they have not seen", async () => {
    await using streams = await openStreams();
    const first = streams.listen("/sallyport/live?about=runs");
    await expect.poll(() => first.text).toContain("event: changed");
    await storeRun(database());
    await expect.poll(() => first.text.match(/event: changed/g)).toHaveLength(2);
    const seen = /id: (\S+)\n(?![\s\S]*id:)/.exec(first.text)?.[1] ?? "";
    const again = streams.listen("/sallyport/live?about=runs", { "last-event-id": seen });
    await expect.poll(() => again.text).toContain("retry: 3000");
    await storeRun(database());
    await expect.poll(() => again.text).toContain("event: changed");
    expect(again.text).not.toContain(`id: ${seen}\n`);
  });

  test("are limited in number, and end when the server does", async () => {
    await using streams = await openStreams({ streams: 1 });
    const first = streams.listen("/sallyport/live?about=approvals");
    await expect.poll(() => first.status).toBe(200);
    const second = streams.listen("/sallyport/live?about=runs");
    await expect.poll(() => second.status).toBe(503);
    streams.live[Symbol.dispose]();
    await expect.poll(() => first.isDone).toBe(true);
  });

  test.each(["?about=secrets", "?run=1'--", "", "?about=run%20x"])("about %s there is nothing to hear", (query) => {
    expect(readTopic("/sallyport/live", new URLSearchParams(query))).toBeUndefined();
  });
});
