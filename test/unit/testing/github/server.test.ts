import { describe, expect, it } from "vitest";
import { api, github, widgets } from "./world.ts";

describe("the record", () => {
  it("holds what arrived: path without its prefix, query, body, credential and host", async () => {
    const from = await widgets();
    const token = from.addToken();
    await api(from, "POST /repos/acme/widgets/issues/1/labels?x=1", { token, body: { labels: ["a b"] } });
    await api(from, "DELETE /repos/acme/widgets/issues/1/labels/a%20b", { token });
    expect(from.requests).toMatchObject([
      {
        method: "POST",
        path: "/repos/acme/widgets/issues/1/labels",
        query: { x: "1" },
        body: { labels: ["a b"] },
        auth: "installation",
        login: "sallyport[bot]",
        authorization: `Bearer ${token}`,
        host: from.host,
        status: 200,
      },
      { method: "DELETE", path: "/repos/acme/widgets/issues/1/labels/a b", body: undefined, status: 200 },
    ]);
    expect(from.requests[0]?.at).toBeLessThanOrEqual(from.requests[1]?.at ?? 0);
  });

  it.each(["GET /repos/acme/widgets/actions/secrets", "PUT /repos/acme/widgets/pulls/1/merge", "GET /", "DELETE /repos/acme/widgets"])(
    "marks what no route answers: %s",
    async (line) => {
      const from = await widgets();
      expect((await api(from, line, { token: from.addToken() })).status).toBe(404);
      expect(from.requests.at(-1)?.unrouted).toBe(true);
    },
  );

  it.each(["/repos/acme/widgets", "/graphql", "/app"])("marks the API's paths without the enterprise prefix: %s", async (path) => {
    const from = await github();
    expect((await fetch(from.origin + path)).status).toBe(404);
    expect(from.requests.at(-1)?.unrouted).toBe(true);
  });
});

describe("requests", () => {
  it.each([
    { name: "no JSON", body: "{", status: 400 },
    { name: "a list where fields are asked for", body: [], status: 422 },
    { name: "a number where a text is asked for", body: { title: 1 }, status: 422 },
  ])("are refused with $status when the body is $name", async ({ body, status }) => {
    const from = await widgets();
    expect((await api(from, "POST /repos/acme/widgets/issues", { token: from.addToken(), body })).status).toBe(status);
    expect(from.requests.at(-1)?.unrouted).toBeUndefined();
  });

  it("count against the rate limit of their own credential", async () => {
    const from = await widgets();
    const token = from.addToken();
    const remaining = async (options: object) => (await api(from, "GET /repos/acme/widgets", options)).headers.get("x-ratelimit-remaining");
    expect(await remaining({ token })).toBe("4999");
    expect(await remaining({ token })).toBe("4998");
    expect(await remaining({})).toBe("4999");
  });
});

describe("lists", () => {
  it("come in pages that link to each other", async () => {
    const from = await widgets();
    for (let n = 1; n <= 7; n += 1) from.addComment("acme/widgets", 1, { body: String(n), user: "alice" });
    let next: string | undefined = "/repos/acme/widgets/issues/1/comments?per_page=3";
    const seen: unknown[][] = [];
    while (next !== undefined) {
      const { list, headers } = await api(from, `GET ${next}`);
      seen.push(list.map(({ body }) => body));
      next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]?.replace(from.apiUrl, "");
    }
    expect(seen).toEqual([["1", "2", "3"], ["4", "5", "6"], ["7"]]);
  });

  it.each([
    { query: "per_page=1000", length: 100 },
    { query: "", length: 30 },
    { query: "page=0&per_page=-1", length: 30 },
    { query: "page=99", length: 0 },
  ])("hold $length entries with ?$query", async ({ query, length }) => {
    const from = await github();
    from.addRepository("acme/widgets", { files: { a: "a" }, labels: Array.from({ length: 101 }, (_, n) => `label-${n}`) });
    expect((await api(from, `GET /repos/acme/widgets/labels?${query}`)).list).toHaveLength(length);
  });
});

describe("comparisons", () => {
  it.each([
    { basehead: "main...topic", status: "ahead", ahead: 1, behind: 0 },
    { basehead: "topic...main", status: "behind", ahead: 0, behind: 1 },
    { basehead: "main...main", status: "identical", ahead: 0, behind: 0 },
    { basehead: "topic...other", status: "diverged", ahead: 1, behind: 1 },
  ])("of $basehead are $status", async ({ basehead, status, ahead, behind }) => {
    const from = await widgets();
    from.push("acme/widgets", "topic", { a: "a" });
    from.push("acme/widgets", "other", { b: "b" });
    const { body } = await api(from, `GET /repos/acme/widgets/compare/${basehead}`);
    expect(body).toMatchObject({ status, ahead_by: ahead, behind_by: behind, total_commits: ahead });
  });
});

describe("what a test arranges", () => {
  it.each([
    { name: "a repository there is not", act: (from: Awaited<ReturnType<typeof github>>) => from.addIssue("acme/gone", { title: "x" }) },
    { name: "a repository twice", act: (from: Awaited<ReturnType<typeof github>>) => from.addRepository("ACME/widgets") },
    { name: "a name without an owner", act: (from: Awaited<ReturnType<typeof github>>) => from.addRepository("widgets") },
    { name: "a comment on no issue", act: (from: Awaited<ReturnType<typeof github>>) => from.addComment("acme/widgets", 9, { body: "x" }) },
    {
      name: "a pull request of no branch",
      act: (from: Awaited<ReturnType<typeof github>>) => from.openPull("acme/widgets", { title: "x", head: "gone" }),
    },
  ])("fails loudly with $name", async ({ act }) => {
    const from = await widgets();
    expect(() => act(from)).toThrow();
  });
});
