import type { FileSettings } from "../config/file-schema.ts";
import type { Settings } from "../config/settings.ts";
import { messageOf } from "../core/errors.ts";
import type { Journal, JournalEntry } from "../core/journal.ts";
import type { Logger } from "../core/log.ts";
import type { Finding } from "../core/result.ts";
import type { Phase, Run, RunRequest, RunView } from "../core/run.ts";
import type { Gate } from "../gate/gate.ts";
import { DEFAULT_LINKS, outgoingPolicy, type Links } from "../gate/outgoing.ts";
import type { AdvisorySources } from "../github/advisories.ts";
import type { GitHubApp, GitHubSession } from "../github/client.ts";
import type { Markers } from "../github/marker.ts";
import { createReader, type GitHubReader } from "../github/reader.ts";
import type { ExtensionHost } from "../extensions/host.ts";
import type { BuildGraph } from "../graph/live.ts";
import type { ModelSource } from "../model/open-models.ts";
import type { ReceiptDesk } from "../receipts/desk.ts";
import type { OutgoingPolicy } from "../text/outgoing/policy.ts";
import type { Tool } from "../tools/tool.ts";
import type { Schedules } from "../store/schedules.ts";
import type { Database } from "../store/sql.ts";
import type { Sandbox } from "../workspace/sandbox/sandbox.ts";
import type { Stores } from "../workspace/store.ts";
import type { FaultReports } from "../store/fault-reports.ts";
import { onceWith } from "./once.ts";
import { settingsFrom } from "./run-settings.ts";
import type { Scopes } from "./scopes.ts";
import type { SharedReading } from "./shared-reading.ts";
import { createSubmit, type Submit } from "./submit.ts";

/** What a watcher of the process may see of its runs; observers are lossy. */
export type RunEvent =
  | { readonly kind: "phase"; readonly run: RunView; readonly phase: Phase }
  | { readonly kind: "turn"; readonly run: RunView; readonly turn: number; readonly calls: readonly string[] }
  | { readonly kind: "tool"; readonly run: RunView; readonly turn: number; readonly tool: string; readonly status: string }
  | { readonly kind: "note"; readonly run: RunView; readonly turn: number; readonly text: string }
  | { readonly kind: "finding"; readonly run: RunView; readonly finding: Finding }
  | { readonly kind: "ended"; readonly run: RunView; readonly end: string };

/** A run's last words, as far as others than people go by them. */
export interface KeptWords {
  readonly summary: string;
  /** The model's own: hostile text. */
  readonly answer: string;
  readonly findings: readonly Finding[];
  /** United States dollars, where the price was known. */
  readonly usd?: number;
}

/** What every run of a process needs; built once by the composition root. */
export interface RunDependencies {
  readonly github: Pick<GitHubApp, "session">;
  readonly gate: Gate;
  readonly scopes: Scopes;
  /** Where a run's session looks known vulnerabilities up; without it, changed dependencies ask a person. */
  readonly advisories?: AdvisorySources;
  readonly markers: Markers;
  /** GitHub as people see it; github.com when not said. Other hosts are in each run's settings. */
  readonly links?: Pick<Links, "origin" | "approvals">;
  readonly stores: Stores;
  /** Absolute folder that holds the workspaces of runs at work; the product's alone. */
  readonly workspaces: string;
  /** Absent when none is configured: runs that need one then end as failed and say so. */
  readonly models?: ModelSource;
  readonly tools: readonly Tool[];
  /** Told of each call of a conversation's tools, whoever brought them; nobody is when left out. */
  readonly watchTools?: (tools: readonly Tool[]) => readonly Tool[];
  /** What extensions add to every run; nothing when left out. */
  readonly extensions?: ExtensionHost;
  readonly sandbox?: Sandbox;
  /** How code graphs are built, which are then each run's own. Absent where there are none. */
  readonly buildGraph?: BuildGraph;
  /** What holds for a run whose own configuration was not read yet: the server's, or the defaults. */
  readonly settings: Settings;
  /** What the server's own file says; nothing when there is none. */
  readonly server?: FileSettings;
  /** What several runs of one delivery read once. */
  readonly readings?: SharedReading;
  /** Where it is kept what was told of faulty files; nobody is told without it. */
  readonly faultReports?: FaultReports;
  /** Takes the values of held secrets out of a text. */
  readonly mask: (text: string) => string;
  /** Where commands find the other runs of their thread, and answers of people are kept. Absent where a run stands alone. */
  readonly database?: Database;
  /** How receipts of runs are made; none are without it. */
  readonly receipts?: ReceiptDesk;
  /** What the clock starts. */
  readonly schedules?: Schedules;
  /** What the bot is called by: `sallyport`. */
  readonly handle?: () => Promise<string>;
  readonly observe?: (event: RunEvent) => void;
  /** See `RunCommentOptions`. */
  readonly lastGapMs?: number | undefined;
  /** Where a run's last words are kept besides GitHub: a run that can say nothing there is made all the same. Its text is fit to be shown. */
  readonly keep?: (report: KeptWords, text: string) => void;
  readonly log: Logger;
}

/** How far GitHub's clock may be behind the database's when a lost comment of this run is looked for: one that is wrong is mostly so by hours. */
const CLOCK_SLACK_MS = 86_400_000;

/** One attempt at one run: what its phases share. */
export interface RunContext {
  readonly run: Run;
  readonly request: RunRequest;
  readonly view: RunView;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly session: GitHubSession;
  readonly reader: GitHubReader;
  readonly submit: Submit;
  /** What the configuration says for this run; the server's alone until it was read. */
  readonly settings: Settings;
  /** What the run's texts may point at. */
  readonly outgoing: OutgoingPolicy;
  /** The key of the submission under way: see `WayOut`. */
  readonly submitting: () => string | undefined;
  /** Milliseconds since the epoch by the database's clock, which is the same for every process that takes the run. */
  readonly now: () => number;
  readonly log: Logger;
  readonly tell: (event: RunEvent) => void;
}

export function openRunContext(run: Run, journal: Journal, signal: AbortSignal, dependencies: RunDependencies): RunContext {
  const { request } = run;
  const { repository } = request;
  const view: RunView = { id: run.id, repository: { owner: repository.owner, name: repository.name }, trigger: request.trigger };
  const log = dependencies.log.child({ run: run.id, delivery: request.deliveryId, repo: `${repository.owner}/${repository.name}` });
  const session = dependencies.github.session(repository.installationId, log, run.id);
  const { gate, markers, observe } = dependencies;
  const tell = (event: RunEvent): void => {
    try {
      observe?.(event);
    } catch (error) {
      log.warn({ error: messageOf(error) }, "an observer failed");
    }
  };
  const settings = (): Settings => settingsFrom(journal) ?? dependencies.settings;
  const out = createSubmit({
    gate,
    session,
    journal,
    once: onceWith(journal),
    markers,
    view,
    signal,
    since: new Date(run.createdAt.getTime() - CLOCK_SLACK_MS),
    isObserved: () => settings().enabled === "observe",
  });
  return {
    run,
    request,
    view,
    journal,
    signal,
    session,
    reader: createReader(session, repository),
    async submit(operation, submission) {
      const submitted = await out.submit(operation, submission);
      if (submitted.status === "refused") for (const finding of submitted.decision.findings) tell({ kind: "finding", run: view, finding });
      return submitted;
    },
    submitting: out.submitting,
    get settings() {
      return settings();
    },
    get outgoing() {
      return outgoingPolicy(request, { ...(dependencies.links ?? DEFAULT_LINKS), hosts: settings().gate.hosts });
    },
    now: () => Date.now() + (run.clockAheadMs ?? 0),
    log,
    tell,
  };
}

/** The last row of one kind. */
export function lastEntry<K extends JournalEntry["kind"]>(journal: Journal, kind: K): Extract<JournalEntry, { kind: K }> | undefined {
  return journal.entries.findLast((entry): entry is Extract<JournalEntry, { kind: K }> => entry.kind === kind);
}
