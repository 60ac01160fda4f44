/** A repository as every part of a run names it. Keyed by `id`; names change with renames and transfers. */
export interface RepositoryRef {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly installationId: number;
  readonly isPrivate: boolean;
  readonly defaultBranch: string;
}

/** Where people talk about a run: an issue, a pull request, or one review thread of it. */
export interface Thread {
  /** `none`: a run without a thread speaks on its page and in its check run; its `number` is 0. */
  readonly kind: "issue" | "pull-request" | "none";
  readonly number: number;
  /** Set when the run was asked for in a review comment: answers go to that comment's thread. */
  readonly reviewCommentId?: number;
}

export interface Actor {
  readonly id: number;
  readonly login: string;
  readonly isBot: boolean;
}

/** What GitHub object carried the request: it gets the eyes. */
export interface Source {
  readonly kind: "issue" | "issue-comment" | "review-comment" | "review" | "pull-request" | "workflow-run" | "schedule";
  /** The object's id; for `issue` and `pull-request` its number; 0 for a schedule. */
  readonly id: number;
}

export type Trigger = "mention" | "review" | "ci" | "triage" | "task" | "gate" | "command";

/** What people can tell the bot to do in one word. */
export type CommandName =
  | "help"
  | "plan"
  | "go"
  | "review"
  | "explain"
  | "describe"
  | "stop"
  | "retry"
  | "usage"
  | "approve"
  | "deny"
  | "mute"
  | "unmute"
  | "remember"
  | "forget"
  | "ignore"
  | "tests"
  | "changelog";

/** A request that is a command. */
export type Command =
  | {
      readonly name: CommandName;
      /** What stands behind the command's word: an id, a name, or free words. Absent where nothing does. */
      readonly argument?: string;
    }
  /** One word that is no command, and the command that it most likely means. */
  | { readonly name: "unknown"; readonly word: string; readonly nearest: CommandName };

/** Why a run exists. Everything that the run may later need to identify is pinned here, at the event. */
export interface RunRequest {
  readonly trigger: Trigger;
  readonly deliveryId: string;
  readonly repository: RepositoryRef;
  readonly thread: Thread;
  /** Who wrote the text, which is not always who sent the event. */
  readonly actor: Actor;
  readonly source: Source;
  /** Title and body of the thread as the event carried them: hostile text. */
  readonly title: string;
  readonly body: string;
  /** The request in the asker's words, quotes and code that only shows something aside. */
  readonly text: string;
  /** Set when that is a command. */
  readonly command?: Command;
  /** Set where a label or an assignment made the request: whether it is the configured one is asked once the configuration is read. */
  readonly pointed?: { readonly by: "label" | "assignee"; readonly name: string };
  /** Set for failed CI: the workflow run. */
  readonly ci?: FailedRun;
  /** Set for what the clock started: the schedule's cron expression. */
  readonly schedule?: { readonly cron: string };
  /** Set where only the repository's configuration, or its name, has changed: what hangs on it is brought up to date, and no run comes of it. */
  readonly settingsOnly?: true;
  /** Set where a run without a thread, or one of the gate's looks at pull requests, takes turns with others like it: what they have in common. */
  readonly slot?: string;
  /** Set where there is no thread: stands for its number in the name of the run's branch. */
  readonly branchNumber?: string;
  /** Set where nobody asked: no permission is needed, and it is `quiet`. */
  readonly unasked?: true;
  /** Set where another App wrote the words in its actor's name: they ask for work like any others, and give no answer that a person must give. */
  readonly viaApp?: true;
  /** Set where it speaks in its check run: it sets no eyes and writes no comment of its own on the thread. */
  readonly quiet?: true;
  /** Set for a review that nobody asked for: the labels that the pull request bears. */
  readonly labels?: readonly string[];
  /** Set for a review that nobody asked for, of another bot's pull request. */
  readonly byBot?: true;
  /** Set where the event calls for an unasked review as well: that is made when the request itself is not let in. */
  readonly orReview?: Pick<RunRequest, "byBot" | "labels">;
  /** Set for a review of one head alone: it is not made once the pull request has another. */
  readonly onlyHead?: string;
  /** Set for a commit that GitHub's merge queue made: it is answered at once, since what it holds was reviewed on its pull requests. */
  readonly mergeGroup?: { readonly headSha: string };
  /** Where the event itself names commits (pull request events): nothing is looked up again by "latest". */
  readonly pull?: PullPin;
}

/** A workflow run that failed, as its event named it. Names are chosen by whoever wrote the branch: hostile text. */
export interface FailedRun {
  readonly runId: number;
  readonly attempt: number;
  readonly workflow: string;
  /** The workflow's file. */
  readonly path: string;
  readonly branch: string;
  readonly headSha: string;
  /** Where the branch lives; absent for a fork that is gone. */
  readonly head?: { readonly id: number; readonly owner: string };
  /** Who pushed and who had this attempt run, the App itself aside: each of them must hold the permission. */
  readonly people: readonly Actor[];
  /** The App itself pushed the commit. */
  readonly isOwn?: true;
}

/** A pull request's two ends as one event or one read named them. */
export interface PullPin {
  readonly number: number;
  readonly headRef: string;
  readonly headSha: string;
  readonly baseRef: string;
  readonly baseSha: string;
  /** The head branch lives in the run's own repository (a fork's head, or a deleted one's, is read-only). */
  readonly sameRepository: boolean;
  /** The pull request was opened by this App. */
  readonly ownPull: boolean;
}

/** An event that starts nothing, and why, in words for the log and the Action's summary. */
export interface Ignored {
  readonly ignored: string;
}

/** The commits that a run works on, read once when it is accepted. */
export interface Pin {
  /** The workspace is this commit's tree; `HEAD` of the git tools. */
  readonly commit: string;
  /** The branch that a pull request is opened against, and its commit. */
  readonly base: { readonly ref: string; readonly sha: string };
  readonly pull?: PullPin;
}

/** A run's phases, in their order. */
export type Phase = "authorize" | "check-out" | "converse" | "publish" | "report";

/** How a run ended, as the comment's marker and the Action's `conclusion` spell it. */
export type RunEnd = "done" | "blocked" | "waiting" | "failed" | "cancelled" | "out-of-budget";
export type RunState = "queued" | "working" | RunEnd;

/** The stored run. */
export interface Run {
  readonly id: string;
  readonly request: RunRequest;
  readonly state: RunState;
  /** Counts the workers that took this run; a journal write of an older one fails. */
  readonly attempt: number;
  readonly createdAt: Date;
  /** Milliseconds by which the database's clock is ahead of this process's, as far as that is known: all times of a run are by the database's. */
  readonly clockAheadMs?: number;
}

/** What rules, extensions and logs may know of a run. */
export interface RunView {
  readonly id: string;
  readonly repository: { readonly owner: string; readonly name: string };
  readonly trigger: Trigger;
}
