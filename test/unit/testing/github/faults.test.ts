import { describe, expect, it } from "vitest";
import type { Fault } from "../../../../src/testing/index.ts";
import { api, git, temporaryFolder, widgets } from "./world.ts";

const COMMENTS = "POST /repos/acme/widgets/issues/1/comments";
const HELLO = { body: { body: "Hello" } };

describe("a fault", () => {
  it.each<{ name: string; match: Fault["match"] }>([
    { name: "a path", match: "POST /repos/acme/widgets/issues/1/comments" },
    { name: "stars for segments", match: "POST /repos/*/*/issues/*/comments" },
    { name: "stars for the rest", match: "POST /repos/**" },
    { name: "any method", match: "* /repos/*/*/issues/1/comments" },
    { name: "an expression", match: /^POST .*\/comments$/g },
    { name: "a predicate", match: ({ login, method }) => method === "POST" && login === "sallyport[bot]" },
  ])("strikes what it matches by $name, and nothing else", async ({ match }) => {
    const from = await widgets();
    const token = from.addToken();
    from.fault({ match, respond: { status: 502, headers: { "retry-after": "1" }, body: { message: "Bad gateway" } } });
    const struck = await api(from, COMMENTS, { token, ...HELLO });
    expect(struck).toMatchObject({ status: 502, body: { message: "Bad gateway" } });
    expect(struck.headers.get("retry-after")).toBe("1");
    expect(from.comments("acme/widgets")).toEqual([]);
    expect(from.requests.at(-1)).toMatchObject({ status: 502, faulted: true });
    expect((await api(from, "GET /repos/acme/widgets/labels", { token })).status).toBe(200);
  });

  it("skips, strikes as often as told, and can be taken back", async () => {
    const from = await widgets();
    const token = from.addToken();
    const statuses = async (count: number): Promise<number[]> => {
      const all: number[] = [];
      for (let i = 0; i < count; i += 1) all.push((await api(from, COMMENTS, { token, ...HELLO })).status);
      return all;
    };
    from.fault({ match: COMMENTS, skip: 1, times: 2, respond: { status: 500 } });
    expect(await statuses(4)).toEqual([201, 500, 500, 201]);
    const takeBack = from.fault({ match: COMMENTS, respond: { status: 503 } });
    expect(await statuses(1)).toEqual([503]);
    takeBack();
    expect(await statuses(1)).toEqual([201]);
  });

  it("resets the connection before the effect, or after it", async () => {
    const from = await widgets();
    const token = from.addToken();
    from.fault({ match: COMMENTS, times: 1, respond: "reset" });
    await expect(api(from, COMMENTS, { token, ...HELLO })).rejects.toThrow("fetch failed");
    expect(from.comments("acme/widgets")).toHaveLength(0);
    from.fault({ match: COMMENTS, times: 1, respond: "reset", after: true });
    await expect(api(from, COMMENTS, { token, ...HELLO })).rejects.toThrow("fetch failed");
    expect(from.comments("acme/widgets")).toHaveLength(1);
    expect(from.requests.map(({ status }) => status)).toEqual([-1, -1]);
  });

  it("answers an error though the effect is there", async () => {
    const from = await widgets();
    from.fault({ match: COMMENTS, times: 1, respond: { status: 504, body: "timed out" }, after: true });
    expect(await api(from, COMMENTS, { token: from.addToken(), ...HELLO })).toMatchObject({ status: 504, text: "timed out" });
    expect(from.comments("acme/widgets")).toHaveLength(1);
  });

  it("hangs until the client gives up or the server stops", async () => {
    const from = await widgets();
    from.fault({ match: "GET /repos/acme/widgets", respond: "hang" });
    const open = fetch(`${from.apiUrl}/repos/acme/widgets`).then(
      () => "answered",
      () => "ended",
    );
    await expect.poll(() => from.requests.length).toBe(1);
    await from.stop();
    expect(await open).toBe("ended");
  });

  it("runs something when it strikes", async () => {
    const from = await widgets();
    const seen: string[] = [];
    from.fault({
      match: "POST /graphql",
      respond: { status: 502 },
      run: async ({ path }) => {
        await Promise.resolve();
        seen.push(path);
      },
    });
    await api(from, "POST /graphql", { token: from.addToken(), body: { query: "{ viewer { login } }" } });
    expect(seen).toEqual(["/graphql"]);
  });

  it("can be told by the document of GraphQL", async () => {
    const from = await widgets();
    const token = from.addToken();
    from.fault({ match: /^POST \/graphql .*createCommitOnBranch/, respond: { status: 502 } });
    const ask = async (query: string) => (await api(from, "POST /graphql", { token, body: { query } })).status;
    expect(await ask("mutation {\n createCommitOnBranch(input: {}) { ref { name } } }")).toBe(502);
    expect(await ask("{ viewer { login } }")).toBe(200);
  });

  it("strikes git too", async () => {
    const from = await widgets();
    from.fault({ match: "GET /acme/widgets.git/info/refs", respond: { status: 503 } });
    expect((await git(temporaryFolder(), "ls-remote", `${from.origin}/acme/widgets.git`)).status).not.toBe(0);
    expect(from.requests.at(-1)).toMatchObject({ git: "fetch", status: 503, faulted: true });
  });
});
