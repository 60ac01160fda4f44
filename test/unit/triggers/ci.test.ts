import { describe, expect, it, test } from "vitest";
import { isQuiet } from "../../../src/config/meant-kinds.ts";
import { proposedLabels } from "../../../src/runs/triage/labels.ts";
import { goodbyeOf } from "../../../src/triggers/goodbye.ts";
import { toRunRequest } from "../../../src/triggers/request.ts";

const identity = { appSlug: "sallyport", appId: 4242, botLogin: "sallyport[bot]" };
const user = (login: string, id = login.length, type = "User") => ({ login, id, type });
const BOT = user("sallyport[bot]", 99, "Bot");
const repository = { id: 1, name: "widgets", owner: { login: "acme" }, private: false, default_branch: "main" };
const payload = (run: object = {}, more: object = {}) => ({
  action: "completed",
  installation: { id: 7 },
  repository,
  sender: user("alice"),
  workflow_run: {
    id: 31,
    name: "CI",
    path: ".github/workflows/ci.yml",
    head_branch: "feature",
    head_sha: "a".repeat(40),
    run_attempt: 2,
    conclusion: "failure",
    actor: user("alice"),
    triggering_actor: user("bob"),
    head_repository: { id: 1, owner: { login: "acme" } },
    ...run,
  },
  ...more,
});
const read = (event: object) => toRunRequest("workflow_run", "d-1", event, identity);

describe("a workflow run that failed", () => {
  test("asks in the name of who pushed and of who had it run, once for each attempt", () => {
    expect(read(payload())).toMatchObject({
      trigger: "ci",
      deliveryId: "ci:1:31:2",
      quiet: true,
      actor: { login: "alice" },
      thread: { kind: "none" },
      ci: { runId: 31, attempt: 2, branch: "feature", people: [{ login: "alice" }, { login: "bob" }] },
    });
  });

  it.each([
    ["one person", { triggering_actor: user("alice") }, ["alice"], undefined],
    ["a rerun of the App's own", { triggering_actor: BOT }, ["alice"], undefined],
    ["the App's own push, run again by a person", { actor: BOT }, ["bob"], true],
    ["the App's own push", { actor: BOT, triggering_actor: BOT }, [], true],
    ["another bot behind the App's push", { actor: BOT, triggering_actor: user("evil[bot]", 5, "Bot") }, ["evil[bot]"], true],
  ])("of %s needs the permission of these people", (_, run, logins, isOwn) => {
    const request = read(payload(run));
    if ("ignored" in request) throw new Error(request.ignored);
    expect(request.ci?.people.map(({ login }) => login)).toEqual(logins);
    expect(request.ci?.isOwn).toBe(isOwn);
  });

  it.each([
    ["it was cancelled", payload({ conclusion: "cancelled" })],
    ["it was skipped", payload({ conclusion: "skipped" })],
    ["it has not ended", payload({ conclusion: null })],
    ["who pushed is gone", payload({ actor: null })],
    ["it is on no branch", payload({ head_branch: null })],
    ["the repository is archived", payload({}, { repository: { ...repository, archived: true } })],
    ["it only began", { ...payload(), action: "requested" }],
    ["its commit is no commit", payload({ head_sha: "main" })],
  ])("starts nothing where %s", (_, event) => {
    expect(read(event)).toHaveProperty("ignored");
  });

  test("that ran out of time counts as well", () => {
    expect(read(payload({ conclusion: "timed_out" }))).toMatchObject({ trigger: "ci" });
  });
});

describe("a push", () => {
  const push = (ref: string, modified: string[]) => ({
    ref,
    installation: { id: 7 },
    repository,
    sender: user("alice"),
    commits: [{ added: [], modified, removed: [] }],
  });
  it.each([
    ["of the configuration to the default branch is heard", push("refs/heads/main", [".github/sallyport.yml"]), true],
    ["of the configuration to another branch is not", push("refs/heads/x", [".github/sallyport.yml"]), false],
    ["of anything else is not", push("refs/heads/main", ["src/a.ts"]), false],
  ])("%s", (_, event, isHeard) => {
    expect("settingsOnly" in toRunRequest("push", "d-2", event, identity)).toBe(isHeard);
  });
});

test.each([
  ["an App that was uninstalled", "installation", { action: "deleted", installation: { id: 7 } }, { installationId: 7 }],
  [
    "repositories that were taken from it",
    "installation_repositories",
    { action: "removed", repositories_removed: [{ id: 3 }] },
    { repositoryIds: [3] },
  ],
  ["a repository that was deleted", "repository", { action: "deleted", repository: { id: 4 } }, { repositoryIds: [4] }],
  ["an App that was installed", "installation", { action: "created", installation: { id: 7 } }, undefined],
  ["anything malformed", "installation", { action: "deleted", installation: { id: "all" } }, undefined],
])("%s", (_, event, said, gone) => {
  expect(goodbyeOf(event, said)).toEqual(gone);
});

test.each([
  ["in the middle of the day", { from: "09:00", to: "17:00" }, "2026-12-01T12:00:00Z", true],
  ["at its end no more", { from: "09:00", to: "17:00" }, "2026-12-01T17:00:00Z", false],
  ["over midnight", { from: "22:00", to: "06:00" }, "2026-12-01T23:30:00Z", true],
  ["in the morning after", { from: "22:00", to: "06:00" }, "2026-12-01T05:59:00Z", true],
  ["not by day", { from: "22:00", to: "06:00" }, "2026-12-01T12:00:00Z", false],
  ["in the named zone", { from: "22:00", to: "06:00", timezone: "Asia/Tokyo" }, "2026-12-01T14:00:00Z", true],
  ["in UTC where the zone is none", { from: "22:00", to: "06:00", timezone: "Mars/Olympus" }, "2026-12-01T23:00:00Z", true],
])("it is quiet %s", (_, hours, at, is) => {
  expect(isQuiet(hours, new Date(at))).toBe(is);
});

test.each([
  ["as they exist, whatever the case", "Words.\n\nLabels: BUG, `Help Wanted`.", ["bug", "help wanted"]],
  ["none that was made up", "Labels: urgent, bug", ["bug"]],
  ["none without that line", "It is a bug.", []],
  ["the last line's, in bold too", "Labels: bug\n**Labels:** docs", ["docs"]],
])("proposes labels: %s", (_, answer, labels) => {
  expect(proposedLabels(answer, ["bug", "docs", "help wanted"])).toEqual(labels);
});
