/** What the texts of one run may point at. Plain data, the same for the outlets that clean a text and for the gate that checks it. */
export interface OutgoingPolicy {
  /** GitHub as people see it: `https://github.com`, without a final slash. */
  readonly origin: string;
  /** Further hosts that links may lead to, exact, or `*.example.com` for all below it. */
  readonly hosts: readonly string[];
  /** Where this server's approvals are answered, with a final slash: what stands behind it is the name of one, and nothing else. */
  readonly approvals?: string | undefined;
  /** The run's own repository: what it refers to elsewhere would leave a trace there. */
  readonly repository: { readonly owner: string; readonly name: string };
  /** Logins that may be mentioned: who asked. */
  readonly logins: readonly string[];
}

/** What was made inert or taken out of a text, in words for people. */
export type Removed =
  | "hidden text"
  | "mentions"
  | "closing words"
  | "references to other repositories"
  | "links to hosts that are not listed"
  | "images"
  | "HTML"
  | "commands to bots"
  | "drawings with links"
  | "Markdown that cannot be read";

/** A text as it may leave. */
export interface Cleaned {
  readonly text: string;
  /** Each kind once, in the order in which they were met; empty for a text that was clean. */
  readonly removed: readonly Removed[];
}
