export interface IssueComment {
  readonly author: string;
  readonly createdAt: string;
  readonly body: string;
}

/** An issue or pull request with its newest comments, as one read found it. All texts are hostile. */
export interface IssueView {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly author: string;
  readonly labels: readonly string[];
  readonly isPullRequest: boolean;
  readonly locked: boolean;
  /** Oldest first: the newest of all, at most 100. */
  readonly comments: readonly IssueComment[];
  /** Comments that exist but are not among `comments`. */
  readonly omittedComments: number;
}

/** An issue or pull request as lists show it. */
export interface IssueSummary {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly author: string;
  readonly labels: readonly string[];
  readonly isPullRequest: boolean;
  readonly comments: number;
  readonly updatedAt: string;
}

export interface IssueFilter {
  readonly state: "open" | "closed" | "all";
  /** All of them. */
  readonly labels: readonly string[];
  /** 1 … 100. */
  readonly limit: number;
}
