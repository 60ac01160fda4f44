import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileSettings } from "../../../src/config/file-schema.ts";
import { settingsOf } from "../../../src/config/settings.ts";
import type { Journal, JournalEntry } from "../../../src/core/journal.ts";
import { silent } from "../../../src/core/log.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import type { Run, RunEnd, RunRequest } from "../../../src/core/run.ts";
import { holdSecrets } from "../../../src/core/secrets.ts";
import { createGate, type GateOptions } from "../../../src/gate/create-gate.ts";
import { createLedger } from "../../../src/gate/mint.ts";
import { defaultPolicy } from "../../../src/gate/policy.ts";
import { createGitHubApp } from "../../../src/github/client.ts";
import { systemClock } from "../../../src/github/clock.ts";
import { createMarkers } from "../../../src/github/marker.ts";
import { createSteps } from "../../../src/runs/execute.ts";
import { createScopes } from "../../../src/runs/scopes.ts";
import { startEmbeddedGitHub, type EmbeddedGitHub } from "../../../src/testing/index.ts";
import { createTools } from "../../../src/tools/registry.ts";
import { openGit } from "../../../src/workspace/git.ts";
import type { Sandbox, SandboxCommand } from "../../../src/workspace/sandbox/sandbox.ts";
import { scanSearch } from "../../../src/workspace/search/scan.ts";
import { openStores } from "../../../src/workspace/store.ts";
import { scripted, type ModelDouble, type Script } from "../agent/doubles.ts";

export const REPOSITORY = "acme/widgets";
export const FILES = { "README.md": "# Widgets\n", "src/sum.js": "export const sum = (a, b) => a - b\n" };
/** A repository that knows how to test itself. */
export const TESTED = { ...FILES, "package.json": '{"scripts":{"test":"node --test"}}\n' };

/** Carries out a command in the workspace, in this process. */
export type Command = (command: SandboxCommand) => string | Promise<string> | void;

export interface BenchOptions {
  readonly script: Script;
  readonly files?: Readonly<Record<string, string>>;
  /** What `run_shell` and the tests do; without it there is no sandbox. What it throws is a failing command. */
  readonly sandbox?: Command;
  /** What the server's file says. */
  readonly settings?: FileSettings;
  /** Over the usual gate's. */
  readonly gate?: Partial<GateOptions>;
}

/** One attempt at a run. */
interface AttemptOptions {
  readonly journal?: Journal;
  readonly attempt?: number;
  readonly signal?: AbortSignal;
}

/** The phases of a run as the engine calls them, over an embedded GitHub, a real checkout and a real gate; the journal is in memory. */
export interface Bench extends AsyncDisposable {
  readonly github: EmbeddedGitHub;
  readonly model: ModelDouble;
  /** What stands in the folder of workspaces. */
  workspaces(): Promise<readonly string[]>;
  /** A request of alice on a new issue, or on the pull request that is given. */
  ask(text: string, pull?: number): Run;
  /** Lets the run in and works on it. */
  attempt(run: Run, options?: AttemptOptions): Promise<RunEnd | "drop">;
  abandon(run: Run, journal: Journal, error: unknown): Promise<void>;
  /** The bot's comments on the run's thread. */
  comments(run: Run): readonly string[];
}

export async function openBench({ script, files = FILES, sandbox, settings = {}, gate = {} }: BenchOptions): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-bench-"));
  const github = await startEmbeddedGitHub({ directory: join(folder, "github") });
  const repository = github.addRepository(REPOSITORY, { files, permissions: { alice: "write" } });
  const alice = github.addUser("alice");
  const ledger = createLedger();
  const scopes = createScopes();
  const secrets = holdSecrets([github.webhookSecret]);
  // Pauses are kept in their order, not in their length.
  const sleep = (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 20), signal);
  const app = createGitHubApp({
    sleep,
    baseUrl: github.apiUrl,
    appId: github.appId,
    privateKey: github.privateKey,
    ledger,
    log: silent,
  });
  const markers = createMarkers(github.privateKey);
  const path = process.env["PATH"] ?? "";
  const model = scripted(script);
  const workspaces = join(folder, "data", "workspaces");
  const steps = createSteps({
    github: app,
    gate: createGate({
      policy: defaultPolicy,
      scope: scopes.of,
      basePaths: scopes.basePaths,
      heldSecrets: secrets.values,
      webUrl: github.origin,
      isOwnMarker: (marker, { id }) => markers.read(marker)?.run === id,
      ledger,
      log: silent,
      ...gate,
    }),
    scopes,
    markers,
    links: { origin: github.origin },
    stores: openStores({ git: openGit({ path }), folder: join(folder, "data", "stores"), path }),
    workspaces,
    models: () => model,
    tools: createTools({ sandbox: sandbox !== undefined, search: scanSearch() }),
    ...(sandbox === undefined ? {} : { sandbox: sandboxOf(sandbox) }),
    settings: settingsOf([settings]),
    server: settings,
    mask: secrets.mask,
    log: silent,
  });
  let asked = 0;
  return {
    github,
    model,
    workspaces: () => readdir(workspaces),
    ask(text, pull) {
      asked += 1;
      const thread = pull ?? github.addIssue(REPOSITORY, { title: "sum subtracts", body: "It does.", user: "alice" }).number;
      const comment = github.addComment(REPOSITORY, thread, { body: `@sallyport ${text}`, user: "alice" });
      const { id, owner, name, isPrivate, defaultBranch } = repository;
      const request: RunRequest = {
        trigger: "mention",
        deliveryId: `delivery-${asked}`,
        repository: { id, owner, name, isPrivate, defaultBranch, installationId: github.installationId },
        thread: { kind: pull === undefined ? "issue" : "pull-request", number: thread },
        actor: { id: alice.id, login: "alice", isBot: false },
        source: { kind: "issue-comment", id: comment.id },
        title: "sum subtracts",
        body: "It does.",
        text,
      };
      return { id: `run-${asked}`, request, state: "queued", attempt: 1, createdAt: new Date() };
    },
    async attempt(run, { journal = memoryJournal(), attempt = 1, signal = new AbortController().signal } = {}) {
      const taken = { ...run, attempt };
      if ((await steps.accept(taken, journal, signal)) === "drop") return "drop";
      return steps.execute(taken, journal, signal);
    },
    abandon: (run, journal, error) => steps.abandon(run, journal, error),
    comments: ({ request }) =>
      github
        .comments(REPOSITORY, request.thread.number)
        .filter(({ user }) => user === github.botLogin)
        .map(({ body }) => body),
    async [Symbol.asyncDispose]() {
      await github.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function sandboxOf(command: Command): Sandbox {
  return {
    backend: "bubblewrap",
    level: "strong",
    async run(options) {
      const result = { ended: "exited", omittedBytes: 0, durationMs: 1 } as const;
      try {
        return { ...result, exitCode: 0, output: (await command(options)) ?? "" };
      } catch (error) {
        if (options.signal?.aborted === true) return { ...result, ended: "aborted", exitCode: undefined, output: "" };
        return { ...result, exitCode: 1, output: String(error) };
      }
    },
  };
}

/** What a process that is killed leaves to the next one: its journal up to a row. */
export interface Mortal extends Journal {
  /** The journal as the next process finds it. */
  survivor(): Journal;
}

/** A journal whose process dies at its row `row` (from 0): just before it is stored, or just after. */
export function mortal(row: number, when: "before" | "after", earlier: Journal = memoryJournal()): Mortal {
  const stored: JournalEntry[] = [...earlier.entries];
  const blobs = new Map<string, Uint8Array>();
  let isDead = false;
  const entries: JournalEntry[] = [...stored];
  return {
    entries,
    append(entry, bytes) {
      if (isDead) return Promise.reject(new KilledError());
      const dies = stored.length === row;
      if (!dies || when === "after") {
        stored.push(entry);
        entries.push(entry);
        for (const [sha, content] of bytes ?? []) blobs.set(sha, content);
      }
      isDead = dies;
      return dies ? Promise.reject(new KilledError()) : Promise.resolve();
    },
    assertCurrent: () => (isDead ? Promise.reject(new KilledError()) : Promise.resolve()),
    blob: async (sha) => blobs.get(sha) ?? earlier.blob(sha),
    survivor() {
      const next = memoryJournal(stored);
      return { ...next, blob: async (sha) => (await next.blob(sha)) ?? blobs.get(sha) ?? earlier.blob(sha) };
    },
  };
}

export class KilledError extends Error {
  override readonly name = "KilledError";
}
