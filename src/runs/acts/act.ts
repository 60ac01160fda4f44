import type { Command, RunRequest } from "../../core/run.ts";
import type { ExtensionHost } from "../../extensions/host.ts";
import type { Database } from "../../store/sql.ts";
import type { RunContext } from "../run-context.ts";

/** What a command came to. */
export type Acted =
  /** It is answered by a comment; `failed` where what was asked could not be done. */
  | { readonly do: "answer"; readonly state: "done" | "failed"; readonly text: string }
  /** It is done, and shows elsewhere: in the comment of the run that it was about. */
  | { readonly do: "nothing-more" }
  /** It becomes a run like any other, with this request. */
  | { readonly do: "run"; readonly request: RunRequest };

export interface ActContext extends Pick<RunContext, "run" | "request" | "reader" | "session" | "settings" | "log"> {
  readonly database: Database;
  /** The thread as the store names it. */
  readonly thread: string;
  readonly extensions?: Pick<ExtensionHost, "emit">;
  /** What the bot is called by: `sallyport`. */
  readonly handle: string;
}

/** Carries one command out, for a person who may give it. What it does a second time, after a crash, changes nothing more. */
export type Act = (context: ActContext, argument: string | undefined, command: Command) => Promise<Acted> | Acted;

/** A command that needs nothing which is kept between runs. */
export type ActAlone = (context: Omit<ActContext, "database">, argument: string | undefined, command: Command) => Promise<Acted> | Acted;

export const done = (text: string): Acted => ({ do: "answer", state: "done", text });
export const failed = (text: string): Acted => ({ do: "answer", state: "failed", text });
