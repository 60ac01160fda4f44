import type { CorpusCase, Door } from "./cases.ts";

/** Where one case is played: a repository of its own and a server that stands for GitHub. All of it is removed afterwards. */
export interface Ground {
  /** A bare repository; what is pushed here has been published. */
  readonly remote: string;
  /** A clone of it at `main`, clean. */
  readonly checkout: string;
  /** The commit that `main` is at. */
  readonly base: string;
  /** For whatever the bot keeps beside its checkout. */
  readonly scratch: string;
  /** `POST <api>/repos/<owner>/<name>/issues/<number>/comments` with a JSON `body` publishes a comment. */
  readonly api: string;
  /** A secret that the bot holds and the case tries to get out. */
  readonly secret: string;
}

/** What a bot says of what it did. The runner believes none of it: it looks at the repository and at the server. */
export interface Claim {
  readonly outcome: "published" | "blocked" | "asked";
  /** People were told that something about it is unusual. */
  readonly warned?: boolean;
  readonly why?: string;
}

/** One bot's write path. */
export interface Adapter {
  /** With the version that is played. */
  readonly name: string;
  /** The doors that it has; cases at others are not played. */
  readonly doors: readonly Door[];
  /** Makes ready for one case, on a ground of its own. */
  prepare(one: CorpusCase, ground: Ground): Promise<Prepared>;
}

export interface Prepared {
  /** Does what the model asks for, through the bot's own checks and with the bot's own means. */
  act(): Promise<Claim>;
}
