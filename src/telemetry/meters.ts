import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Usage } from "../core/conversation.ts";
import type { Decision } from "../core/result.ts";
import type { Phase, RunEnd, Trigger } from "../core/run.ts";
import { boundedLabel } from "./bounded-label.ts";

/** Values of one label that stand for themselves. */
const MOST_VALUES = 40;
/** Seconds. */
const REQUEST_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const MODEL_BUCKETS = [0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];
const PHASE_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 1800];

/** Jobs of one lane in one state, and the age in seconds of the oldest that could be taken. */
export interface LaneCount {
  readonly lane: string;
  readonly state: string;
  readonly jobs: number;
  readonly oldestSeconds: number;
}

/** What all processes together have to do, as the database says. */
export interface Counts {
  readonly lanes: readonly LaneCount[];
  readonly runs: readonly { readonly kind: string; readonly state: string; readonly runs: number }[];
}

export interface MetersOptions {
  readonly version: string;
  readonly role: string;
  readonly database: string;
  /** Asked when the metrics are; a failure makes `sallyport_database_up` 0 and leaves the rest. */
  readonly count: () => Promise<Counts>;
  /** Events that observers of extensions have missed so far, by the event's name. */
  readonly dropped?: () => ReadonlyMap<string, number>;
}

/** What a process counts of its own work. None of it throws, and no label holds a name of a repository or a person. */
export interface Meters {
  /** A request to the webhook path; `answer` is the HTTP status. */
  delivery(event: string, answer: number): void;
  /** A request for a run that was stored, or was there already. */
  request(kind: Trigger, status: "accepted" | "duplicate"): void;
  /** A failed delivery that GitHub was asked for again. */
  redelivery(outcome: "asked" | "refused"): void;
  runStarted(): void;
  runStopped(): void;
  runEnded(kind: Trigger, state: RunEnd): void;
  phase(phase: Phase, seconds: number): void;
  tool(tool: string, status: string): void;
  judged(door: "inner" | "outer", decision: Decision): void;
  gitHub(method: string, status: number | undefined, seconds: number): void;
  model(outcome: "answered" | "failed", seconds: number): void;
  tokens(usage: Usage, usd: number | undefined): void;
  journalFault(kind: "stale" | "failed"): void;
  /** Everything in the text format of Prometheus. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** The metrics of one process, in a registry of their own. */
export function createMeters({ version, role, database, count, dropped: missed = () => new Map() }: MetersOptions): Meters {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `sallyport_${name}`, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: `sallyport_${name}`, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]) =>
    new Histogram({ name: `sallyport_${name}`, help, labelNames, buckets, registers });

  gauge("build_info", "Always 1; what this process is.", ["version", "node", "role", "database"]).set(
    { version, node: process.version, role, database },
    1,
  );
  const deliveries = counter("deliveries_total", "Webhook requests, by event and the class of their answer.", ["event", "answer"]);
  const requests = counter("requests_total", "Requests for runs that were stored (accepted) or known (duplicate).", ["kind", "status"]);
  const redeliveries = counter("redeliveries_total", "Failed deliveries that GitHub was asked for again.", ["outcome"]);
  const atWork = gauge("runs_at_work", "Runs at work in this process.");
  const ended = counter("runs_ended_total", "Runs that ended in this process.", ["kind", "state"]);
  const phases = histogram("run_phase_seconds", "Seconds that each phase of a run took.", ["phase"], PHASE_BUCKETS);
  const tools = counter("tool_calls_total", "Calls of tools, by how they ended.", ["tool", "status"]);
  const decisions = counter("gate_decisions_total", "Decisions of the gate's two doors.", ["door", "verdict"]);
  const findings = counter("gate_findings_total", "What each rule of the gate found.", ["rule", "severity"]);
  const gitHub = histogram(
    "github_request_seconds",
    "Seconds until GitHub answered, by method and class of status.",
    ["method", "status"],
    REQUEST_BUCKETS,
  );
  const model = histogram("model_request_seconds", "Seconds until the model answered, its retries included.", ["outcome"], MODEL_BUCKETS);
  const tokens = counter("model_tokens_total", "Tokens; cached ones are part of the input.", ["kind"]);
  const cost = counter("model_cost_usd_total", "United States dollars, where the price was known.");
  const faults = counter("journal_faults_total", "Journal rows that were refused as stale, or could not be written.", ["kind"]);
  const dropped = counter("events_dropped_total", "Events that a slow observer of an extension was not told of.", ["event"]);
  const up = gauge("database_up", "Whether the database answered just now.");
  const jobs = gauge("queue_jobs", "Jobs of all processes that are not finished.", ["lane", "state"]);
  const oldest = gauge("queue_oldest_seconds", "Age of the oldest job that waits to be taken.", ["lane"]);
  const runs = gauge("runs", "Runs of all processes that have not ended, or wait for people.", ["kind", "state"]);
  const [event, rule, tool] = [boundedLabel(MOST_VALUES), boundedLabel(100), boundedLabel(100)];

  async function collect(): Promise<void> {
    dropped.reset();
    for (const [name, number] of missed()) dropped.inc({ event: event(name) }, number);
    for (const each of [jobs, oldest, runs]) each.reset();
    try {
      const counted = await count();
      up.set(1);
      for (const { lane, state, jobs: number, oldestSeconds } of counted.lanes) {
        jobs.set({ lane, state }, number);
        if (state === "queued") oldest.set({ lane }, oldestSeconds);
      }
      for (const { kind, state, runs: number } of counted.runs) runs.set({ kind, state }, number);
    } catch {
      up.set(0);
    }
  }

  return {
    delivery: (name, answer) => deliveries.inc({ event: event(name), answer: classOf(answer) }),
    request: (kind, status) => requests.inc({ kind, status }),
    redelivery: (outcome) => redeliveries.inc({ outcome }),
    runStarted: () => atWork.inc(),
    runStopped: () => atWork.dec(),
    runEnded: (kind, state) => ended.inc({ kind, state }),
    phase: (phase, seconds) => phases.observe({ phase }, seconds),
    tool: (name, status) => tools.inc({ tool: tool(name), status }),
    judged(door, { verdict, findings: found }) {
      decisions.inc({ door, verdict });
      for (const one of found) findings.inc({ rule: rule(one.rule), severity: one.severity });
    },
    gitHub: (method, status, seconds) => gitHub.observe({ method, status: classOf(status) }, seconds),
    model: (outcome, seconds) => model.observe({ outcome }, seconds),
    tokens({ input, output, cached }, usd) {
      tokens.inc({ kind: "input" }, input);
      tokens.inc({ kind: "output" }, output);
      tokens.inc({ kind: "cached" }, cached);
      if (usd !== undefined) cost.inc(usd);
    },
    journalFault: (kind) => faults.inc({ kind }),
    async render() {
      await collect();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** `2xx` … `5xx`; `none` where there was no answer. */
function classOf(status: number | undefined): string {
  return status === undefined || status === 0 ? "none" : `${Math.floor(status / 100)}xx`;
}
