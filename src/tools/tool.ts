import type { z } from "zod";
import type { Usage } from "../core/conversation.ts";
import type { GitHubReads } from "../core/github-reads.ts";
import type { Logger } from "../core/log.ts";
import type { Severity } from "../core/remark-severity.ts";
import type { Decision, ToolResult } from "../core/result.ts";
import type { RunView } from "../core/run.ts";
import type { ArtifactStore, Attachment, RepositoryView, Settings } from "../extensions/api.ts";
import type { AskableGraph } from "../graph/query/askable.ts";
import type { FactReads, Facts, Outputs } from "./memory/memory.ts";
import type { Sandbox } from "../workspace/sandbox/sandbox.ts";
import type { Workspace } from "../workspace/workspace.ts";

type Awaitable<T> = T | Promise<T>;
export type Effect = "read" | "write";

/** What a submitted operation came to. Only `done` means that GitHub has it. */
export type Submitted =
  | {
      readonly status: "done";
      readonly id?: number;
      readonly url?: string;
      readonly decision: Decision;
      /** What was made inert in the texts before they were published, in words. */
      readonly removed?: readonly string[];
      /** What else must be known of it, in a sentence. */
      readonly note?: string;
    }
  | { readonly status: "refused"; readonly decision: Decision }
  | { readonly status: "failed"; readonly why: string };

/** The part of a workspace that changes nothing. */
export type WorkspaceReads = Pick<Workspace, "directory" | "commit" | "read" | "list" | "changeSet" | "basePaths" | "git">;

/** What a tool may read of the run. */
export interface ReadContext {
  readonly run: RunView;
  readonly callId: string;
  /** Set for calls nested in another one: that one's id. */
  readonly parentCallId?: string;
  readonly workspace: WorkspaceReads;
  /** Absent where no sandbox works: `run_shell` is not offered then. */
  readonly sandbox?: Sandbox;
  readonly github: GitHubReads;
  /** Absent where nothing is counted. */
  readonly usage?: () => RunUsage;
  /** Absent where results are not kept beside the conversation. */
  readonly outputs?: Outputs;
  /** The code graph of the workspace as it stands, built when it is first asked for. Absent where there is none. */
  readonly graph?: () => Promise<AskableGraph>;
  /** Absent where nothing is remembered. */
  readonly facts?: FactReads;
  /** The parts of the difference under review, in their order; absent where nothing is reviewed. */
  readonly difference?: readonly string[];
  /** What tools of extensions may use of the run; absent where there are none. */
  readonly extension?: ExtensionPorts;
  /** Asks the read-only subagent; absent for calls of the subagent itself. */
  readonly research?: (question: string, signal: AbortSignal) => Promise<ToolResult>;
  readonly signal: AbortSignal;
}

/** The parts of a run that only tools of extensions use. */
export interface ExtensionPorts {
  readonly repository: RepositoryView;
  /** The number of the run's own thread; absent for a run without one. */
  readonly thread?: number;
  readonly settings: Settings;
  readonly artifacts: ArtifactStore;
  attachments(): readonly Attachment[];
  /** The system prompt; empty before there is one. */
  prompt(): string;
  readonly log: Logger;
  progress(callId: string, fallback: string): Promise<void>;
  respond(callId: string, text: string): Promise<Decision>;
  /**
   * Whether people agree. Absent where nobody can be asked.
   * @throws {AttemptError} when nobody has answered yet: the run ends its work, and makes the call again once somebody has.
   */
  readonly ask?: (question: { readonly callId: string; readonly tool: string; readonly detail: string }) => Promise<boolean>;
}

/** A write tool can also change the workspace and ask for operations; each passes its door. */
export interface WriteContext extends ReadContext {
  /** Its own writes are for undoing what `write` did and for keeping a mode; whatever is new goes through `write`. */
  readonly workspace: Workspace;
  /** The inner door: judges the write, then does it. `bytes` absent deletes. */
  write(path: string, bytes: Uint8Array | undefined): Promise<Decision>;
  readonly publisher: Publisher;
  readonly facts?: Facts;
  /** The run's other tools; absent for calls that are nested already. */
  readonly nested?: NestedCalls;
}

/** The tools of a run as one of its calls may use them. Each use is a call like the model's own: validated, wrapped, judged, journalled. */
export interface NestedCalls {
  /** All but the calling tool itself. */
  readonly names: readonly string[];
  /**
   * One call after the other, in the order in which they were asked for. `args` is raw JSON text.
   * @throws {StaleAttemptError} when another worker has taken the run.
   */
  call(name: string, args: string): Promise<ToolResult>;
  /** Calls that have not begun never will. Resolves when the one that runs has ended. */
  close(): Promise<void>;
}

/** What a run has used so far, and what it may use. Money is in US dollars. */
export interface RunUsage {
  readonly turns: number;
  readonly minutes: number;
  readonly tokens: Usage;
  /** Absent where no price is known. */
  readonly usd?: number;
  readonly budget: { readonly turns: number; readonly minutes: number; readonly tokens: number; readonly usd?: number };
}

/** How a run's own tools ask for what leaves. Branch names, targets and frames are the gate's business, not the model's. */
export interface Publisher {
  comment(number: number, body: string): Promise<Submitted>;
  openPullRequest(wish: {
    readonly title: string;
    readonly body: string;
    readonly base?: string;
    readonly draft?: boolean;
    /** The commit's message; the title when left out. */
    readonly message?: string;
  }): Promise<Submitted>;
  commit(message: string): Promise<Submitted>;
  review(wish: ReviewWish): Promise<ReviewSubmitted>;
  /** Resolves the conversations of the bot's own remarks, by their ids, as far as they are ones that were put right. */
  resolve(remarks: readonly number[]): Promise<Resolved>;
  /** Names the run's own branch, from the wish when it has no name yet, and answers the name. Nothing is made on GitHub. */
  reserveBranch(wish: string): Promise<string>;
}

/** Which conversations were resolved: `left` are those that are not open to it, whatever the model says. */
export type Resolved =
  | (Extract<Submitted, { status: "done" }> & { readonly resolved: readonly number[]; readonly left: readonly number[] })
  | Exclude<Submitted, { status: "done" }>;

/** A review as a model asks for it: any place and any text can be wrong. */
export interface ReviewWish {
  readonly number: number;
  readonly body: string;
  readonly event?: "COMMENT" | "APPROVE" | "REQUEST_CHANGES" | undefined;
  readonly comments: readonly {
    readonly path: string;
    readonly line: number;
    readonly side?: "LEFT" | "RIGHT" | undefined;
    readonly start_line?: number | undefined;
    readonly body: string;
    readonly suggestion?: string | undefined;
    readonly severity?: Severity | undefined;
    readonly category?: string | undefined;
    readonly evidence?: string | undefined;
  }[];
}

/** What a review came to: `as` a comment on the thread where GitHub took no review, as nothing where all of it was said before. */
export type ReviewSubmitted =
  | (Extract<Submitted, { status: "done" }> & {
      readonly as: "review" | "comment" | "nothing";
      readonly placed: { readonly onLines: number; readonly inBody: number; readonly repeated: number };
      /** What of it was left out before it was posted, in words. */
      readonly leftOut?: string;
      /** How its suggestions were tried, in a sentence; absent where they were not. */
      readonly checked?: string;
    })
  | Exclude<Submitted, { status: "done" }>;

export type ContextOf<E extends Effect> = E extends "write" ? WriteContext : ReadContext;

export interface ToolSpec<S extends z.ZodObject = z.ZodObject, E extends Effect = Effect> {
  readonly name: string;
  readonly description: string;
  readonly parameters: S;
  readonly effect: E;
  /** Ascending order in the prompt; default 10. */
  readonly priority?: number;
  /** Characters from which its results are spilled; the agent's own threshold when not said. */
  readonly spillAfterChars?: number;
  /** All that it does are nested calls: after a crash it runs again, and calls that had ended are answered from the journal. */
  readonly replays?: true;
  readonly handler: (args: z.output<S>, context: ContextOf<E>) => Awaitable<ToolResult>;
}

/** A tool as the registry and the loop hold it: arguments are validated before `call`, and what it throws has become an error result. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly effect: Effect;
  readonly priority: number;
  readonly spillAfterChars?: number;
  readonly replays?: true;
  /** Why the arguments cannot be taken; `call` answers the same. Absent where only the handler knows. */
  whyWrong?(args: unknown): string | undefined;
  call(args: unknown, context: WriteContext): Promise<ToolResult>;
}
