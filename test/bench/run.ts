import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { measure, tableOf } from "./bench.ts";
import type { BenchGroup } from "./bench.ts";
import { actionGroups } from "./action.ts";
import { agentGroups } from "./agent.ts";
import { drain, drainText } from "./drain.ts";
import { gateGroups } from "./gate.ts";
import { gateCommandGroups } from "./gate-command.ts";
import { graphGroups } from "./graph.ts";
import { ingressRows, ingressTable } from "./ingress.ts";
import { costTable, reviewCosts, wholeReview } from "./review.ts";
import { sandboxGroups } from "./sandbox.ts";
import { searchGroups } from "./search.ts";
import { workspaceGroups } from "./workspace.ts";

/** Every benchmark, by the name of its file of results. Arguments name those that are wanted; without any, all are run. */
const BENCHES: Readonly<Record<string, () => readonly BenchGroup[] | Promise<readonly BenchGroup[]>>> = {
  action: actionGroups,
  agent: agentGroups,
  search: searchGroups,
  gate: gateGroups,
  "gate-command": gateCommandGroups,
  graph: graphGroups,
  sandbox: sandboxGroups,
  workspace: workspaceGroups,
};

/** A folder of real checkouts, whose last commits are measured as pull requests. */
const checkouts = process.env["SALLYPORT_BENCH_CHECKOUTS"];

const wanted = process.argv.slice(2);
const results = new URL("../../bench/results/", import.meta.url);
mkdirSync(results, { recursive: true });
for (const [name, groupsOf] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const measured: Record<string, unknown> = {};
  for (const group of await groupsOf()) {
    const rows = await measure(group);
    measured[group.name] = rows;
    process.stdout.write(`${tableOf(`${name}: ${group.name}`, rows)}\n`);
  }
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model ?? "unknown" };
  writeFileSync(new URL(`${name}.json`, results), `${JSON.stringify({ machine, groups: measured }, null, 2)}\n`);
}
if (wanted.length === 0 || wanted.includes("review")) {
  const costs = reviewCosts(checkouts);
  const whole = await wholeReview();
  process.stdout.write(`${costTable(costs)}\n`);
  process.stdout.write(
    `\nreview: a whole review of 50 files and ${whole.changed} changed lines: ${whole.tokens} tokens as the scripted server counts them, in ${whole.requests} request\n`,
  );
  writeFileSync(new URL("review.json", results), `${JSON.stringify({ estimate: "characters / 4", costs, whole }, null, 2)}\n`);
}
if (wanted.length === 0 || wanted.includes("ingress")) {
  const rows = await ingressRows();
  process.stdout.write(`${ingressTable(rows)}\n`);
  writeFileSync(new URL("ingress.json", results), `${JSON.stringify({ rows }, null, 2)}\n`);
}
if (wanted.length === 0 || wanted.includes("drain")) {
  const drained = await drain();
  process.stdout.write(drained === undefined ? "\ndrain: not run, PostgreSQL is not installed\n" : `${drainText(drained)}\n`);
  if (drained !== undefined) writeFileSync(new URL("drain.json", results), `${JSON.stringify(drained, null, 2)}\n`);
}
