import { describe, expect, test } from "vitest";
import { call, say, type Turn } from "../../src/testing/index.ts";
import { FILES, openStage, REPOSITORY, type Stage, type StageOptions } from "./stage.ts";

const edit = call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" });
const openPull = (title = "Make sum add") => call("gh_create_pr", { title, body: "It subtracted." });
const ASKING = "gate:\n  protected:\n    src/**: ask\n";

/** A stage whose repository lets people decide about `src`, with one issue on which the bot was asked to change it. */
async function waiting(script: readonly Turn[], { config = ASKING, ...more }: Partial<StageOptions> & { readonly config?: string } = {}) {
  const stage = await openStage({ script, files: { ...FILES, ".github/sallyport.yml": config }, ...more });
  const { number } = stage.github.addIssue(REPOSITORY, { title: "sum subtracts", user: "alice" });
  await stage.say(number, "@sallyport fix this");
  const [comment = ""] = stage.comments(number);
  const [, id = "none"] = /Approval `([a-z]{5}-[a-z]{5})`/.exec(comment) ?? [];
  return { stage, number, comment, id, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
}
const published = ({ github }: Stage) => [
  ...github.pulls(REPOSITORY).map(({ title, draft }) => `${title}${draft ? " (draft)" : ""}`),
  ...github.branches(REPOSITORY).filter((name) => name !== "main"),
];

describe("a change that people must approve", () => {
  test("waits, and shows what, why, its digest, who may answer, until when, and how", async () => {
    await using played = await waiting([edit, openPull(), say("It waits.")]);
    const { stage, comment, id } = played;
    expect(published(stage)).toEqual([]);
    expect(comment).toMatch(/^\*\*waiting for approval\*\* — Nothing was published yet[\s\S]*state=waiting/);
    expect(comment).toContain("would publish a pull request, `Make sum add`, from `sallyport/1-sum-subtracts` against `main`");
    expect(comment).toContain("changes `src/sum.js`");
    expect(comment).toMatch(/`sha256:[0-9a-f]{64}`/);
    expect(comment).toContain("people with the permission `maintain`");
    expect(comment).toMatch(/until 20\d\d-\d\d-\d\d \d\d:\d\d UTC/);
    expect(comment).toContain(`\`@sallyport approve ${id}\``);
    expect(comment).toMatch(/\*\*needs approval\*\* `protected-paths` in `src\/sum\.js/);
    expect(stage.model.requests.at(-1)?.results.at(-1)).toMatch(new RegExp(`^\\[blocked\\] protected-paths: waits for approval ${id}\\b`));
  });

  test("is published as it was read once somebody who may has approved it, and nobody else's word counts", async () => {
    await using played = await waiting([edit, openPull(), say("It waits."), say("Seen.")]);
    const { stage, number, id } = played;
    await stage.say(number, `@sallyport approve ${id}`, "mallory");
    expect(stage.comments(number)).toHaveLength(1);
    await stage.say(number, `@sallyport approve ${id}`, "alice");
    expect(stage.comments(number)[1]).toMatch(/^\*\*failed\*\* — To answer this, one needs the permission `maintain`/);
    expect(published(stage)).toEqual([]);
    await stage.say(number, `@sallyport approve ${id}`, "maria");
    expect(published(stage)).toEqual(["Make sum add", "sallyport/1-sum-subtracts"]);
    expect(stage.github.fileAt(REPOSITORY, stage.github.pulls(REPOSITORY)[0]?.headSha ?? "", "src/sum.js")).toContain("a + b");
    expect(stage.comments(number)[0]).toMatch(
      new RegExp(`^\\*\\*done\\*\\* — maria approved \`${id}\`\\. Opened #2\\.[\\s\\S]*state=done`),
    );
    // The answer was one command: the model was asked nothing for it.
    expect(stage.model.requests).toHaveLength(3);
    await stage.say(number, `@sallyport deny ${id}`, "maria");
    expect(stage.comments(number).at(-1)).toMatch(/^\*\*failed\*\* — .* cannot be answered: maria approved .* before/);
  });

  test.each([
    { name: "an address and a token", token: "dashboard-token-0123456789", isLinked: true },
    // Then the pages answer the machine that they are on, and nobody else.
    { name: "an address alone", token: undefined, isLinked: false },
  ])("is linked to its page on a dashboard with $name", async ({ token, isLinked }) => {
    const environment = { SALLYPORT_PUBLIC_URL: "https://bot.example.net", SALLYPORT_DASHBOARD_TOKEN: token };
    const page = (id: string) => `](https://bot.example.net/sallyport/approvals/${id})`;
    await using played = await waiting([edit, openPull(), say(`See [it](https://bot.example.net/sallyport).`)], { environment });
    const { comment, id } = played;
    expect(comment.includes(page(id))).toBe(isLinked);
    // A model leads nobody there otherwise.
    expect(comment).toContain("it (`https://bot.example.net/sallyport`)");
  });

  test("is never published once somebody has denied it", async () => {
    await using played = await waiting([edit, openPull(), say("It waits.")]);
    const { stage, number, id } = played;
    await stage.say(number, `@sallyport deny ${id}`, "maria");
    expect(published(stage)).toEqual([]);
    expect(stage.comments(number)).toEqual([
      expect.stringMatching(new RegExp(`^\\*\\*blocked\\*\\* — maria denied \`${id}\`\\. Nothing was published\\.[\\s\\S]*state=blocked`)),
    ]);
    await stage.say(number, `@sallyport approve ${id}`, "maria");
    expect(published(stage)).toEqual([]);
  });

  test("expires, and says so", async () => {
    const config = `${ASKING}  approvals:\n    expires_hours: 0.0001\n`;
    await using played = await waiting([edit, openPull(), say("It waits.")], { config });
    const { stage, number, id } = played;
    await expect
      .poll(() => stage.comments(number)[0], { timeout: 20_000 })
      .toMatch(/^\*\*blocked\*\* — .* has expired: nobody approved it/);
    expect(published(stage)).toEqual([]);
    await stage.say(number, `@sallyport approve ${id}`, "maria");
    expect(published(stage)).toEqual([]);
  });

  test("is ended by stop", async () => {
    await using played = await waiting([edit, openPull(), say("It waits.")]);
    const { stage, number, id } = played;
    await stage.say(number, "@sallyport stop");
    expect(stage.comments(number)).toEqual([expect.stringMatching(/^\*\*cancelled\*\* — alice stopped it/)]);
    await stage.say(number, `@sallyport approve ${id}`, "maria");
    expect(published(stage)).toEqual([]);
  });

  test("is not waited for by what comes after it on the thread", async () => {
    await using played = await waiting([edit, openPull(), say("It waits."), say("Seen.")]);
    const { stage, number } = played;
    await stage.say(number, "@sallyport and what is this?");
    expect(stage.comments(number)[1]).toMatch(/^\*\*done\*\*[\s\S]*Seen\./);
    expect(stage.comments(number)[0]).toMatch(/^\*\*waiting for approval\*\*/);
  });

  test("voids the earlier question when the run asks about something else", async () => {
    await using played = await waiting([edit, openPull("One"), openPull("Two"), say("It waits.")]);
    const { stage, number, id } = played;
    const first = /approval ([a-z]{5}-[a-z]{5})/.exec(stage.model.requests[2]?.results.at(-1) ?? "")?.[1] ?? "";
    expect(first).not.toBe(id);
    expect(stage.comments(number)[0]).not.toContain(first);
    await stage.say(number, `@sallyport approve ${first}`, "maria");
    expect(stage.comments(number)[1]).toMatch(/counts no more: .* Waiting on this thread: `/);
    await stage.say(number, `@sallyport approve ${id}`, "maria");
    expect(published(stage)[0]).toBe("Two");
  });

  test("is not answered from another thread", async () => {
    await using played = await waiting([edit, openPull(), say("It waits.")]);
    const { stage, id } = played;
    const other = stage.github.addIssue(REPOSITORY, { title: "another", user: "alice" });
    await stage.say(other.number, `@sallyport approve ${id}`, "maria");
    expect(stage.comments(other.number)).toEqual([expect.stringMatching(/was asked on #1: answer it there/)]);
    expect(published(stage)).toEqual([]);
  });

  test("survives the process: what was approved is published once by the next one", { timeout: 60_000 }, async () => {
    await using played = await waiting([edit, openPull(), say("It waits.")]);
    const { stage, number, id } = played;
    const stopped = Promise.withResolvers<void>();
    stage.github.fault({ match: "POST /repos/*/*/pulls", times: 1, run: () => stopped.resolve(), respond: "hang" });
    await stage.github.say(REPOSITORY, number, `@sallyport approve ${id}`, "maria");
    await stopped.promise;
    await stage.stop();
    await stage.start();
    await stage.idle();
    expect(published(stage)).toEqual(["Make sum add", "sallyport/1-sum-subtracts"]);
    expect(stage.comments(number)).toEqual([expect.stringMatching(/^\*\*done\*\* — maria approved/)]);
  });
});

test("a question that is narrowed to a team and to code owners is answered by who is both", async () => {
  const files = { ...FILES, ".github/sallyport.yml": `${ASKING}  approvals:\n    teams: [acme/core]\n    code_owners: true\n` };
  await using played = await waiting([edit, openPull(), say("It waits.")], { files: { ...files, CODEOWNERS: "/src/ @acme/core\n" } });
  const { stage, number, comment, id } = played;
  expect(comment).toContain("people with the permission `maintain` who are members of `acme/core` and own these files by CODEOWNERS");
  const approve = () => stage.say(number, `@sallyport approve ${id}`, "maria");
  await approve();
  expect(stage.comments(number)[1]).toMatch(/^\*\*failed\*\* — To say this, one must be a member of `acme\/core`/);
  expect(published(stage)).toEqual([]);
  stage.github.fault({ match: "GET /orgs/acme/teams/core/memberships/maria", respond: { status: 200, body: { state: "active" } } });
  await approve();
  expect(published(stage)).toEqual(["Make sum add", "sallyport/1-sum-subtracts"]);
});

test("a repository that is renamed while a question waits has the answer carried out under its new name", async () => {
  await using played = await waiting([edit, openPull(), say("It waits.")]);
  const { stage, number, id } = played;
  const { github } = stage;
  const { id: repository } = github.renameRepository(REPOSITORY, "acme/gadgets");
  const body = { id: repository, owner: { login: "acme" }, name: "gadgets", default_branch: "main", private: false, archived: false };
  github.fault({ match: `GET /repositories/${repository}`, respond: { status: 200, body } });
  await github.say("acme/gadgets", number, `@sallyport approve ${id}`, "maria");
  await stage.idle();
  expect(github.pulls("acme/gadgets").map(({ title }) => title)).toEqual(["Make sum add"]);
  expect(github.comments("acme/gadgets", number)[1]?.body).toMatch(/^\*\*done\*\* — maria approved/);
});

test("a commit on a pull request's head waits in the same way", async () => {
  const script = [edit, call("gh_commit_changes", { message: "Make sum add" }), say("It waits.")];
  await using stage = await openStage({ script, files: { ...FILES, ".github/sallyport.yml": ASKING } });
  const { github } = stage;
  github.push(REPOSITORY, "feature", { "docs/extra.md": "more\n" });
  const pull = github.openPull(REPOSITORY, { title: "More", user: "alice", head: "feature" });
  await stage.say(pull.number, "@sallyport fix sum too");
  const [, id = ""] = /Approval `([a-z]{5}-[a-z]{5})`/.exec(stage.comments(pull.number)[0] ?? "") ?? [];
  await stage.say(pull.number, `@sallyport approve ${id}`, "maria");
  expect(stage.comments(pull.number)).toEqual([
    expect.stringMatching(/^\*\*done\*\* — maria approved .* Committed [0-9a-f]{10} to `feature`/),
  ]);
  expect(github.pulls(REPOSITORY)).toHaveLength(1);
});
