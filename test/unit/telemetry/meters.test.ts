import { expect, test } from "vitest";
import { boundedLabel } from "../../../src/telemetry/bounded-label.ts";
import { createMeters, type Counts } from "../../../src/telemetry/meters.ts";

const COUNTS: Counts = {
  lanes: [
    { lane: "runs", state: "queued", jobs: 3, oldestSeconds: 12 },
    { lane: "acts", state: "active", jobs: 1, oldestSeconds: 1 },
  ],
  runs: [{ kind: "mention", state: "working", runs: 2 }],
};
const open = (count: () => Promise<Counts> = () => Promise.resolve(COUNTS)) =>
  createMeters({ version: "1.2.3", role: "all", database: "embedded", count, dropped: () => new Map([["run.ended", 4]]) });

test("what the process did and what all of them have to do is told in Prometheus' text format", async () => {
  const meters = open();
  meters.delivery("issue_comment", 202);
  meters.delivery("issue_comment", 503);
  meters.request("mention", "accepted");
  meters.runStarted();
  meters.runEnded("mention", "done");
  meters.judged("outer", { verdict: "block", findings: [{ rule: "secrets", severity: "block", why: "x", fix: "y" }] });
  meters.gitHub("GET", 200, 0.2);
  meters.gitHub("POST", undefined, 30);
  meters.tokens({ input: 10, output: 5, cached: 2 }, 0.5);
  meters.journalFault("stale");
  await meters.render();
  const { contentType, text } = await meters.render();
  expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = text.split("\n");
  for (const line of [
    `sallyport_build_info{version="1.2.3",node="${process.version}",role="all",database="embedded"} 1`,
    'sallyport_deliveries_total{event="issue_comment",answer="2xx"} 1',
    'sallyport_deliveries_total{event="issue_comment",answer="5xx"} 1',
    'sallyport_requests_total{kind="mention",status="accepted"} 1',
    "sallyport_runs_at_work 1",
    'sallyport_runs_ended_total{kind="mention",state="done"} 1',
    'sallyport_gate_decisions_total{door="outer",verdict="block"} 1',
    'sallyport_gate_findings_total{rule="secrets",severity="block"} 1',
    'sallyport_github_request_seconds_count{method="GET",status="2xx"} 1',
    'sallyport_github_request_seconds_count{method="POST",status="none"} 1',
    'sallyport_model_tokens_total{kind="input"} 10',
    "sallyport_model_cost_usd_total 0.5",
    'sallyport_journal_faults_total{kind="stale"} 1',
    'sallyport_events_dropped_total{event="run.ended"} 4',
    "sallyport_database_up 1",
    'sallyport_queue_jobs{lane="runs",state="queued"} 3',
    'sallyport_queue_oldest_seconds{lane="runs"} 12',
    'sallyport_runs{kind="mention",state="working"} 2',
  ])
    expect(lines).toContain(line);
});

test("while the database is away the process still tells of itself, and nothing stale of the queue", async () => {
  let isAway = false;
  const meters = open(() => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(COUNTS)));
  await meters.render();
  isAway = true;
  const { text } = await meters.render();
  expect(text).toContain("sallyport_database_up 0");
  expect(text).not.toContain("sallyport_queue_jobs{");
  expect(text).toContain("sallyport_build_info{");
});

test("events that somebody makes up do not multiply what is told", async () => {
  const meters = open();
  for (let number = 0; number < 500; number += 1) meters.delivery(`made_up_${number}`, 202);
  const { text } = await meters.render();
  expect(text.match(/^sallyport_deliveries_total\{/gm)?.length).toBe(41);
  expect(text).toContain('sallyport_deliveries_total{event="other",answer="2xx"} 460');
});

test("a bounded label knows the values it has taken", () => {
  const label = boundedLabel(2);
  expect(["a", "b", "c", "a", "d"].map(label)).toEqual(["a", "b", "other", "a", "other"]);
});
