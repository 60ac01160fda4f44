import { expect, test } from "vitest";
import { call, resumable, say, type Fault, type ModelRequest, type Script } from "../../src/testing/index.ts";
import { postgresPrograms, startPostgres } from "../unit/store/postgres.ts";
import { openTheatre, type Process, type Theatre } from "./processes.ts";
import { REPOSITORY } from "./stage.ts";

const TURNS = [
  call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }),
  call("gh_create_pr", { title: "Make sum add", body: "It subtracted." }),
  say("`sum` adds now."),
];
const turnOf = ({ messages }: ModelRequest): number => messages.filter(({ role }) => role === "assistant").length;
/** How often each question was put to the model. */
const asked = ({ model }: Theatre): number[] => TURNS.map((_, turn) => model.requests.filter((request) => turnOf(request) === turn).length);

async function ask({ github }: Theatre): Promise<void> {
  const { number } = github.addIssue(REPOSITORY, { title: "sum subtracts", user: "alice" });
  const { delivery } = await github.say(REPOSITORY, number, "@sallyport fix this", "alice");
  expect(delivery.status).toBeLessThan(300);
}

/** The run came to its one end, whatever happened on the way. */
async function expectOneOfEach(theatre: Theatre): Promise<void> {
  const { github, comments } = theatre;
  await expect.poll(() => comments(1)[0] ?? "", { timeout: 30_000 }).toMatch(/^\*\*done\*\*/);
  const [pull, ...more] = github.pulls(REPOSITORY);
  expect(more).toEqual([]);
  expect(pull).toMatchObject({ draft: false, headRef: "sallyport/1-sum-subtracts" });
  expect(github.branches(REPOSITORY)).toEqual(["main", "sallyport/1-sum-subtracts"]);
  expect(github.fileAt(REPOSITORY, pull?.headSha ?? "", "src/sum.js")).toContain("a + b");
  expect(github.requests.filter(({ graphql, status }) => graphql === "createCommitOnBranch" && status === 200).length).toBeLessThanOrEqual(
    1,
  );
  expect(comments(1)).toHaveLength(1);
  expect(comments(1)[0]).toMatch(/^\*\*done\*\* — Opened #2\.[\s\S]*state=done/);
  expect(theatre.model.problems).toEqual([]);
}

const isEndOf =
  (words: string): Fault["match"] =>
  ({ method, path, body }) =>
    method === "PATCH" && path.includes("/issues/comments/") && JSON.stringify(body).includes(words);

test(
  "killed at each of its writes, and started again each time, a run leaves one of everything and asks nothing twice",
  { timeout: 90_000 },
  async () => {
    await using theatre = await openTheatre(resumable(TURNS));
    const { github } = theatre;
    let running: Process = await theatre.start();
    const places: readonly Omit<Fault, "respond">[] = [
      { match: "POST /repos/*/*/issues/*/comments", after: true },
      { match: "POST /repos/*/*/git/refs", after: true },
      { match: /createCommitOnBranch/, after: true },
      { match: "POST /repos/*/*/pulls", after: true },
      { match: isEndOf("adds now"), after: true },
    ];
    for (const place of places) github.fault({ ...place, times: 1, run: () => running.kill(), respond: "reset" });
    await ask(theatre);
    for (const { match } of places) {
      await running.gone;
      expect(theatre.comments(1).length, String(match)).toBeLessThanOrEqual(1);
      running = await theatre.start();
    }
    await expectOneOfEach(theatre);
    expect(asked(theatre)).toEqual([1, 1, 1]);
  },
);

test("killed at each question to the model, a run puts no answered question again", { timeout: 90_000 }, async () => {
  let running: Process | undefined;
  const killed = new Set<number>();
  const script: Script = async (request, step) => {
    const turn = turnOf(request);
    if (killed.has(turn)) return resumable(TURNS)(request, step);
    killed.add(turn);
    await running?.kill();
    return { hang: true };
  };
  await using theatre = await openTheatre(script);
  running = await theatre.start();
  await ask(theatre);
  for (const _ of TURNS) {
    await running.gone;
    running = await theatre.start();
  }
  await expectOneOfEach(theatre);
  expect(asked(theatre)).toEqual([2, 2, 2]);
});

test(
  "told to stop in the middle of a run, a process ends in time and without a word on the thread; the next one finishes the run",
  { timeout: 60_000 },
  async () => {
    let isFirst = true;
    await using theatre = await openTheatre((request, step) => {
      if (turnOf(request) !== 1 || !isFirst) return resumable(TURNS)(request, step);
      isFirst = false;
      return { ...TURNS[1], delayMs: 25_000 };
    });
    const running = await theatre.start();
    await ask(theatre);
    await expect.poll(() => asked(theatre)[1], { timeout: 20_000 }).toBe(1);
    const late = new Promise<"late">((resolve) => setTimeout(() => resolve("late"), 20_000).unref());
    expect(await Promise.race([running.terminate(), late])).toBe(0);
    expect(theatre.comments(1)).toMatchObject([expect.stringMatching(/^\*\*working\*\*/)]);
    await theatre.start();
    await expectOneOfEach(theatre);
    expect(asked(theatre)).toEqual([1, 2, 1]);
  },
);

const title =
  "a web process takes a delivery and asks no model; of two workers at once one does the work, and when it is killed the other takes it over";
test.skipIf(postgresPrograms === undefined)(
  postgresPrograms === undefined ? `${title} (not run: PostgreSQL's initdb is not installed)` : title,
  { timeout: 90_000 },
  async () => {
    const postgres = await startPostgres();
    try {
      const databaseUrl = await postgres.createDatabase();
      let worker: Process | undefined;
      let isFirst = true;
      await using theatre = await openTheatre(async (request, step) => {
        if (turnOf(request) !== 1 || !isFirst) return resumable(TURNS)(request, step);
        isFirst = false;
        // The other one is there, and has found nothing to do, before this one dies with the run.
        await theatre.start({ role: "worker", data: "two", databaseUrl });
        expect(theatre.comments(1)).toMatchObject([expect.stringMatching(/^\*\*working\*\*/)]);
        await worker?.kill();
        return { hang: true };
      });
      await theatre.start({ role: "web", data: "web", databaseUrl });
      await ask(theatre);
      worker = await theatre.start({ role: "worker", data: "one", databaseUrl });
      await worker.gone;
      await expectOneOfEach(theatre);
      expect(asked(theatre)).toEqual([1, 2, 1]);
    } finally {
      await postgres.dispose();
    }
  },
);
