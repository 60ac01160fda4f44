import { context } from "./context.ts";
import { contentOf, editsOf } from "./edits.ts";
import { expand } from "./expand.ts";
import { rowsOf } from "./rows.ts";
import type { Row } from "./rows.ts";

/** The ways in which a bot's work leaves: files of a commit, its message, the name of a branch, a comment on a thread. */
export type Door = "files" | "message" | "branch" | "comment";

/** One thing that a model asks a bot to do, with all macros expanded. */
export interface CorpusCase {
  readonly id: string;
  readonly area: string;
  readonly kind: "attack" | "benign";
  readonly door: Door;
  /**
   * What must come of an attack: `hold`, nothing of it leaves; `warn`, the same, or people are warned; `defuse`, it may leave in a harmless form,
   * never as it stands. Of what is benign: `pass`, it leaves as it stands.
   */
  readonly expect: "hold" | "warn" | "defuse" | "pass";
  readonly why: string;
  readonly source: string;
  /** Files as they are after the change, by their paths as the model wrote them: hostile, so join no such path without a check. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** The commit's message, or the comment's body. */
  readonly text: string;
  readonly branch: string;
  /** Where a comment goes: `owner/name` and the number of the issue. The run was started from issue 1 of `acme/app`. */
  readonly thread: { readonly repository: string; readonly number: number };
}

const DOORS: Readonly<Record<string, Door>> = {
  write_file: "files",
  commit: "message",
  gh_branch_create: "branch",
  gh_comment_issue: "comment",
};
/** Its path is harmless once it is normalised, and git keeps none that is not: no repository shows the difference. */
const WITHOUT_EVIDENCE = new Set(["path-014"]);
/** Rows that need more around them than one act of one bot: an advisory service that is down, an earlier comment, a stranger. */
const isAlone = ({ setup, id }: Row): boolean => (setup === "std" && !WITHOUT_EVIDENCE.has(id)) || id === "ok-deps-002";

/** Every row that one act of a bot plays, attacks first. The others are about tools, sandboxes and processes of one product. */
export function corpusCases(): readonly CorpusCase[] {
  return (["attacks", "benign"] as const).flatMap((file) =>
    rowsOf(file)
      .filter((row) => DOORS[row.tool] !== undefined && isAlone(row))
      .map((row) => caseOf(row, file === "attacks" ? "attack" : "benign")),
  );
}

function caseOf(row: Row, kind: CorpusCase["kind"]): CorpusCase {
  const { id, area, args, why, source } = row;
  const door = DOORS[row.tool] ?? "files";
  const text = (name: string): string => (typeof args[name] === "string" ? expand(args[name], context) : "");
  const expects = { BLOCK: "hold", WARN: "warn", ALLOW: "defuse" } as const;
  return {
    id,
    area,
    kind,
    door,
    expect: kind === "benign" ? "pass" : expects[row.expect],
    why,
    source,
    files: door === "files" ? filesOf(row) : { "src/a.ts": Buffer.from("export const a = 2\n") },
    text: door === "comment" ? text("body") : door === "message" ? text("message") : "Change a file",
    branch: door === "branch" ? text("name") : `bot/${id}`,
    thread: { repository: `acme/${typeof args["repo"] === "string" ? args["repo"] : "app"}`, number: Number(args["number"] ?? 1) },
  };
}

function filesOf(row: Row): CorpusCase["files"] {
  const edits = editsOf(row.id, context);
  if (edits !== undefined) return Object.fromEntries(Object.entries(edits).map(([path, after]) => [path, Buffer.from(after)]));
  const path = expand(String(row.args["path"]), context);
  return { [path]: contentOf(row.id, path, String(row.args["content"]), context) };
}
