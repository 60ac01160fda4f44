import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEvent, taskFor, wantedOf, type Event } from "../../../action/event.ts";
import { readInputs, type Mode } from "../../../action/inputs.ts";

const user = { id: 7, login: "alice", type: "User" };
const repository = { id: 9, name: "widgets", owner: { login: "acme" }, private: false, default_branch: "main" };
const end = (ref: string) => ({ ref, sha: ref.padEnd(40, "0").replace(/[^0-9a-f]/g, "a"), repo: { id: 9 } });
const pull = { number: 3, title: "sum", body: "", user, head: end("topic"), base: end("main"), draft: false };
const issue = { number: 4, title: "sum", body: "It subtracts.", user };
const comment = (body: string) => ({ action: "created", comment: { id: 5, body, user } });

const PAYLOADS = {
  mention: { ...comment("@sallyport fix this"), issue },
  "mention on a pull request": { ...comment("@sallyport look"), issue: { ...issue, pull_request: {} } },
  chatter: { ...comment("thanks"), issue },
  opened: { action: "opened", pull_request: pull },
  labeled: { action: "labeled", pull_request: pull, label: { name: "x" } },
  draft: { action: "opened", pull_request: { ...pull, draft: true } },
  closed: { action: "closed", pull_request: pull },
  "own pull request": { action: "opened", pull_request: { ...pull, user: { id: 1, login: "github-actions[bot]", type: "Bot" } } },
  "new issue": { action: "opened", issue },
  "labeled issue": { action: "labeled", issue, label: { name: "bug" } },
  time: { schedule: "0 3 * * 1" },
  pushed: { ref: "refs/heads/main" },
} as const;

function wanted(name: string, payload: keyof typeof PAYLOADS, mode: Mode, prompt = "") {
  const event: Event = {
    name,
    payload: { repository, sender: user, ...PAYLOADS[payload] },
    repository: { owner: "acme", name: "widgets" },
    runId: 9001,
    deliveryId: "actions-9001-1",
    actor: { id: 7, login: "alice" },
  };
  return wantedOf(event, readInputs({ INPUT_GITHUB_TOKEN: "t", INPUT_MODE: mode, INPUT_PROMPT: prompt || (mode === "task" ? "Go." : "") }));
}

describe("what the mode makes of an event", () => {
  test.for([
    ["issue_comment", "mention", "auto", "mention on issue 4"],
    ["issue_comment", "mention on a pull request", "auto", "mention on pull-request 4"],
    ["issue_comment", "chatter", "auto", /does not mention @sallyport/],
    ["pull_request", "opened", "auto", "review on pull-request 3"],
    ["pull_request_target", "opened", "auto", "review on pull-request 3"],
    ["pull_request", "draft", "auto", /draft/],
    ["pull_request", "closed", "auto", /pull_request \(closed\) starts nothing/],
    ["pull_request", "own pull request", "auto", /own events/],
    ["push", "pushed", "auto", /the event push starts nothing/],
    ["schedule", "time", "auto", /schedule starts nothing without the input prompt/],
    ["pull_request", "labeled", "review", "review on pull-request 3"],
    ["pull_request", "closed", "review", /mode review needs a pull request.*closed|starts nothing|closed/],
    ["issue_comment", "mention on a pull request", "review", "review on pull-request 4"],
    ["issue_comment", "mention", "review", /mode review needs a pull request, and the event issue_comment/],
    ["issues", "new issue", "review", /mode review needs a pull request, and the event issues/],
    ["schedule", "time", "review", /mode review needs a pull request, and the event schedule/],
    ["issue_comment", "mention", "fix", "mention on issue 4"],
    ["issues", "labeled issue", "fix", "mention on issue 4"],
    ["pull_request", "opened", "fix", /mode fix has nothing to work on in the event pull_request/],
    ["push", "pushed", "fix", /mode fix has nothing to work on in the event push/],
    ["push", "pushed", "task", "task"],
    ["pull_request", "opened", "gate", "gate on pull-request 3"],
    ["pull_request_target", "draft", "gate", "gate on pull-request 3"],
    ["pull_request", "own pull request", "gate", "gate on pull-request 3"],
    ["pull_request", "closed", "gate", /closed/],
    ["issue_comment", "mention", "gate", /mode gate judges pull requests, and the event issue_comment/],
  ] as const)("%s, %s, mode %s: %s", ([name, payload, mode, expected]) => {
    const made = wanted(name, payload, mode);
    const said =
      made.kind === "ignored"
        ? made.why
        : made.kind === "task"
          ? "task"
          : `${made.request.trigger} on ${made.request.thread.kind} ${made.request.thread.number}`;
    if (typeof expected === "string") expect(said).toBe(expected);
    else expect(said).toMatch(expected);
  });

  test.for(["schedule", "workflow_dispatch", "repository_dispatch"])("a prompt makes a task of %s", (name) => {
    expect(wanted(name, "time", "auto", "Write the note.")).toEqual({ kind: "task", prompt: "Write the note." });
  });

  test("a command stays one in mode auto, and is none where the mode says what to do", () => {
    const made = wanted("issue_comment", "mention on a pull request", "review");
    expect(made).toMatchObject({ kind: "run", request: { trigger: "review" } });
    expect(made.kind === "run" && made.request.command).toBeUndefined();
  });
});

test("a task is nobody's wish but the workflow's: no thread, no permission, its first line for a title", () => {
  const event = { deliveryId: "d", payload: {}, actor: { id: 7, login: "alice" } } as unknown as Event;
  const repo = { id: 9, owner: "acme", name: "widgets", isPrivate: false, defaultBranch: "main", installationId: 1 };
  expect(taskFor(event, "Write the note.\nIn two lines.", repo)).toMatchObject({
    trigger: "task",
    thread: { kind: "none", number: 0 },
    actor: { id: 7, login: "alice", isBot: false },
    title: "Write the note.",
    text: "Write the note.\nIn two lines.",
    unasked: true,
    quiet: true,
  });
});

describe("the event file", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "sallyport-event-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (text: string | undefined, over: Readonly<Record<string, string>> = {}) => {
    const file = join(folder, "event.json");
    if (text !== undefined) writeFileSync(file, text);
    return readEvent({
      GITHUB_EVENT_NAME: "push",
      GITHUB_EVENT_PATH: text === undefined ? join(folder, "none") : file,
      GITHUB_REPOSITORY: "acme/widgets",
      ...over,
    });
  };

  test("is read with what the runner says of the run", () => {
    expect(read("{}", { GITHUB_RUN_ID: "42", GITHUB_RUN_ATTEMPT: "2", GITHUB_ACTOR: "alice", GITHUB_ACTOR_ID: "7" })).toEqual({
      name: "push",
      payload: {},
      repository: { owner: "acme", name: "widgets" },
      runId: 42,
      deliveryId: "actions-42-2",
      actor: { id: 7, login: "alice" },
    });
  });

  test.for([
    ["that is missing", undefined, {}, /GITHUB_EVENT_PATH .*cannot be read/],
    ["that is cut off", '{"action":', {}, /GITHUB_EVENT_PATH .*no JSON/],
    ["that is empty", "", {}, /GITHUB_EVENT_PATH .*no JSON/],
    ["that is a list", "[]", {}, /GITHUB_EVENT_PATH .*no object/],
    ["without its variable", "{}", { GITHUB_EVENT_PATH: "" }, /GITHUB_EVENT_PATH is not set/],
    ["without a repository", "{}", { GITHUB_REPOSITORY: "acme" }, /GITHUB_REPOSITORY/],
  ] as const)("%s is one error that names it", ([, text, over, why]) => {
    expect(() => read(text, over)).toThrow(why);
  });
});
