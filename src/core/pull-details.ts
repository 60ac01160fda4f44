/** A review as a whole, or one remark on a line. Hostile text. */
export interface ReviewRemark {
  readonly author: string;
  readonly createdAt: string;
  readonly body: string;
  /** What a review said: `COMMENTED`, `APPROVED`, `CHANGES_REQUESTED` …; absent for remarks on lines. */
  readonly state?: string;
  /** Where a remark stands; `line` is absent when the diff has moved on under it. */
  readonly where?: { readonly path: string; readonly line?: number };
}

/** A pull request as one read found it. All texts are hostile. */
export interface PullDetails {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly state: string;
  readonly draft: boolean;
  readonly merged: boolean;
  /** Undefined while GitHub is still finding out. */
  readonly mergeable: boolean | undefined;
  readonly labels: readonly string[];
  readonly head: {
    readonly ref: string;
    readonly sha: string;
    /** `owner/name`; undefined when the fork is gone. */ readonly repository: string | undefined;
  };
  readonly base: { readonly ref: string; readonly sha: string };
  readonly commits: number;
  readonly changedFiles: number;
  readonly additions: number;
  readonly deletions: number;
  readonly url: string;
  /** Oldest first; the newest of them. */
  readonly reviews: readonly ReviewRemark[];
  readonly remarks: readonly ReviewRemark[];
  /** Reviews and remarks that exist and are not among them. */
  readonly hasOlderRemarks: boolean;
}

export interface ChangedFile {
  readonly path: string;
  readonly previousPath?: string;
  /** `added`, `removed`, `modified`, `renamed` … */
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
  /** Unified hunks without a head; absent for binary files and for differences that are too large. */
  readonly patch?: string;
}

export interface PullFilesQuery {
  readonly number: number;
  /** From 1; 100 files each. */
  readonly page: number;
  /** Only this file, or files of this folder, of all pages. */
  readonly path?: string;
}

/** Files that a pull request changes, as GitHub lists them: at most 3000, whatever `changedFiles` says. */
export interface PullFiles {
  readonly files: readonly ChangedFile[];
  readonly changedFiles: number;
  readonly pages: number;
}
