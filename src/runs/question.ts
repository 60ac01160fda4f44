import type { AskedOperation } from "../core/journal.ts";
import { codeSpan } from "../text/code-span.ts";
import { lastEntry, type RunContext } from "./run-context.ts";

/** Characters of what a call says of itself. */
const LONGEST_DETAIL = 600;
/** Paths of a change that are named in a question. */
const MOST_PATHS = 10;

/** What people are asked, with all that they need for their answer. */
export interface Question {
  readonly approval: string;
  /** What the run would do, as a verb and its object. */
  readonly what: string;
  /** Paths that differ from the pinned commit. */
  readonly paths: readonly string[];
  /** SHA-256 of the whole operation, or call, hex. */
  readonly digest: string;
  /** The least permission whose holder may answer. */
  readonly permission: string;
  /** Teams of which whoever answers must be a member; any may where there is none. */
  readonly teams: readonly string[];
  /** Whether whoever answers must own the files. */
  readonly codeOwners: boolean;
  readonly until: Date;
  /** What the bot is called by: `sallyport`. */
  readonly handle: string;
  /** Where it can be answered beside the thread. */
  readonly page?: string;
}

/** Where what is known of an approval is kept. */
export interface AskedApprovals {
  byId(id: string): Promise<{ readonly digest: string; readonly expires: Date } | undefined>;
}

/** The run's question; undefined where it has none that can still be answered. */
export async function questionOf(
  { journal, settings, request, outgoing }: Pick<RunContext, "journal" | "settings" | "request" | "outgoing">,
  approvals: AskedApprovals,
  handle: string,
): Promise<Question | undefined> {
  const asked = lastAsked(journal);
  const stored = asked === undefined ? undefined : await approvals.byId(asked.approval);
  if (asked === undefined || stored === undefined) return undefined;
  return {
    approval: asked.approval,
    what:
      asked.kind === "asked-call"
        ? `call ${codeSpan(asked.tool)}: ${codeSpan(asked.detail, LONGEST_DETAIL)}`
        : request.trigger === "gate"
          ? `turn this check green: what #${request.thread.number} changes, up to this very commit`
          : `publish ${whatOf(asked.operation)}`,
    paths:
      asked.kind === "asked-call" || asked.operation.kind === "comment"
        ? []
        : (lastEntry(journal, "snapshot")?.entries.map(({ path }) => path) ?? []),
    digest: stored.digest,
    permission: settings.gate.approvals.permission,
    teams: settings.gate.approvals.teams,
    codeOwners: settings.gate.approvals.code_owners,
    until: stored.expires,
    handle,
    ...(outgoing.approvals === undefined ? {} : { page: outgoing.approvals + asked.approval }),
  };
}

/** What a run has asked last: about work that it would publish, or about a call. */
export function lastAsked({ entries }: Pick<RunContext["journal"], "entries">) {
  return entries.findLast((entry) => entry.kind === "asked" || entry.kind === "asked-call");
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
export function renderQuestion(question: Question): string {
  const { approval, what, paths, digest, permission, until, handle, page } = question;
  const shown = paths.slice(0, MOST_PATHS).map((path) => codeSpan(path, 200));
  const more = paths.length > shown.length ? `, and ${paths.length - shown.length} more` : "";
  const files = shown.length === 0 ? [] : [`- changes ${shown.join(", ")}${more}`];
  return [
    `**Approval ${codeSpan(approval)}**`,
    "",
    `- would ${what}`,
    ...files,
    `- exactly as it is now: ${codeSpan(`sha256:${digest}`)}; any change of it asks anew`,
    `- who may answer: people with the permission ${codeSpan(permission)}${narrowed(question)}, bots and the author of a fork's pull request aside`,
    `- until ${until.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    "",
    `To let it through, say ${codeSpan(`@${handle} approve ${approval}`)}; to refuse it, ${codeSpan(`@${handle} deny ${approval}`)}.${page === undefined ? "" : ` Or [look at it and answer on its page](${page}).`}`,
  ].join("\n");
}

/** Whom the configuration narrows it to, beside the permission. */
function narrowed({ teams, codeOwners }: Question): string {
  const members =
    teams.length === 0
      ? ""
      : ` who are members of ${teams
          .slice(0, MOST_PATHS)
          .map((team) => codeSpan(team))
          .join(" or ")}`;
  const owners = codeOwners ? `${members === "" ? " who" : " and"} own these files by CODEOWNERS` : "";
  return members + owners;
}
