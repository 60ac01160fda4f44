import { expect, test } from "vitest";
import type { FileSettings } from "../../../src/config/file-schema.ts";
import type { JournalEntry } from "../../../src/core/journal.ts";
import { silent } from "../../../src/core/log.ts";
import type { Run } from "../../../src/core/run.ts";
import { inCurrentRepository } from "../../../src/runs/current-repository.ts";
import type { RunDependencies } from "../../../src/runs/run-context.ts";
import { fakeLedger, loopback, sessionOn, type Answer } from "../github/loopback.ts";

const NOT_FOUND: Answer = { status: 404, body: { message: "Not Found" } };
const view = (id: number, fullName: string): Answer => {
  const [login = "", name = ""] = fullName.split("/");
  return { status: 200, body: { id, owner: { login }, name, default_branch: "main", private: false, archived: false } };
};
const repository = { id: 7, owner: "acme", name: "widgets", installationId: 1, isPrivate: false, defaultBranch: "main" };
const run = {
  id: "r1",
  attempt: 1,
  request: { trigger: "mention", deliveryId: "d", repository, thread: { kind: "issue", number: 1 } },
  createdAt: new Date(Date.now() - 3_600_000),
} as unknown as Run;

const review: Run = { ...run, request: { ...run.request, trigger: "review" } };

/** What the run's repository is found to be, what was journalled, and what was stored of it. */
async function found(answers: Readonly<Record<string, Answer>>, repositories?: FileSettings["repositories"], of = run) {
  await using server = await loopback(({ path }) => answers[path] ?? NOT_FOUND);
  const entries: JournalEntry[] = [];
  const stored: unknown[] = [];
  const dependencies = {
    github: { session: () => sessionOn(server.baseUrl, fakeLedger()) },
    log: silent,
    database: { query: (_: string, values: readonly unknown[]) => (stored.push(values[2]), Promise.resolve([])) },
    ...(repositories === undefined ? {} : { server: { repositories } }),
  } as unknown as RunDependencies;
  const journal = {
    entries,
    append: (entry: JournalEntry) => Promise.resolve(void entries.push(entry)),
    assertCurrent: () => Promise.resolve(),
    blob: () => Promise.resolve(undefined),
  };
  const answer = await inCurrentRepository(of, journal, new AbortController().signal, dependencies);
  return { answer: answer === "gone" ? answer : answer.request.repository, entries, stored, lines: server.lines() };
}

test("a run's repository that is called as before is asked for once", async () => {
  const { answer, stored, lines } = await found({ "/repos/acme/widgets": view(7, "acme/widgets") });
  expect(answer).toEqual(repository);
  expect(stored).toEqual([]);
  expect(lines).toEqual(["GET /repos/acme/widgets"]);
});

test("a review that begins at once is not asked about: its delivery has just named its repository", async () => {
  const { answer, lines } = await found({}, undefined, { ...review, attempt: 2, createdAt: new Date() });
  expect(answer).toEqual(repository);
  expect(lines).toEqual([]);
});

test("a run that comes back is asked about, however soon", async () => {
  const { lines } = await found({ "/repos/acme/widgets": view(7, "acme/widgets") }, undefined, {
    ...run,
    attempt: 3,
    createdAt: new Date(),
  });
  expect(lines).toEqual(["GET /repos/acme/widgets"]);
});

test.each([
  [
    "was renamed",
    { "/repos/acme/widgets": { status: 301, headers: { location: "../../repositories/7" } }, "/repositories/7": view(7, "acme/gadgets") },
  ],
  ["has left its name to another", { "/repos/acme/widgets": view(8, "acme/widgets"), "/repositories/7": view(7, "acme/gadgets") }],
  ["was transferred", { "/repositories/7": view(7, "globex/gadgets") }],
] as const)("a run follows its repository when it %s", async (_, answers) => {
  const { answer, stored, entries } = await found(answers);
  expect(answer).toMatchObject({ id: 7, name: "gadgets" });
  expect(stored.join("")).toContain('"name":"gadgets"');
  expect(entries).toEqual([]);
});

test.each([
  ["the App can see it no more", {}, undefined, "the App can see it no more"],
  ["another has its name, and it is nowhere", { "/repos/acme/widgets": view(8, "acme/widgets") }, undefined, "the App can see it no more"],
  [
    "the server does not work for its new name",
    { "/repositories/7": view(7, "acme/secret") },
    { exclude: ["acme/secret"] },
    "does not work for it",
  ],
])("a run ends, and its page says why, when %s", async (_, answers, repositories, why) => {
  const { answer, entries, stored } = await found(answers, repositories);
  expect(answer).toBe("gone");
  expect(stored).toEqual([]);
  expect(entries).toMatchObject([
    { kind: "note", text: expect.stringContaining(why) },
    { kind: "phase", phase: "report", result: { end: "failed" } },
  ]);
});
