import { expect, test } from "vitest";
import { StaleAttemptError } from "../../../src/core/errors.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import type { Run } from "../../../src/core/run.ts";
import type { ModelRequest } from "../../../src/model/model.ts";
import { createMeters } from "../../../src/telemetry/meters.ts";
import { untraced, type Tracer } from "../../../src/telemetry/tracer.ts";
import { watchFetch, watchModels, watchSteps } from "../../../src/telemetry/watch-ports.ts";
import type { Steps } from "../../../src/runs/worker.ts";
import { mention } from "../store/requests.ts";

const run: Run = { id: "r1", request: mention(), state: "working", attempt: 1, createdAt: new Date() };
const { signal } = new AbortController();

function open(tracer: Tracer = untraced) {
  const count = () => Promise.resolve({ lanes: [], runs: [] });
  const meters = createMeters({ version: "1", role: "all", database: "embedded", count });
  return { watch: { meters, tracer }, lines: async () => (await meters.render()).text.split("\n") };
}

type Watched = Pick<Steps, "accept" | "execute" | "conclude" | "abandon">;
const steps: Watched = {
  accept: () => Promise.resolve("go"),
  execute: () => Promise.resolve("done"),
  conclude: () => Promise.resolve("cancelled"),
  abandon: () => Promise.resolve(),
};

test("a run's end is counted however it comes about, and no run stays at work", async () => {
  const { watch, lines } = open();
  const watched = watchSteps(steps, watch);
  expect(await watched.accept(run, memoryJournal(), signal)).toBe("go");
  expect(await watched.execute(run, memoryJournal(), signal)).toBe("done");
  await watched.conclude(run, memoryJournal(), { kind: "stopped", by: "mona" }, signal);
  await watched.abandon(run, memoryJournal(), new Error("gone"));
  const broken = watchSteps<Watched>({ ...steps, execute: () => Promise.reject(new Error("broken")) }, watch);
  await expect(broken.execute(run, memoryJournal(), signal)).rejects.toThrow("broken");
  expect(await lines()).toEqual(
    expect.arrayContaining([
      ...["done", "cancelled", "failed"].map((state) => `sallyport_runs_ended_total{kind="mention",state="${state}"} 1`),
      "sallyport_runs_at_work 0",
    ]),
  );
});

test("phases are measured by their rows, and rows that are refused are counted", async () => {
  const { watch, lines } = open();
  const journal = memoryJournal();
  const stale = { ...journal, append: () => Promise.reject(new StaleAttemptError("r1", 1)) };
  const watched = watchSteps<Watched>(
    {
      ...steps,
      execute: async (_, given) => {
        await given.append({ kind: "phase", phase: "check-out", result: {} });
        await given.append({ kind: "note", turn: 1, text: "no phase" });
        return "done";
      },
    },
    watch,
  );
  await watched.execute(run, journal, signal);
  expect(journal.entries).toHaveLength(2);
  await expect(watched.execute(run, stale, signal)).rejects.toThrow(StaleAttemptError);
  expect(await lines()).toEqual(
    expect.arrayContaining(['sallyport_run_phase_seconds_count{phase="check-out"} 1', 'sallyport_journal_faults_total{kind="stale"} 1']),
  );
});

test("a model's answers and failures are counted with what they cost, and passed on untouched", async () => {
  const { watch, lines } = open();
  const answer = { text: "", calls: [], broken: [], usage: { input: 3, output: 2, cached: 1 }, model: "m", usd: 0.25 };
  const answers = [Promise.resolve(answer), Promise.reject(new Error("no"))];
  const source = watchModels(
    () => ({ name: "m", contextWindow: 7, complete: () => answers.shift() ?? Promise.reject(new Error("none")) }),
    watch,
  );
  const model = source({});
  expect(model).toMatchObject({ name: "m", contextWindow: 7 });
  const request: ModelRequest = { messages: [], tools: [], signal };
  expect(await model.complete(request)).toBe(answer);
  await expect(model.complete(request)).rejects.toThrow("no");
  expect(await lines()).toEqual(
    expect.arrayContaining([
      'sallyport_model_request_seconds_count{outcome="answered"} 1',
      'sallyport_model_request_seconds_count{outcome="failed"} 1',
      'sallyport_model_tokens_total{kind="output"} 2',
      "sallyport_model_cost_usd_total 0.25",
    ]),
  );
});

test("requests without an answer are counted as such", async () => {
  const { watch, lines } = open();
  const fetched = watchFetch((url) => (url === "good" ? Promise.resolve(new Response("x")) : Promise.reject(new Error("reset"))), watch);
  expect(await (await fetched("good")).text()).toBe("x");
  await expect(fetched("bad", { method: "patch" })).rejects.toThrow("reset");
  expect(await lines()).toEqual(
    expect.arrayContaining([
      'sallyport_github_request_seconds_count{method="GET",status="2xx"} 1',
      'sallyport_github_request_seconds_count{method="PATCH",status="none"} 1',
    ]),
  );
});
