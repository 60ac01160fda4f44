import { expect, test } from "vitest";
import type { CheckRun } from "../../../src/core/operation.ts";
import { perform } from "../../../src/github/writer.ts";
import { TIP } from "./change-sets.ts";
import { fakeLedger, loopback, REPOSITORY, sessionOn, type Answer } from "./loopback.ts";

const CHECK: CheckRun = {
  kind: "check-run",
  repository: REPOSITORY,
  name: "sallyport",
  headSha: TIP,
  status: "completed",
  conclusion: "neutral",
  title: "Read",
  summary: "Two files were read.",
  annotations: [{ path: "a.ts", startLine: 3, endLine: 3, level: "warning", message: "This never ends." }],
  externalId: "run-1/check",
};
const LOST: Answer = { status: 502, body: { message: "Bad Gateway" } };
const there = { id: 31, external_id: "run-1/check", html_url: "https://github.com/acme/app/runs/31" };
const standing = { ...there, status: "completed", conclusion: "neutral", output: { title: "Read" } };

interface Row {
  readonly what: string;
  readonly operation: CheckRun;
  /** What GitHub answers to reads after the write's answer was lost. */
  readonly read: (path: string) => unknown;
  readonly writes: number;
}

test.for<Row>([
  { what: "a new one that arrived is found by its id", operation: CHECK, read: () => ({ total_count: 1, check_runs: [there] }), writes: 1 },
  {
    what: "a new one that did not arrive is sent again, beside another of the same name",
    operation: CHECK,
    read: () => ({ total_count: 1, check_runs: [{ ...there, id: 30, external_id: "run-0/check" }] }),
    writes: 2,
  },
  {
    what: "a state that arrived with its annotations is not sent again",
    operation: { ...CHECK, checkRunId: 31 },
    read: (path) => (path.includes("annotations") ? [{ path: "a.ts", start_line: 3, message: "This never ends." }] : standing),
    writes: 1,
  },
  {
    what: "a state whose annotations did not arrive is sent again",
    operation: { ...CHECK, checkRunId: 31 },
    read: (path) => (path.includes("annotations") ? [] : standing),
    writes: 2,
  },
  {
    what: "another state than the one that stands there is sent again",
    operation: { ...CHECK, checkRunId: 31 },
    read: () => ({ ...standing, status: "in_progress", conclusion: null }),
    writes: 2,
  },
])("when the answer is lost, $what", async ({ operation, read, writes }) => {
  let isFirst = true;
  await using github = await loopback(({ method, path }) => {
    if (method === "GET") return { status: 200, body: read(path) };
    const answer = isFirst ? LOST : { status: 201, body: there };
    isFirst = false;
    return answer;
  });
  const ledger = fakeLedger();
  const made = await perform(operation, { session: sessionOn(github.baseUrl, ledger), mint: ledger.mint, once: (step) => step.send() });
  expect(made).toMatchObject({ operation: "check-run", id: 31 });
  expect(github.lines().filter((line) => !line.startsWith("GET"))).toHaveLength(writes);
});
