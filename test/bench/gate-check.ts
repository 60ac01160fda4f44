import type { Measured, Target } from "./bench.ts";
import { namedChecks } from "../e2e/pull-requests.ts";
import { FILES, openStage, REPOSITORY, type Stage } from "../e2e/stage.ts";
import { CONFIGURATION_FILE } from "../../src/runs/read-settings.ts";

/** What the gate's check of one pull request took, from the webhook on. */
interface GateCheckCost {
  readonly name: string;
  /** Seconds until the verdict stood on GitHub, the processor time of them, and that of all until the reach stood there as well. */
  readonly verdict: number;
  readonly verdictProcessor: number;
  readonly processor: number;
  /** Requests to GitHub's API, and those that git makes. */
  readonly requests: number;
  readonly git: number;
  readonly conclusion: string;
}

const COUNT = 1000;
/** What it may take at most. */
const LIMITS = { verdict: 5, requests: 6 };

const source = (n: number, change: string): string =>
  [
    `import { part${(n + 1) % COUNT} } from "../part${((n + 1) % COUNT) % 40}/file${(n + 1) % COUNT}.ts";`,
    ...Array.from({ length: 40 }, (_, line) => `export const value${n}_${line} = (a: number) => a * ${n} + ${line === 7 ? change : line};`),
    `export function part${n}(a: number): number {\n  return a > 0 ? a + ${change} : part${(n + 1) % COUNT}(a);\n}`,
    "",
  ].join("\n");
const files = (change: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: COUNT }, (_, n) => [`src/part${n % 40}/file${n}.ts`, source(n, change)]));
const HIDDEN = 'export const level = "user\u202e \u2066// admin\u2069 \u2066"\n';

/** Pull requests of a thousand files each, to a product that has just been started, and to one that knows the repository. */
async function gateCheckCosts(): Promise<readonly GateCheckCost[]> {
  await using stage = await openStage({
    script: [],
    files: { ...FILES, ...files("1"), [CONFIGURATION_FILE]: "gate_check: {code_scanning: true}\nreview: false\n" },
    environment: { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined },
    permissions: {
      contents: "write",
      issues: "write",
      pull_requests: "write",
      checks: "write",
      actions: "read",
      metadata: "read",
      security_events: "write",
    },
  });
  return [
    await costOf(stage, "a line of each of a thousand files", "first", files("2")),
    await costOf(stage, "the same again, the repository being known", "second", files("3")),
    await costOf(
      stage,
      "a hundred findings among a thousand files, told to code scanning as well",
      "third",
      Object.fromEntries(Object.entries(files("4")).map(([path, text], at) => [path, at % 10 === 0 ? text + HIDDEN : text])),
    ),
  ];
}

async function costOf(stage: Stage, name: string, head: string, changed: Readonly<Record<string, string>>): Promise<GateCheckCost> {
  const { github } = stage;
  github.push(REPOSITORY, head, changed);
  const pull = github.openPull(REPOSITORY, { title: name, user: "alice", head });
  const before = github.requests.length;
  // What GitHub writes into the webhook is its own affair.
  const event = github.events.pullRequest(REPOSITORY, pull, { action: "opened", sender: "alice", extra: {} });
  const used = process.cpuUsage();
  const begun = performance.now();
  const { status } = await github.deliver(event);
  if (status >= 300) throw new Error(`the webhook was answered ${status}`);
  const processor = (): number => {
    const { user, system } = process.cpuUsage(used);
    return (user + system) / 1e6;
  };
  let verdict: number | undefined;
  while (verdict === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (namedChecks(stage, "sallyport/gate", pull.headSha).some(({ status }) => status === "completed"))
      verdict = performance.now() - begun;
  }
  const verdictProcessor = processor();
  await stage.idle();
  // What the App asks about itself as it starts is no part of it.
  const sent = github.requests.slice(before).filter(({ path }) => !/^\/app(?:\/hook\/|$)/.test(path));
  const git = sent.filter(({ path }) => /\.git\//.test(path)).length;
  const conclusion = namedChecks(stage, "sallyport/gate", pull.headSha).at(-1)?.conclusion ?? "none";
  return { name, verdict: verdict / 1000, verdictProcessor, processor: processor(), requests: sent.length - git, git, conclusion };
}

/** The costs for people, and beside each what it must not exceed. */
function gateCheckText(costs: readonly GateCheckCost[]): string {
  const rows = costs.map(
    ({ name, verdict, verdictProcessor, processor, requests, git, conclusion }) =>
      `  ${name}: ${conclusion} after ${verdict.toFixed(2)} s (limit ${LIMITS.verdict} s), ${verdictProcessor.toFixed(2)} s of them on the processor with the embedded GitHub, ${processor.toFixed(2)} s with the reach; ${requests} requests (limit ${LIMITS.requests}), and ${git} of git's`,
  );
  return ["\ngate-check: from the webhook to the verdict on a pull request of 1000 files", ...rows].join("\n");
}

export async function bench(): Promise<Measured<readonly GateCheckCost[]>> {
  const costs = await gateCheckCosts();
  return { result: costs, text: gateCheckText(costs) };
}

export const targets: readonly Target<readonly GateCheckCost[]>[] = [
  {
    name: `the gate's check of ${COUNT} files, from the webhook to its verdict`,
    unit: "s",
    atMost: LIMITS.verdict,
    figure: (costs) => Math.max(...costs.map(({ verdict }) => verdict)),
  },
  {
    name: "its requests to GitHub",
    unit: "",
    atMost: LIMITS.requests,
    figure: (costs) => Math.max(...costs.map(({ requests }) => requests)),
  },
];
