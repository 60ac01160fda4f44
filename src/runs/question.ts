import type { AskedOperation } from "../core/journal.ts";
import { codeSpan } from "../text/code-span.ts";
import { lastEntry, type RunContext } from "./run-context.ts";

/** Paths of a change that are named in a question. */
const MOST_PATHS = 10;

/** What people are asked, with all that they need for their answer. */
export interface Question {
  readonly approval: string;
  /** What would be published, and where. */
  readonly what: string;
  /** Paths that differ from the pinned commit. */
  readonly paths: readonly string[];
  /** SHA-256 of the whole operation, hex. */
  readonly digest: string;
  /** The least permission whose holder may answer. */
  readonly permission: string;
  readonly until: Date;
  /** What the bot is called by: `sallyport`. */
  readonly handle: string;
}

/** Where what is known of an approval is kept. */
export interface AskedApprovals {
  byId(id: string): Promise<{ readonly digest: string; readonly expires: Date } | undefined>;
}

/** The run's question; undefined where it has none that can still be answered. */
export async function questionOf(
  { journal, settings }: Pick<RunContext, "journal" | "settings">,
  approvals: AskedApprovals,
  handle: string,
): Promise<Question | undefined> {
  const asked = lastEntry(journal, "asked");
  const stored = asked === undefined ? undefined : await approvals.byId(asked.approval);
  if (asked === undefined || stored === undefined) return undefined;
  return {
    approval: asked.approval,
    what: whatOf(asked.operation),
    paths: asked.operation.kind === "comment" ? [] : (lastEntry(journal, "snapshot")?.entries.map(({ path }) => path) ?? []),
    digest: stored.digest,
    permission: settings.gate.approvals.permission,
    until: stored.expires,
    handle,
  };
}

function whatOf(operation: AskedOperation): string {
  switch (operation.kind) {
    case "open-pull-request":
      return `a pull request, ${codeSpan(operation.title)}, from ${codeSpan(operation.branch)} against ${codeSpan(operation.base)}`;
    case "commit":
      return `a commit on ${codeSpan(operation.branch)}`;
    case "comment":
      return `a comment on #${operation.thread.number}`;
  }
}

/** The question as people read it. How to answer stands in code: in the bot's own words it is no command. */
export function renderQuestion({ approval, what, paths, digest, permission, until, handle }: Question): string {
  const shown = paths.slice(0, MOST_PATHS).map((path) => codeSpan(path, 200));
  const more = paths.length > shown.length ? `, and ${paths.length - shown.length} more` : "";
  const files = shown.length === 0 ? [] : [`- changes ${shown.join(", ")}${more}`];
  return [
    `**Approval ${codeSpan(approval)}**`,
    "",
    `- would publish ${what}`,
    ...files,
    `- exactly as it is now: ${codeSpan(`sha256:${digest}`)}; any change of it asks anew`,
    `- who may answer: people with the permission ${codeSpan(permission)}, bots and the author of a fork's pull request aside`,
    `- until ${until.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    "",
    `To let it through, say ${codeSpan(`@${handle} approve ${approval}`)}; to refuse it, ${codeSpan(`@${handle} deny ${approval}`)}.`,
  ].join("\n");
}
