import { describe, expect, test } from "vitest";
import { settingsOf } from "../../../../src/config/settings.ts";
import { AttemptError } from "../../../../src/core/errors.ts";
import type { JournalEntry } from "../../../../src/core/journal.ts";
import { silent } from "../../../../src/core/log.ts";
import { memoryJournal } from "../../../../src/core/memory-journal.ts";
import type { CheckRun, Operation } from "../../../../src/core/operation.ts";
import { GitHubError } from "../../../../src/github/errors.ts";
import { planReading } from "../../../../src/review/read/plan-reading.ts";
import type { Report } from "../../../../src/runs/report.ts";
import type { RunContext } from "../../../../src/runs/run-context.ts";
import { openCheckVoice, type ReviewState } from "../../../../src/runs/review/check-voice.ts";
import type { Reading } from "../../../../src/runs/review/reading.ts";
import type { SubmitOptions } from "../../../../src/runs/submit.ts";
import { added, diffFile } from "../../review/files.ts";
import { policy } from "../../text/outgoing/fixtures.ts";
import { mention } from "../../store/requests.ts";

const HEAD = "a".repeat(40);
const REPORT: Report = {
  runId: "run-1",
  end: "done",
  summary: "It was read.",
  answer: "",
  findings: [],
  turns: 1,
  usage: { input: 1, output: 1, cached: 0 },
  elapsedMs: 1000,
  sandbox: "strong",
};
/** What a review has read, in a form that nobody can make words of. */
const UNREADABLE = { plan: undefined } as unknown as Reading;

/** Brings a review's check run to its end; `answer` may throw at a submission, by its key. */
async function finish({
  state = {},
  required = false,
  report = REPORT,
  answer = () => undefined,
  rows = [],
}: {
  readonly state?: ReviewState;
  readonly required?: boolean;
  readonly report?: Report;
  readonly answer?: (key: string) => void;
  /** What else the journal has. */
  readonly rows?: readonly JournalEntry[];
}) {
  const said: CheckRun[] = [];
  const pin = { commit: HEAD, base: { ref: "main", sha: HEAD } };
  const context = {
    run: { id: "run-1" },
    request: mention({ trigger: "review", thread: { kind: "pull-request", number: 5 } }),
    settings: settingsOf([{ review: { enabled: true, required } }]),
    journal: memoryJournal([{ kind: "phase", phase: "authorize", result: { pin, profile: "read" } }, ...rows]),
    outgoing: policy,
    signal: new AbortController().signal,
    log: silent,
    submit: async (operation: Operation, { key }: SubmitOptions) => {
      answer(key);
      if (operation.kind === "check-run") said.push(operation);
      return { status: "done", decision: { verdict: "allow", findings: [] }, outcome: { operation: "check-run", id: 70 } };
    },
  } as unknown as RunContext;
  const voice = await openCheckVoice(context, { state, webUrl: "https://github.com" });
  await voice.finish(report);
  return said.map(({ checkRunId, status, conclusion, title }) => [checkRunId, status, conclusion, title]);
}

describe("a check run whose last words cannot be put together", () => {
  test.each([
    ["neutral", { required: false }],
    ["failure", { required: true }],
    ["cancelled", { report: { ...REPORT, end: "cancelled" } }],
  ] as const)("is completed all the same, plainly, as %s", async (conclusion, more) => {
    expect(await finish({ state: { reading: UNREADABLE }, ...more })).toEqual([
      [undefined, "in_progress", undefined, "Reviewing"],
      [70, "completed", conclusion, "The review has ended; what came of it could not be told"],
    ]);
  });

  test("of which GitHub takes only an annotation not keeps its words", async () => {
    const answer = (key: string): void => {
      if (key === "check-end") throw new GitHubError("Invalid request. annotations", { code: "validation" });
    };
    const call = {
      id: "c1",
      name: "gh_review_pr",
      arguments: JSON.stringify({ number: 5, body: "Mine.", comments: [{ path: "a.js", line: 1, body: "Wrong." }] }),
    };
    const turn = { kind: "turn", turn: 1, message: { role: "assistant", text: "", calls: [call] }, usage: REPORT.usage, model: "m" };
    const lost = {
      kind: "tool-result",
      turn: 1,
      callId: "c1",
      tool: "gh_review_pr",
      result: { status: "error", text: "GitHub took it in no form." },
    };
    const files = [diffFile("a.js", added(["one"]))];
    const reading = { files, plan: planReading(files, { whySkipped: () => undefined, partSize: 1000, mostParts: 2 }) };
    expect((await finish({ state: { reading }, rows: [turn, lost] as never, answer })).at(-1)).toMatchObject([
      70,
      "completed",
      "neutral",
      expect.stringContaining("its remarks stand here"),
    ]);
  });

  test("since GitHub takes them in no form is completed plainly", async () => {
    const answer = (key: string): void => {
      if (key === "check-end") throw new GitHubError("Validation Failed", { code: "validation" });
    };
    expect((await finish({ answer })).at(-1)).toMatchObject([70, "completed", "neutral", expect.stringContaining("could not be told")]);
  });

  test.each([
    ["the run is another worker's", new AttemptError("lost", { code: "stale-attempt" })],
    ["another try may mend it", new GitHubError("no answer", { code: "unreachable" })],
    ["checks may not be written", new GitHubError("not accessible", { code: "missing-permission" })],
  ])("is left to others where %s", async (_, error) => {
    const keys: string[] = [];
    const answer = (key: string): void => {
      keys.push(key);
      if (key === "check-end") throw error;
    };
    await expect(finish({ answer })).rejects.toBe(error);
    expect(keys).toEqual(["check", "check-end"]);
  });
});
