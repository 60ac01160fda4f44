import { describe, expect, test } from "vitest";
import { holds } from "../../../src/github/permission.ts";
import { createReader } from "../../../src/github/reader.ts";
import type { GitHubReader } from "../../../src/github/reader.ts";
import type { Answer, Arrived, Loopback } from "./loopback.ts";
import { fakeLedger, loopback, REPOSITORY, sessionOn } from "./loopback.ts";

const ok = (body: unknown): Answer => ({ status: 200, body });
const NOT_FOUND: Answer = { status: 404, body: { message: "Not Found" } };
const EMPTY: Answer = { status: 409, body: { message: "Git Repository is empty." } };
const readerOn = ({ baseUrl }: Loopback): GitHubReader => createReader(sessionOn(baseUrl, fakeLedger()), REPOSITORY);

describe("permission", () => {
  test.for([
    ["a built-in role", ok({ permission: "write", role_name: "maintain", user: { id: 3 } }), "maintain"],
    ["triage", ok({ permission: "read", role_name: "triage", user: { id: 3 } }), "triage"],
    ["a custom role", ok({ permission: "write", role_name: "release-captain", user: { id: 3 } }), "write"],
    ["no role", ok({ permission: "none", role_name: "none", user: { id: 3 } }), "none"],
    ["an answer without any role", ok({}), "none"],
    ["an account that GitHub does not know there", NOT_FOUND, "none"],
    ["a login that is somebody else's by now", ok({ permission: "admin", role_name: "admin", user: { id: 4 } }), "none"],
  ] as const)("of %s", async ([, answer, expected]) => {
    await using github = await loopback(() => answer);
    expect(await readerOn(github).permission({ login: "mira[bot]", id: 3 })).toBe(expected);
    expect(github.lines()).toEqual(["GET /repos/acme/app/collaborators/mira%5Bbot%5D/permission"]);
  });

  test.for([403, 500, 451])("that GitHub will not tell (%i) lets nobody in", async (status) => {
    await using github = await loopback(() => ({ status, body: { message: "no" } }));
    await expect(readerOn(github).permission({ login: "mira" })).rejects.toThrow("Could not ask for the permission of mira on acme/app");
  });

  test("is ordered", () => {
    expect([holds("maintain", "write"), holds("write", "write"), holds("triage", "write"), holds("none", "read")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("branches", () => {
  test("a tip is looked up by its whole name", async () => {
    await using github = await loopback(({ path }) =>
      path.endsWith("feat%2Fx") ? ok({ ref: "refs/heads/feat/x", object: { sha: "a".repeat(40) } }) : NOT_FOUND,
    );
    const reader = readerOn(github);
    expect([await reader.branchTip("feat/x"), await reader.branchTip("feat")]).toEqual(["a".repeat(40), undefined]);
    expect(github.requests).toHaveLength(2);
  });

  test("a repository without any commit is told apart, at once", async () => {
    await using github = await loopback(() => EMPTY);
    await expect(readerOn(github).branchTip("main")).rejects.toMatchObject({ code: "empty-repository" });
    expect(github.requests).toHaveLength(1);
    expect(await readerOn(github).branchesStartingWith("sallyport/")).toEqual([]);
  });

  test("a prefix gives all branches of all pages", async () => {
    const page = (from: number) => Array.from({ length: 100 }, (_, index) => ({ ref: `refs/heads/sallyport/${from + index}` }));
    await using github = await loopback(({ path }) =>
      path.includes("page=2")
        ? ok(page(100))
        : {
            ...(ok(page(0)) as object),
            status: 200,
            headers: { link: `<${github.baseUrl}/repos/acme/app/git/matching-refs/heads/sallyport/?page=2>; rel="next"` },
          },
    );
    expect(await readerOn(github).branchesStartingWith("sallyport/")).toHaveLength(200);
  });

  test("pages that go in a circle end with an error, not with a part", async () => {
    await using github = await loopback(() => ({
      status: 200,
      body: [{ ref: "refs/heads/a" }],
      headers: { link: `<${github.baseUrl}/repos/acme/app/git/matching-refs/heads/a?page=2>; rel="next"` },
    }));
    await expect(readerOn(github).branchesStartingWith("a")).rejects.toMatchObject({ code: "not-fully-read" });
    expect(github.requests.length).toBeLessThan(5);
  });

  test.for([
    ["protected", ok({ protected: true }), ok([]), true],
    ["open", ok({ protected: false }), ok([{ type: "deletion" }]), false],
    ["closed by a ruleset", ok({ protected: false }), ok([{ type: "pull_request" }]), true],
    ["open on a server without rulesets", ok({ protected: false }), NOT_FOUND, false],
    ["missing", NOT_FOUND, NOT_FOUND, false],
  ] as const)("one that is %s", async ([, branch, rules, expected]) => {
    await using github = await loopback(({ path }) => (path.includes("/rules/") ? rules : branch));
    expect(await readerOn(github).isProtected("feat/x")).toBe(expected);
  });
});

describe("an issue", () => {
  const issue = {
    number: 5,
    title: "T",
    body: null,
    state: "open",
    user: null,
    labels: ["a", { name: "b" }, {}],
    locked: false,
    comments: 0,
    repository_url: "https://api.github.com/repos/Acme/app",
  };
  const comments = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ user: { login: "mira" }, created_at: "t", body: `c${index + 1}` }));
  /** Serves an issue with this many comments, by pages. */
  const having =
    (count: number) =>
    ({ path }: Arrived) => {
      if (!path.includes("/comments")) return ok({ ...issue, comments: count });
      const page = Number(new URL(path, "http://x").searchParams.get("page"));
      return ok(comments(count).slice((page - 1) * 100, page * 100));
    };

  test("comes with nulls made plain", async () => {
    await using github = await loopback(having(0));
    expect(await readerOn(github).issue(5)).toEqual({
      number: 5,
      title: "T",
      body: "",
      state: "open",
      author: "ghost",
      labels: ["a", "b", ""],
      isPullRequest: false,
      locked: false,
      comments: [],
      omittedComments: 0,
    });
  });

  test.for([
    [3, "c1", 3, 0],
    [100, "c1", 100, 0],
    [135, "c36", 100, 35],
    [300, "c201", 100, 200],
  ] as const)("with %i comments shows the newest, oldest first", async ([count, first, shown, omitted]) => {
    await using github = await loopback(having(count));
    const view = await readerOn(github).issue(5);
    expect([view?.comments[0]?.body, view?.comments.at(-1)?.body]).toEqual([first, `c${count}`]);
    expect([view?.comments.length, view?.omittedComments]).toEqual([shown, omitted]);
  });

  test.for([
    ["missing", NOT_FOUND],
    ["deleted", { status: 410, body: { message: "This issue was deleted" } }],
  ] as const)("that is %s is none", async ([, answer]) => {
    await using github = await loopback(() => answer);
    expect(await readerOn(github).issue(5)).toBeUndefined();
  });

  test("that was transferred to another repository is none: its texts belong there", async () => {
    await using github = await loopback(({ path }) => {
      if (path === "/repos/acme/app/issues/5") return { status: 301, headers: { location: `${github.baseUrl}/repositories/8/issues/5` } };
      if (path.startsWith("/repositories/8")) return ok({ ...issue, repository_url: `${github.baseUrl}/repos/acme/secret` });
      return ok({ id: 7, full_name: "acme/app" });
    });
    expect(await readerOn(github).issue(5)).toBeUndefined();
  });

  test("of a repository that was renamed meanwhile is still the same", async () => {
    await using github = await loopback(({ path }) =>
      path === "/repos/acme/app"
        ? ok({ id: 7, full_name: "acme/new" })
        : ok({ ...issue, repository_url: `${github.baseUrl}/repos/acme/new` }),
    );
    expect(await readerOn(github).issue(5)).toMatchObject({ number: 5 });
  });
});

describe("a pull request", () => {
  const pull = {
    number: 9,
    html_url: "u",
    state: "open",
    title: "T",
    body: null,
    user: { login: "sallyport[bot]" },
    head: { ref: "fix", sha: "a", repo: { id: 7 } as { id: number } | null },
    base: { ref: "main", sha: "b", repo: { id: 7 } },
  };

  test.for([
    ["from the repository itself", pull, { sameRepository: true, ownPull: true, headRef: "fix", baseRef: "main" }],
    [
      "from a fork",
      { ...pull, user: { login: "mira" }, head: { ...pull.head, repo: { id: 8 } } },
      { sameRepository: false, ownPull: false },
    ],
    [
      "from a fork that was deleted, by a deleted account",
      { ...pull, user: null, head: { ...pull.head, repo: null } },
      { sameRepository: false, ownPull: false, author: "ghost" },
    ],
  ] as const)("%s", async ([, raw, expected]) => {
    await using github = await loopback(() => ok(raw));
    expect(await readerOn(github).pull(9)).toMatchObject({ number: 9, headSha: "a", baseSha: "b", isOpen: true, body: "", ...expected });
  });

  test("that does not exist is none", async () => {
    await using github = await loopback(() => NOT_FOUND);
    expect(await readerOn(github).pull(9)).toBeUndefined();
  });

  test("is found by its head branch only when it really has it", async () => {
    const others = [
      pull,
      { ...pull, number: 8, head: { ...pull.head, ref: "other" } },
      { ...pull, number: 7, head: { ...pull.head, repo: { id: 8 } } },
      { ...pull, number: 6, state: "closed" },
    ];
    await using github = await loopback(() => ok(others));
    expect((await readerOn(github).pullsFromBranch("fix")).map(({ number }) => number)).toEqual([9, 6]);
    expect(github.lines()[0]).toContain("head=acme%3Afix&state=all");
  });
});

test("own comments on a review thread are those in it, by this login", async () => {
  const made = (id: number, login: string, parent?: number) => ({
    id,
    html_url: "u",
    body: null,
    created_at: "t",
    user: { login },
    ...(parent === undefined ? {} : { in_reply_to_id: parent }),
  });
  await using github = await loopback(() =>
    ok([made(1, "sallyport[bot]"), made(2, "sallyport[bot]", 77), made(3, "mira", 77), made(4, "Sallyport[bot]", 77)]),
  );
  const comments = await readerOn(github).ownComments({ kind: "pull-request", number: 5, reviewCommentId: 77 });
  expect(comments.map(({ id, body }) => [id, body])).toEqual([
    [2, ""],
    [4, ""],
  ]);
});
