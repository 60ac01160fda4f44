import { expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { patientFetch } from "../../../src/github/patient-fetch.ts";
import { createReader } from "../../../src/github/reader.ts";
import type { Answer, Loopback } from "./loopback.ts";
import { fakeLedger, handClock, loopback, REPOSITORY, sessionOn } from "./loopback.ts";

const REPO = { id: 7, name: "app", owner: { login: "acme" }, default_branch: "develop", private: true, archived: false };

function giving(answers: readonly Answer[], last: Answer = { status: 200, body: REPO }): Promise<Loopback> {
  const left = [...answers];
  return loopback(() => left.shift() ?? last);
}
async function read(github: Loopback) {
  const clock = handClock();
  const answer = await createReader(sessionOn(github.baseUrl, fakeLedger(), clock), REPOSITORY)
    .repository()
    .catch((error: unknown) => error);
  return { answer, asked: github.requests.length, slept: clock.slept };
}

test("a repository is read with its own default branch", async () => {
  await using github = await giving([]);
  expect((await read(github)).answer).toEqual({
    id: 7,
    owner: "acme",
    name: "app",
    defaultBranch: "develop",
    isPrivate: true,
    archived: false,
  });
});

test.for([
  ["server errors", [{ status: 502 }, { status: 500, body: { message: "x" } }], [500, 1000]],
  ["a broken connection", ["reset"], [500]],
  ["no answer", ["hang"], [500]],
  ["a 429 that names a time", [{ status: 429, body: {}, headers: { "retry-after": "5" } }], [5000]],
  ["a secondary limit without a time", [{ status: 403, body: { message: "You have exceeded a secondary rate limit" } }], [60_000]],
] as const)("a read that met %s is asked again", async ([, answers, slept]) => {
  await using github = await giving(answers);
  expect(await read(github)).toMatchObject({ answer: { id: 7 }, asked: answers.length + 1, slept });
});

test("each read has its own tries", async () => {
  await using github = await giving([
    { status: 502 },
    { status: 502 },
    { status: 502 },
    { status: 200, body: REPO },
    { status: 502 },
    { status: 502 },
    { status: 502 },
  ]);
  expect((await read(github)).answer).toMatchObject({ id: 7 });
  expect((await read(github)).answer).toMatchObject({ id: 7 });
});

test.for([
  ["400", { status: 400, body: { message: "no" } }, "validation"],
  ["403", { status: 403, body: { message: "Forbidden" } }, "forbidden"],
  ["404", { status: 404, body: { message: "Not Found" } }, "not-found"],
  ["451", { status: 451, body: {} }, "gone"],
] as const)("a read answered with %s is not repeated", async ([, answer, code]) => {
  await using github = await giving([], answer);
  expect(await read(github)).toMatchObject({ answer: { code }, asked: 1 });
});

test("a server that stays away ends as unreachable, naming what was read", async () => {
  await using github = await giving([], { status: 503, body: { message: "Unavailable" } });
  const { answer, asked } = await read(github);
  expect(answer).toMatchObject({ code: "unreachable", message: "Could not read repository acme/app: GitHub answered 503: Unavailable" });
  expect(asked).toBe(5);
});

test("a limit that lasts too long for a read is said at once", async () => {
  await using github = await giving([], {
    status: 403,
    body: { message: "API rate limit exceeded" },
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1772373600", date: "Sun, 01 Mar 2026 13:00:00 GMT" },
  });
  expect(await read(github)).toMatchObject({ answer: { code: "rate-limited" }, asked: 1, slept: [] });
});

test("a read that is aborted ends with the caller's reason and is not repeated", async () => {
  const stop = new AbortController();
  await using github = await loopback(() => {
    stop.abort(new Error("stopped"));
    return "hang";
  });
  const { octokit } = sessionOn(github.baseUrl, fakeLedger());
  await expect(octokit.request("GET /x", { request: { signal: stop.signal } })).rejects.toThrow("stopped");
  expect(github.requests).toHaveLength(1);
});

test("a GraphQL read is repeated like any other", async () => {
  await using github = await giving([{ status: 502 }], { status: 200, body: { data: { viewer: { login: "x" } } } });
  const { octokit } = sessionOn(github.baseUrl, fakeLedger());
  expect(await octokit.graphql("query { viewer { login } }")).toEqual({ viewer: { login: "x" } });
  expect(github.lines()).toEqual(["POST /graphql", "POST /graphql"]);
});

test("a read that is repeated is logged with what went wrong, not only with that something did", async () => {
  const lines: object[] = [];
  const log = { ...silent, info: (fields: object) => void lines.push(fields) };
  const failing = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND ghe.example.com") }));
  const read = patientFetch({ fetch: failing, clock: handClock(), log, tries: 2 });
  await expect(read("https://ghe.example.com/api/v3/app")).rejects.toThrow("fetch failed");
  expect(lines).toEqual([expect.objectContaining({ attempt: 1, why: "getaddrinfo ENOTFOUND ghe.example.com" })]);
});
