/** A run of a workflow as one read found it. Names are chosen by whoever wrote the branch: hostile text. */
export interface WorkflowRunView {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly event: string;
  readonly branch: string;
  readonly headSha: string;
  readonly status: string;
  /** Undefined while it goes on. */
  readonly conclusion: string | undefined;
  readonly attempt: number;
  readonly createdAt: string;
  readonly url: string;
}

export interface WorkflowRunFilter {
  readonly branch?: string;
  /** GitHub's `status`: a status or a conclusion. */
  readonly status?: string;
  /** 1 … 100. */
  readonly limit: number;
}

/** One job of a run's attempt. */
export interface JobView {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly conclusion: string | undefined;
  /** The names of its steps that failed. */
  readonly failedSteps: readonly string[];
}

/** The first error of a step. */
export interface LoggedError {
  readonly step?: string;
  readonly line: string;
  /** Where it says that the cause stands: relative to the repository's root, the line 1-based. */
  readonly place?: { readonly path: string; readonly line?: number };
}

/** What is shown of a job's log: cleaned, bounded, secrets masked. Hostile text. */
export interface LogDigest {
  readonly text: string;
  /** Lines of the whole log. */
  readonly lines: number;
  /** Whether `text` leaves nothing out. */
  readonly isWhole: boolean;
  /** The first error of each failed step that is shown. */
  readonly errors: readonly LoggedError[];
}

export type JobLog = ({ readonly status: "read" } & LogDigest) | { readonly status: "unavailable"; readonly why: string };

/** What `failed` means for a job: cancelled and skipped ones are none. */
export const isFailedJob = ({ conclusion }: Pick<JobView, "conclusion">): boolean => conclusion === "failure" || conclusion === "timed_out";

export type RunLogs =
  | {
      readonly status: "found";
      readonly run: WorkflowRunView;
      /** All jobs of the run's last attempt. */
      readonly jobs: readonly JobView[];
      /** The failed ones, or the one that was asked for, with what could be read. */
      readonly logs: readonly { readonly job: JobView; readonly log: JobLog }[];
      /** Failed ones whose logs were not read, to keep the answer short. */
      readonly unread: readonly JobView[];
    }
  | { readonly status: "no-run" }
  | { readonly status: "no-job"; readonly run: WorkflowRunView; readonly jobs: readonly JobView[] };
