import { setImmediate as immediately } from "node:timers/promises";
import { expect, test } from "vitest";
import { call, resumable, say, type Fault } from "../../src/testing/index.ts";
import { openStage, REPOSITORY, type Stage } from "./stage.ts";

const FILES = { "README.md": "# Widgets\n", "src/sum.js": "export const sum = (a, b) => a - b\n" };
const TURNS = [
  call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }),
  call("gh_create_pr", { title: "Make sum add", body: "It subtracted." }),
  say("`sum` adds now."),
];
const LIMIT = { message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again." };

type Request = Stage["github"]["requests"][number];

/** One kind of request, whatever its numbers: `POST /repos/acme/widgets/issues/comments/#/reactions`. */
function keyOf({ method, path, body, git }: Request): string {
  const [, mutation = ""] = /mutation[^{]*\{\s*(\w+)/.exec(JSON.stringify(body ?? "")) ?? [];
  return `${git ?? method} ${path.replace(/\d+/g, "#")} ${mutation}`.trimEnd();
}
const isWrite = (request: Request): boolean =>
  request.method !== "GET" && request.git === undefined && !request.path.endsWith("/access_tokens");

/** The main job on an issue of its own. */
async function fix(stage: Stage): Promise<number> {
  const { number } = stage.github.addIssue(REPOSITORY, { title: "sum subtracts", user: "alice" });
  await stage.say(number, "@sallyport fix this");
  return number;
}

function expectOneOfEach({ github, model, comments }: Stage, number: number, what: string): void {
  const branch = `sallyport/${number}-sum-subtracts`;
  const pulls = github.pulls(REPOSITORY).filter(({ headRef }) => headRef.startsWith(`sallyport/${number}-`));
  expect(pulls, what).toMatchObject([{ headRef: branch, draft: false }]);
  expect(
    github.branches(REPOSITORY).filter((name) => name.startsWith(`sallyport/${number}-`)),
    what,
  ).toEqual([branch]);
  expect(github.fileAt(REPOSITORY, pulls[0]?.headSha ?? "", "src/sum.js"), what).toContain("a + b");
  expect(comments(number), what).toMatchObject([
    expect.stringMatching(/^\*\*done\*\* — Opened #\d+\.[\s\S]*`sum` adds now\.[\s\S]*state=done/),
  ]);
  expect(github.reactions(REPOSITORY).length, what).toBe(pulls.length * ((number + 1) / 2));
  expect(model.problems, what).toEqual([]);
}

const KINDS: readonly (readonly [string, Pick<Fault, "respond" | "after">])[] = [
  ["answered 500 before it has an effect", { respond: { status: 500, body: { message: "Server Error" } } }],
  ["answered 500 after it had its effect", { respond: { status: 500, body: { message: "Server Error" } }, after: true }],
  ["reset", { respond: "reset" }],
  ["never answered", { respond: "hang", after: true }],
  ["refused by a secondary limit without a time", { respond: { status: 403, body: LIMIT } }],
];

// Each kind of request is found by what the run sends, so that none can be forgotten. What changes nothing (reads, and writes
// that are refused) is struck in one run; a write whose answer is lost after its effect has a run of its own.
test.each(KINDS)("each request in turn %s, the main job leaves the same", { timeout: 400_000 }, async (_, fault) => {
  // Only where nothing is answered is it given up soon: a slow machine's answers are no fault.
  const patience = { sleep: () => immediately(), ...(fault.respond === "hang" ? { timeLimitMs: 2_000 } : {}) };
  await using stage = await openStage({ files: FILES, script: resumable(TURNS), patience });
  const { github, model } = stage;
  const struck = new Set<string>();
  const strikeOnce = (request: Request, wanted: boolean): boolean => {
    const key = keyOf(request);
    // git waits half a minute for a server that says nothing.
    if (!wanted || struck.has(key) || (request.git !== undefined && fault.respond === "hang")) return false;
    struck.add(key);
    return true;
  };
  const reads = github.fault({ match: (request) => strikeOnce(request, !isWrite(request) && request.git === undefined), ...fault });
  // Git is told why in plain text.
  const plain = typeof fault.respond === "string" ? fault.respond : { ...fault.respond, body: LIMIT.message };
  const fetches = github.fault({ match: (request) => strikeOnce(request, request.git !== undefined), respond: plain });
  expectOneOfEach(stage, await fix(stage), "all reads");
  reads();
  fetches();
  expect(struck.size).toBeGreaterThan(8);
  expect(struck).toContain("POST /app/installations/#/access_tokens");

  const writes = new Set(github.requests.filter(isWrite).map(keyOf));
  expect(writes.size).toBeGreaterThan(5);
  if (fault.after !== true) {
    // Nothing came of what was struck: as with reads, all of it is struck in one run.
    const done = github.fault({ match: (request) => strikeOnce(request, isWrite(request)), ...fault });
    expectOneOfEach(stage, await fix(stage), "all writes");
    done();
    expect([...struck]).toEqual(expect.arrayContaining([...writes]));
    return;
  }
  for (const write of writes) {
    const asked = model.requests.length;
    const done = github.fault({ match: (request) => keyOf(request) === write && isWrite(request), times: 1, ...fault });
    expectOneOfEach(stage, await fix(stage), write);
    done();
    expect(model.requests.length - asked, write).toBe(TURNS.length);
    expect(
      github.requests.filter(({ faulted }) => faulted).some((request) => keyOf(request) === write),
      write,
    ).toBe(true);
  }
});
