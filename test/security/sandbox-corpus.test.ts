import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChangeSet } from "../../src/core/change-set.ts";
import { runShell } from "../../src/tools/repo/run-shell.ts";
import { UnpublishableError } from "../../src/workspace/change-set.ts";
import { checkOut } from "../../src/workspace/check-out.ts";
import { probeSandbox } from "../../src/workspace/sandbox/probe.ts";
import type { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { commit, gateWith, run } from "../unit/gate/fixtures.ts";
import { answerOf, contextFor } from "../unit/tools/folder-workspace.ts";
import { temporaryFolder } from "../unit/workspace/git-host.ts";
import { makeOrigin, openTestOrigin } from "../unit/workspace/opened.ts";
import type { Opened } from "../unit/workspace/opened.ts";
import type { Row } from "../../packages/write-path-corpus/src/rows.ts";
import {
  FILES,
  FILES_BEFORE,
  HARMLESS,
  NOT_PLAYED,
  PROGRAMS,
  SECONDS,
  SEVERAL,
  SHOWS,
  commandOf,
  lacking,
  shellRows,
} from "./sandbox-rows.ts";
import { openStage, processesIn, processesLeftIn } from "./sandbox-stage.ts";
import type { Stage } from "./sandbox-stage.ts";

const PATH = process.env["PATH"] ?? "/usr/bin:/bin";
const temporary = temporaryFolder();
const before = { ...process.env };
let stage: Stage;
let opened: Opened;
let sandbox: Sandbox | undefined;
let reason = "";
let programs: ReadonlySet<string>;

beforeAll(async () => {
  stage = await openStage();
  Object.assign(process.env, stage.environment);
  ({ sandbox, reason } = await probeSandbox({ path: PATH }));
  opened = await openTestOrigin(temporary.path, makeOrigin(temporary.path, [FILES_BEFORE, FILES]));
  // The rows' own workspaces have nowhere to fetch from.
  await opened.workspace.git.log({ limit: 2 });
  const command = `for name in ${PROGRAMS.join(" ")}; do command -v $name > /dev/null && echo $name; done; true`;
  const found = await sandbox?.run({ command, workspace: opened.workspace.directory, timeoutMs: 10_000 });
  programs = new Set(found?.output.split("\n"));
});
afterAll(async () => {
  for (const name of Object.keys(stage.environment)) delete process.env[name];
  Object.assign(process.env, before);
  await opened[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
  temporary.remove();
});

/** What a command made of its workspace, and whether the gate lets that through. */
interface Published {
  readonly status: "published" | "refused";
  readonly changes: ChangeSet;
}

interface Played {
  /** What the model reads. */
  readonly answer: string;
  readonly published: Published;
  /** What got out, in words. */
  readonly escaped: readonly string[];
}

/** Runs a row's command in a workspace of its own and looks what came of it, inside and outside. */
async function play(row: Row, runner: Sandbox): Promise<Played> {
  const name = `row-${randomUUID()}`;
  const directory = join(stage.workspaces, name);
  const workspace = await checkOut({ store: opened.store, commit: opened.commit, directory });
  try {
    const outside = stage.outside();
    stage.arrived();
    const args = { command: commandOf(row, stage.aims), timeout_s: SECONDS[row.id] ?? 10 };
    let output = "";
    const watched: Sandbox = {
      ...runner,
      async run(command) {
        const result = await runner.run(command);
        ({ output } = result);
        return result;
      },
    };
    const answer = await answerOf(runShell, args, contextFor({ workspace, sandbox: watched }));
    const left = await processesLeftIn(name);
    for (const id of left) process.kill(id, "SIGKILL");
    const published = await publish(workspace);
    const after = stage.outside();
    const changed = [...new Set([...Object.keys(outside), ...Object.keys(after)])].filter((path) => outside[path] !== after[path]);
    // What is refused must hold no secret either: it was within the command's reach.
    const files = [...published.changes.blobs.values()].map((bytes) => Buffer.from(bytes).toString("latin1"));
    const escaped = [
      ...stage.secretsIn(output + answer).map((secret) => `the answer holds ${secret}`),
      ...files.flatMap((text) => stage.secretsIn(text)).map((secret) => `a file holds ${secret}`),
      ...stage.arrived().map((kind) => `${kind} was reached`),
      ...changed.map((path) => `${path} was changed`),
      ...left.map((id) => `a process (${id}) is left`),
    ];
    return { answer, published, escaped };
  } finally {
    await workspace.dispose();
  }
}

async function publish(workspace: Workspace): Promise<Published> {
  const held = stage.secrets.get("the environment") ?? "";
  const gate = gateWith({ heldSecrets: () => [held], basePaths: () => workspace.basePaths() });
  try {
    const changes = await workspace.changeSet();
    if (changes.changes.length === 0) return { status: "published", changes };
    const { decision } = await gate.judge(commit(undefined, { changes }), run);
    return { status: decision.verdict === "allow" ? "published" : "refused", changes };
  } catch (error) {
    if (error instanceof UnpublishableError) return { status: "refused", changes: error.comparable };
    throw error;
  }
}

const pathsOf = ({ status, changes }: Published): readonly string[] =>
  status === "refused" ? [] : changes.changes.map(({ path }) => path);

/** Why an attack is not held; nothing when it is. */
function faultsOf(row: Row, { answer, published, escaped }: Played): readonly string[] {
  const hostile = row.expect === "BLOCK" ? pathsOf(published).filter((path) => HARMLESS[row.id]?.includes(path) !== true) : [];
  return [
    ...escaped,
    ...hostile.map((path) => `${path} would be published`),
    ...(answer.includes("\u001b") ? ["a control character reaches the model"] : []),
    ...(SHOWS[row.id]?.test(answer) === false ? [`nothing was tried: ${answer.slice(0, 200)}`] : []),
  ];
}

interface Score {
  held: number;
  attacks: number;
  passed: number;
  benign: number;
}
const scores = new Map<string, Score>();
const missing = new Map<string, string[]>();
const scoreOf = (area: string): Score => {
  const score = scores.get(area) ?? { held: 0, attacks: 0, passed: 0, benign: 0 };
  scores.set(area, score);
  return score;
};

/** The sandbox for a row, or undefined where it cannot be played. What is missing is written down. */
function runnerFor(row: Row): Sandbox | undefined {
  const { id } = row;
  const program = lacking(commandOf(row, stage.aims), programs);
  const partly = program !== undefined && SEVERAL.has(id);
  const needs =
    sandbox === undefined ? `a sandbox (${reason})` : (NOT_PLAYED[id] ?? (partly ? `${program} (the rest was played)` : program));
  if (needs !== undefined) missing.set(needs, [...(missing.get(needs) ?? []), id]);
  return needs === undefined || partly ? sandbox : undefined;
}

const named = (file: "attacks" | "benign") => shellRows(file).map((row) => [row.id, row.why, row] as const);

describe("a command of the corpus of attacks", () => {
  it.each(named("attacks"))("%s: %s", async (id, _, row) => {
    const runner = runnerFor(row);
    if (runner === undefined) return;
    const score = scoreOf(row.area);
    score.attacks++;
    const played = await play(row, runner);
    const faults = faultsOf(row, played);
    if (faults.length === 0) score.held++;
    expect(faults, `${id} answered ${played.answer.slice(0, 1000)}`).toEqual([]);
  });
});

/** The changes that ordinary work leaves. */
const LEAVES: Readonly<Record<string, readonly string[]>> = { "ok-shell-005": ["src/new/b.ts", "src/old.ts"] };

describe("a command of the corpus of what must pass", () => {
  it.each(named("benign"))("%s: %s", async (id, _, row) => {
    const runner = runnerFor(row);
    if (runner === undefined) return;
    const score = scoreOf(row.area);
    score.benign++;
    const played = await play(row, runner);
    expect(played.answer).not.toMatch(/^\[(error|blocked)\]/);
    expect(faultsOf(row, played)).toEqual([]);
    expect(played.published).toMatchObject({ status: "published" });
    expect(pathsOf(played.published)).toEqual(LEAVES[id] ?? []);
    score.passed++;
  });
});

/** The machine itself, with the server's environment: what the sandbox must keep commands from. */
const bare: Sandbox = {
  backend: "util-linux",
  level: "partial",
  run: ({ command, workspace }) =>
    new Promise((resolve) => {
      // Its output goes to a pipe that a left process would hold open.
      const script = `{ ${command}\n} > .output 2>&1; cat .output; rm .output`;
      execFile("sh", ["-c", script], { cwd: workspace, encoding: "utf8", timeout: 8000 }, (_, output) =>
        resolve({ exitCode: 0, ended: "exited", output, omittedBytes: 0, durationMs: 0 }),
      );
    }),
};

describe("without a sandbox the same commands get out, and that is seen", () => {
  it.for<readonly [string, string | RegExp]>([
    ["shell-001", "the answer holds the environment"],
    ["shell-008", "tcp was reached"],
    ["shell-015", "tcp was reached"],
    ["shell-016", "a unix socket was reached"],
    ["shell-019", "the answer holds ~/.npmrc"],
    ["shell-023", /github_path was changed$/],
    ["shell-028", /index\.js was changed$/],
    ["shell-029", "the answer holds work/other-job/.git/config"],
    ["shell-047", "a unix socket was reached"],
    ["deps-033", "tcp was reached"],
    ["git-017", "tcp was reached"],
    ["shell-030", /^a process \(\d+\) is left$/],
    ["link-007", /secret\.txt was changed$/],
  ])("%s", async ([id, expected], { skip }) => {
    const row = shellRows("attacks").find((one) => one.id === id);
    if (row === undefined) throw new TypeError(`The corpus has no row ${id}.`);
    const program = sandbox === undefined ? undefined : lacking(commandOf(row, stage.aims), programs);
    if (program !== undefined) return skip(`${id} needs ${program}`);
    const { escaped } = await play(row, bare);
    expect(escaped).toContainEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
    return undefined;
  });

  it("sees a process in the sandbox from outside", async ({ skip }) => {
    if (sandbox === undefined) return skip(reason);
    const name = `row-${randomUUID()}`;
    const workspace = await checkOut({ store: opened.store, commit: opened.commit, directory: join(stage.workspaces, name) });
    const stop = new AbortController();
    const running = sandbox.run({ command: "sleep 60", workspace: workspace.directory, timeoutMs: 60_000, signal: stop.signal });
    await expect.poll(() => processesIn(name).length, { timeout: 5000 }).toBeGreaterThan(0);
    stop.abort();
    await running;
    expect(await processesLeftIn(name)).toEqual([]);
    await workspace.dispose();
    return undefined;
  });
});

afterAll(() => {
  const byName = (a: readonly [string, unknown], b: readonly [string, unknown]): number => a[0].localeCompare(b[0]);
  const rows = [...scores]
    .toSorted(byName)
    .map(
      ([area, { held, attacks, passed, benign }]) =>
        `  ${area.padEnd(12)} attacks held ${held}/${attacks}, benign passed ${passed}/${benign}`,
    );
  const rest = [...missing].toSorted(byName).map(([needs, ids]) => `  ${needs}: ${ids.join(" ")}`);
  process.stdout.write(
    `\nscorecard of commands (${reason})\n${rows.join("\n")}\nnot played here, or not whole, by what is missing\n${rest.join("\n")}\n`,
  );
});
