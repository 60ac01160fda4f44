import { describe, expect, test } from "vitest";
import { toRunRequest } from "../../../src/triggers/request.ts";

const identity = { appSlug: "sallyport", appId: 77, botLogin: "sallyport[bot]" };
const SHA = "a".repeat(40);
const alice = { id: 1, login: "alice", type: "User" };
const bot = { id: 9, login: "sallyport[bot]", type: "Bot" };
const renovate = { id: 8, login: "renovate[bot]", type: "Bot" };
const repository = { id: 5, name: "app", owner: { login: "acme" }, private: false, default_branch: "main" };
const end = { ref: "topic", sha: SHA, repo: { id: 5 } };
const pull = { number: 2, title: "A change", body: "Words.", user: alice, head: end, base: { ...end, ref: "main" }, draft: false };
const event = (action: string, more: object = {}, of: object = {}): object => ({
  action,
  installation: { id: 3 },
  repository,
  sender: alice,
  pull_request: { ...pull, ...of },
  ...more,
});
const ask = (name: string, payload: object) => toRunRequest(name, "d-1", payload, identity);
const UNASKED = { trigger: "review", unasked: true, quiet: true, thread: { kind: "pull-request", number: 2 }, pull: { headSha: SHA } };

describe("a pull request is reviewed unasked", () => {
  test.each(["opened", "reopened", "ready_for_review", "synchronize"])("when it is %s", (action) => {
    expect(ask("pull_request", event(action))).toMatchObject(UNASKED);
  });
  test("when a person pushes to one of the bot's own", () => {
    expect(ask("pull_request", event("synchronize", {}, { user: bot }))).toMatchObject(UNASKED);
  });
  test("marked as another bot's, whoever pushes to it", () => {
    expect(ask("pull_request", event("synchronize", {}, { user: renovate }))).toMatchObject({ ...UNASKED, byBot: true });
    expect(ask("pull_request", event("opened", { sender: renovate }, { user: renovate }))).toMatchObject({ ...UNASKED, byBot: true });
  });
});

test("one whose own text mentions the bot asks for what it says", () => {
  const made = ask("pull_request", event("opened", {}, { body: "@sallyport add a test" }));
  expect(made).toMatchObject({ trigger: "mention", orReview: {} });
  expect(made).not.toHaveProperty("unasked");
});

test.each<[string, object, object]>([
  ["a draft, which is reviewed later", { draft: true }, {}],
  ["an issue's words, which ask for no review", {}, { issue: true }],
])("nothing but what it says comes of %s", (_, of, { issue }: { issue?: boolean }) => {
  const made =
    issue === true
      ? ask("issues", event("opened", { pull_request: undefined, issue: { number: 3, title: "", body: "@sallyport look", user: alice } }))
      : ask("pull_request", event("opened", {}, { ...of, body: "@sallyport add a test" }));
  expect(made).toMatchObject({ trigger: "mention" });
  expect(made).not.toHaveProperty("orReview");
});

test("the review that may come instead knows whose pull request it is", () => {
  const of = { user: renovate, body: "@sallyport merge", labels: [{ name: "deps" }] };
  expect(ask("pull_request", event("opened", { sender: renovate }, of))).toMatchObject({
    trigger: "mention",
    orReview: { byBot: true, labels: ["deps"] },
  });
});

test("a merge group is answered without a thread, whoever made it", () => {
  const made = (sender: object | null) =>
    ask(
      "merge_group",
      event("checks_requested", { pull_request: undefined, sender, merge_group: { head_sha: SHA, head_ref: "refs/heads/x" } }),
    );
  for (const sender of [alice, renovate, null])
    expect(made(sender)).toMatchObject({
      trigger: "review",
      unasked: true,
      quiet: true,
      thread: { kind: "none" },
      mergeGroup: { headSha: SHA },
    });
  expect(ask("merge_group", event("destroyed", { pull_request: undefined, merge_group: { head_sha: SHA } }))).toHaveProperty("ignored");
});

test.each<[string, string, object]>([
  ["a draft", "opened", event("opened", {}, { draft: true })],
  ["the bot's own pull request", "opened", event("opened", { sender: alice }, { user: bot })],
  ["the bot's own, made ready by a person", "ready_for_review", event("ready_for_review", {}, { user: bot })],
  ["the bot's own push", "synchronize", event("synchronize", { sender: bot })],
  ["an archived repository", "opened", event("opened", { repository: { ...repository, archived: true } })],
  ["a closed one", "closed", event("closed")],
  ["an edited one", "edited", event("edited")],
])("%s is not reviewed", (_, __, payload) => {
  expect(ask("pull_request", payload)).toHaveProperty("ignored");
});

describe("a pull request that gets a label", () => {
  const labelled = (name: string | undefined, of: object = {}): object =>
    event("labeled", name === undefined ? {} : { label: { name } }, of);
  test("is reviewed where that is the label it must bear, which is asked later", () => {
    const made = ask("pull_request", labelled("Review me", { labels: [{ name: "Review me" }, { name: "bug" }] }));
    expect(made).toMatchObject({ ...UNASKED, pointed: { by: "label", name: "Review me" }, labels: ["Review me", "bug"] });
  });
  test.each<[string, object]>([
    ["the label is gone", labelled(undefined)],
    ["it is closed", labelled("review", { state: "closed" })],
    ["it is a draft", labelled("review", { draft: true })],
  ])("is not, when %s", (_, payload) => {
    expect(ask("pull_request", payload)).toHaveProperty("ignored");
  });
});

describe("a check that is asked for again", () => {
  const check = { head_sha: SHA, app: { id: 77 }, pull_requests: [{ number: 2, head: { sha: SHA } }] };
  const again = (more: object = {}): object =>
    event("rerequested", { pull_request: undefined, check_run: { ...check, name: "sallyport", ...more } });
  test("reviews that head again, for who may ask", () => {
    const made = ask("check_run", again());
    expect(made).toMatchObject({ trigger: "review", quiet: true, onlyHead: SHA, actor: { login: "alice" }, thread: { number: 2 } });
    expect(made).not.toHaveProperty("unasked");
  });
  test("of a fork's pull request, which GitHub does not name, by what the check bears", () => {
    const external = (id: string) => ask("check_run", again({ pull_requests: [], external_id: id }));
    expect(external(`${"0".repeat(26)}/12`)).toMatchObject({ trigger: "review", thread: { kind: "pull-request", number: 12 } });
    for (const id of ["12", `${"0".repeat(26)}/merge-group`, `${"0".repeat(26)}/012`, `${"0".repeat(26)}/1/2`, "../../12"])
      expect(external(id)).toHaveProperty("ignored");
  });
  test("as one of the whole suite", () => {
    expect(ask("check_suite", event("rerequested", { pull_request: undefined, check_suite: check }))).toMatchObject({ trigger: "review" });
  });
  test.each<[string, object]>([
    ["another App's", { app: { id: 78 } }],
    ["another check of the bot's", { name: "sallyport/gate" }],
    ["of a head that has moved on", { pull_requests: [{ number: 2, head: { sha: "b".repeat(40) } }] }],
    ["of no pull request", { pull_requests: [] }],
  ])("starts nothing when it is %s", (_, more) => {
    expect(ask("check_run", again(more))).toHaveProperty("ignored");
  });
});
