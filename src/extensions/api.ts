import type { z } from "zod";
import type { GitHubReads } from "../core/github-reads.ts";
import type { Logger } from "../core/log.ts";
import type { OperationKind, Operation, WorkspaceWrite } from "../core/operation.ts";
import type { Severity as RemarkSeverity } from "../core/remark-severity.ts";
import type { Decision, Finding, ToolResult } from "../core/result.ts";
import type { RunEnd, RunView } from "../core/run.ts";

export type Awaitable<T> = T | Promise<T>;
/** Which process an extension is loaded into: the server, a server that only works on runs, the Action, the command line. */
export type Entrypoint = "app" | "worker" | "action" | "cli";
/** `"Done"` is success; `"[error] why"` is a failure the model may recover from, `"[blocked] rule: why"` a refusal. */
export type ToolReturn = string | ToolResult;
export type Effect = "read" | "write";

/** What a tool may know of the run that calls it. A read tool has this and nothing that writes. */
export interface ReadContext {
  readonly run: RunView;
  /** Unique within the run; the same when the call is made again after a crash. */
  readonly callId: string;
  /** Set for calls that another call makes (a tools script, a subagent): that one's id. */
  readonly parentCallId?: string;
  /** The run's own repository, and the commit that its workspace began as. */
  readonly repository: RepositoryView;
  readonly settings: Settings;
  readonly files: WorkspaceReader;
  readonly artifacts: ArtifactStore;
  /** Pictures that people put into the request, as the model was shown them. */
  readonly attachments: readonly Attachment[];
  /** What the model was told before the first turn; empty before it was. */
  readonly prompts: { readonly system: string };
  /** Reads of the run's own repository only. Texts come back as people wrote them: hostile. */
  readonly github: GitHubReads;
  /** Aborts when the run is stopped or its time is over; a handler that ignores it is abandoned. */
  readonly signal: AbortSignal;
  /** The run's own log, under the extension's name. Secrets that the product holds are masked. */
  readonly log: Logger;
  /** The status line of the run's comment. What the model itself said with this call is shown instead, where it said something. */
  progress(fallback: string): Promise<void>;
  /** Makes this the run's answer in place of the model's last words; it is judged here, and again when it leaves. The last one counts. */
  respond(text: string): Promise<Decision>;
}

/** What a write tool has besides: every way goes through the gate. */
export interface WriteContext extends ReadContext {
  /**
   * Asks for an operation, with the same cleaning, addressing and judging as the `gh_*` tools.
   * @throws {Error} when it was let through and GitHub refused it.
   */
  submit(operation: ToolOperation): Promise<Decision>;
  /** Writes a file of the workspace through the inner door; nothing is written unless the verdict is `allow`. `undefined` deletes. */
  writeFile(path: string, bytes: Uint8Array | undefined): Promise<Decision>;
  /**
   * Hands out the absolute path of the workspace's folder to work that writes files by itself, such as a formatter. What it has changed is taken back
   * and written again file by file through the inner door; `decisions` says what became of each. Modes stay as they were, and so does what the
   * repository ignores. The folder has no `.git`, and is not to be used once the work has ended. One at a time in a run.
   * @throws what the work throws; nothing of it stays then.
   */
  withFolder<T>(work: (folder: string) => Awaitable<T>): Promise<{ readonly value: T; readonly decisions: ReadonlyMap<string, Decision> }>;
}

/** What a tool may ask for. Repository, branches, threads and marks are the run's own; there is no way to name others. */
export type ToolOperation =
  | {
      readonly kind: "comment";
      /** The run's thread when left out. */
      readonly number?: number;
      readonly body: string;
    }
  | {
      readonly kind: "open-pull-request";
      readonly title: string;
      readonly body: string;
      readonly base?: string;
      readonly draft?: boolean;
    }
  | { readonly kind: "commit"; readonly message: string };

export interface RepositoryView {
  readonly owner: string;
  readonly name: string;
  /** Absent on the command line. */
  readonly defaultBranch?: string;
  /** Git's id of the commit that the workspace was unpacked from. */
  readonly commit: string;
}

/** Files of the workspace as it stands. Paths are relative to the repository's root. */
export interface WorkspaceReader {
  /** @throws {Error} for what is no file of the repository. */
  read(path: string): Promise<Uint8Array>;
  /** Paths that match a glob, sorted; what the repository ignores is left out. */
  list(pattern: string): Promise<readonly string[]>;
}

/** Named results of a run, kept with its transcript for as long as that. */
export interface ArtifactStore {
  /** Replaces what stood under the name. @throws {Error} for a bad name, and beyond 16 MiB a run. */
  save(name: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  load(name: string): Promise<Uint8Array | undefined>;
}

export interface Attachment {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** The effective configuration of the run's repository, named as the file names it. */
export type Settings = Readonly<Record<string, unknown>>;
export type ContextOf<E extends Effect> = E extends "write" ? WriteContext : ReadContext;

/** A tool with a zod schema: arguments arrive parsed and typed, and the context is what the effect allows. */
export interface ToolSpec<S extends z.ZodObject = z.ZodObject, E extends Effect = Effect> {
  /** Lower case, digits and underscores, at most 64 characters. */
  readonly name: string;
  /** For the model; its first line stands in the prompt. */
  readonly description: string;
  readonly parameters: S;
  readonly effect: E;
  /** Ascending order in the prompt; default 10. */
  readonly priority?: number;
  /** Characters from which its results are spilled; the product's own threshold when not said. */
  readonly spillAfterChars?: number;
  readonly handler: (args: z.output<S>, context: ContextOf<E>) => Awaitable<ToolReturn>;
}

/** The erased form that filters, derivers and wrappers work with. Built-in tools have it too. */
export interface ToolRegistration {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchemaObject;
  readonly effect: Effect;
  readonly priority: number;
  readonly spillAfterChars?: number;
  /** The extension's name; `sallyport` for built-in tools. */
  readonly owner: string;
  /** Checks its arguments itself, and passes the wrappers of its tool. To be called within a call, with that call's context. */
  readonly handler: ToolHandler;
}
/** The context is passed on as it came: what it has besides follows the effect of the tool that was called. */
export type ToolHandler = (args: Readonly<Record<string, unknown>>, context: ReadContext) => Promise<ToolResult>;

export interface JsonSchemaObject {
  readonly type?: "object";
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly [keyword: string]: unknown;
}

/** What `addTool` takes: owner and priority are filled in, a string result is read by its prefix. */
export interface ToolBinding<E extends Effect = Effect> {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchemaObject;
  readonly effect: E;
  readonly priority?: number;
  readonly spillAfterChars?: number;
  readonly owner?: string;
  /** Has what the effect allows. A method, so that bindings of both effects stand in one list. */
  handler(args: Readonly<Record<string, unknown>>, context: ContextOf<E>): Awaitable<ToolReturn>;
}

/** Makes tools of tools. Pure: it is called for each conversation, and its tools pass policy and wrappers like any other. */
export type ToolDeriver = (tools: readonly ToolRegistration[]) => readonly DerivedTool[];
export interface DerivedTool {
  readonly tool: ToolBinding;
  /** Names of tools that are not offered beside it. They stay when policy takes the derived one away. */
  readonly replaces?: readonly string[];
}

/**
 * Makes one handler of one. Pure, called for each tool of a conversation. What it answers sees every call of the tool after its arguments were
 * checked, and the whole result before it is spilled.
 */
export type ToolWrapper = (next: ToolHandler, tool: Omit<ToolRegistration, "handler">, approve: Approve) => ToolHandler;

/**
 * Asks people on the run's thread. The run ends its work there and goes on with this call, from its beginning, once somebody has answered: what
 * comes before the question must bear being done twice. False where nobody can answer: in the Action, on the command line without a terminal,
 * outside of a call.
 */
export type Approve = (question: { readonly tool: string; readonly detail: string }) => Promise<boolean>;

/** A remark of a review before it is placed and posted. */
export interface ReviewFinding {
  readonly path: string;
  /** 1-based, the last line that is meant. */
  readonly line: number;
  readonly side?: "LEFT" | "RIGHT" | undefined;
  readonly start_line?: number | undefined;
  readonly body: string;
  readonly suggestion?: string | undefined;
  readonly severity?: RemarkSeverity | undefined;
  readonly category?: string | undefined;
  readonly evidence?: string | undefined;
}

/** Values that filters change. A filter must answer the value; what throws, hangs or answers something else fails the run. */
export interface Filters {
  "tools.registrations": readonly ToolRegistration[];
  "research.registrations": readonly ToolRegistration[];
  "prompt.system": string;
  "review.findings": readonly ReviewFinding[];
}

/** Moments that actions see. What they throw is logged, and the next one is called. */
export interface Actions {
  "tools.register": ToolCollector;
  "research.register": ToolCollector;
  /** Before a run's work begins; again when it is taken up after a crash or an answer. */
  "run.before": RunView;
  /** After a run's last words; again when it goes on after people have answered. */
  "run.after": RunView;
}
export interface ToolCollector {
  /** @throws {Error} for a tool that cannot be one, or whose name is taken. */
  add<const E extends Effect>(tool: ToolBinding<E>): void;
}

/** What observers hear: plain data, held secrets masked. Lossy: an observer that is too slow misses events. */
export interface Events {
  "run.started": { readonly run: RunView };
  "run.finished": { readonly run: RunView; readonly outcome: RunEnd };
  /** `ms`: how long the call took, wrappers included. */
  "tool.called": { readonly run: RunView; readonly tool: string; readonly status: ToolResult["status"]; readonly ms: number };
  /** `tokens` of this turn; `usd` is absent where no price is known. */
  "turn.completed": { readonly run: RunView; readonly turn: number; readonly tokens: number; readonly usd?: number };
  "approval.requested": { readonly run: RunView; readonly id: string; readonly detail: string };
  "approval.answered": { readonly run: RunView; readonly id: string; readonly approved: boolean; readonly by: string };
  "job.changed": { readonly run: RunView; readonly state: "queued" | "active" | "waiting" | "ended" };
  /** The operation's bytes and texts stay with the gate. */
  "gate.decided": { readonly run: RunView; readonly operation: JudgedKind; readonly decision: Decision };
}

export type JudgedKind = OperationKind | "workspace-write";

/** One more rule of the gate. It can only add findings; one that throws, hangs or answers something else blocks. */
export interface GateRule {
  readonly name: string;
  readonly applies: readonly JudgedKind[];
  check(judged: Operation | WorkspaceWrite, run: RunView): Awaitable<readonly Finding[]>;
}

/** Something that runs beside the product for as long as the process. Each step may take 20 seconds. */
export interface Service {
  readonly name: string;
  /** Where it runs; in the `app` alone when left out. */
  readonly on?: readonly Entrypoint[];
  start(): Awaitable<void>;
  stop(): Awaitable<void>;
}

/** Answers requests of those who may see the dashboard. Each may take 10 seconds and carry 1 MiB. */
export type RouteHandler = (request: Request) => Awaitable<Response>;
export type Unsubscribe = () => void;
/** The name of an environment variable: capitals, digits and underscores. Most secrets are none, so that one given by value does not compile. */
export type VariableName = Uppercase<string>;

/** What an extension registers itself with. Only while `register` is at work. */
export interface Bot<C = unknown> {
  /** The extension's own part of the server's file, checked by its schema, defaults filled in. */
  readonly config: C;
  readonly entrypoint: Entrypoint;
  /**
   * The value of an environment variable that holds a secret. From now on it is masked wherever the product's own are, and the gate blocks it.
   * @throws {TypeError} naming a variable that is not set, and for what is no variable's name.
   */
  secret(variable: VariableName): string;
  tool<S extends z.ZodObject, const E extends Effect>(spec: ToolSpec<S, E>): void;
  addTool<const E extends Effect>(tool: ToolBinding<E>): void;
  addToolDeriver(derive: ToolDeriver): void;
  addToolWrapper(wrap: ToolWrapper): void;
  /** Filters are called by ascending priority (default 10), those of one priority in the order in which they were added. */
  addFilter<K extends keyof Filters>(
    name: K,
    filter: (value: Filters[K], run: RunView) => Awaitable<Filters[K]>,
    priority?: number,
  ): Unsubscribe;
  addAction<K extends keyof Actions>(name: K, action: (value: Actions[K], run: RunView) => Awaitable<void>, priority?: number): Unsubscribe;
  on<K extends keyof Events>(event: K, handler: (event: Events[K]) => Awaitable<void>): Unsubscribe;
  addRule(rule: GateRule): void;
  addService(service: Service): void;
  /** Served under `/x/<extension name>`. */
  addRoute(path: `/${string}`, handler: RouteHandler): void;
  /** A route that the dashboard's navigation names; `icon` is the name of a Lucide icon. */
  addPage(path: `/${string}`, label: string, handler: RouteHandler, icon?: string): void;
  /** A paragraph of the system prompt; with `whenTools` only where the run has all of these. */
  addPromptFragment(text: string, options?: { readonly whenTools?: readonly string[] }): void;
}

/** What a module exports by default. */
export interface Extension<S extends z.ZodType = z.ZodType> {
  /** Lower case, digits and hyphens; also its key in the server's file and in `/x/<name>`. */
  readonly name: string;
  /** Checks the extension's own configuration. Without one it is handed what stands there. */
  readonly config?: S;
  register(bot: Bot<z.output<S>>): Awaitable<void>;
}

/** Types an extension; answers it as it is. */
export function defineExtension<S extends z.ZodType>(extension: Extension<S>): Extension<S> {
  return extension;
}
