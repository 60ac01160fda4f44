import type { FileSettings } from "../config/file-schema.ts";
import { storable } from "../agent/recorded-answer.ts";
import { messageOf, StaleAttemptError } from "../core/errors.ts";
import { openProxy, type InstallProxy, type ProxyOptions } from "../workspace/sandbox/proxy.ts";
import { runIn } from "../workspace/sandbox/run-in.ts";
import type { Sandbox, SandboxResult } from "../workspace/sandbox/sandbox.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { installedNote, installNote, installSentence, type FailedInstall } from "./install-note.ts";
import type { RunContext } from "./run-context.ts";
import type { TestPlan } from "./test-plan.ts";
import { asPinned } from "../workspace/content.ts";

export interface InstallOptions {
  readonly wish: NonNullable<FileSettings["sandbox"]>["install"];
  readonly sandbox: Sandbox | undefined;
  readonly workspace: Workspace;
  readonly tests: TestPlan | undefined;
  /** Absolute folder of the product's own, for the proxy's socket. */
  readonly folder: string;
  /** Takes the values of secrets out of what is journalled. */
  readonly mask: (text: string) => string;
  readonly open?: (options: ProxyOptions) => Promise<InstallProxy>;
}

const TIMEOUT_MS = 10 * 60_000;
const SHOWN = 2000;

/** What each package manager calls an installation that changes no lockfile, by the lockfile. */
const BY_LOCKFILE: readonly (readonly [file: string, command: string])[] = [
  ["package-lock.json", "npm ci"],
  ["npm-shrinkwrap.json", "npm ci"],
  ["pnpm-lock.yaml", "pnpm install --frozen-lockfile"],
  ["yarn.lock", "yarn install --immutable || yarn install --frozen-lockfile"],
];

/**
 * Installs dependencies of the pinned commit, before anything that the run writes is there, with a way out to the operator's hosts alone.
 * What it leaves that git ignores stays in the workspace, all else is put back. A failure is told in the log and, as a note of the
 * journal, to the model and in the report; the run goes on without. Answers the test plan, without its setup where that was the installation.
 */
export async function installDependencies(
  { log, signal, journal }: Pick<RunContext, "log" | "signal" | "journal">,
  { wish, sandbox, workspace, tests, folder, mask, open = openProxy }: InstallOptions,
): Promise<TestPlan | undefined> {
  if (wish === undefined || sandbox === undefined || (sandbox.backend !== "bubblewrap" && sandbox.backend !== "util-linux")) return tests;
  const command = wish.command ?? tests?.setup ?? commandFor(workspace.basePaths());
  if (command === undefined) return tests;
  const note = (text: string): Promise<void> =>
    journal.append({
      kind: "note",
      turn: journal.entries.filter(({ kind }) => kind === "turn").length,
      text: storable(mask(text)),
    });
  let failed: FailedInstall;
  try {
    await using proxy = await open({ hosts: wish.hosts ?? [], folder });
    const options = { command, timeoutMs: TIMEOUT_MS, signal, proxy: proxy.socket };
    const { exitCode, ended, output, durationMs } = await asPinned(workspace, () => runIn(sandbox, workspace, options));
    const fields = { command, durationMs, hosts: hostsOf(proxy, (visit) => visit.refused === undefined) };
    if (exitCode === 0) {
      log.info(fields, "dependencies installed");
      if (installSentence(journal) !== undefined) await note(installedNote(command));
      if (tests === undefined || command !== tests.setup) return tests;
      const { setup: _, ...rest } = tests;
      return rest;
    }
    signal.throwIfAborted();
    const refused = hostsOf(proxy, (visit) => visit.refused !== undefined);
    log.warn({ ...fields, exitCode, ended, refused, output: output.slice(-SHOWN) }, "dependencies could not be installed");
    failed = { command, said: saidOf(ended, exitCode), refused, output };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StaleAttemptError) throw error;
    log.warn({ command, error: messageOf(error) }, "dependencies could not be installed");
    failed = { command, said: "could not be run", refused: [], output: "" };
  }
  // An attempt that fails as the last one did has nothing new to tell.
  const told = installNote(failed);
  if (installSentence({ entries: [{ kind: "note", turn: 0, text: storable(mask(told)) }] }) !== installSentence(journal)) await note(told);
  return tests;
}

function commandFor(paths: Iterable<string>): string | undefined {
  const there = new Set(paths);
  return BY_LOCKFILE.find(([file]) => there.has(file))?.[1];
}

function saidOf(ended: SandboxResult["ended"], exitCode: number | undefined): string {
  if (ended === "timed-out") return `was ended after ${TIMEOUT_MS / 60_000} minutes`;
  return exitCode === undefined ? "was ended" : `failed with exit code ${exitCode}`;
}

function hostsOf({ visits }: InstallProxy, which: (visit: InstallProxy["visits"][number]) => boolean): readonly string[] {
  return [
    ...new Set(visits.filter(which).map(({ host, port, refused }) => `${host}:${port}${refused === undefined ? "" : ` (${refused})`}`)),
  ];
}
