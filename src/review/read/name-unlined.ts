import type { DiffFile } from "../diff/diff-file.ts";
import type { ReadingPlan } from "./plan-reading.ts";
import { fileHeading } from "./show-lines.ts";

/** Names that are told; the receipt has them all. */
const MOST_NAMES = 50;
/** Reasons to show no line of a file that are the file's own: what it is called, and what happened to it, can be wrong all the same. */
const UNLINED: ReadonlySet<string> = new Set(["binary", "no line changed"]);

/**
 * The plan with the files of which there is no line to show named at the end of its first part: an image that does not belong there, a
 * rename, a mode. A difference that holds nothing else becomes one part.
 */
export function nameUnlined(plan: ReadingPlan, files: readonly DiffFile[]): ReadingPlan {
  const unlined = new Set(plan.skipped.flatMap(({ path, why }) => (UNLINED.has(why) ? [path] : [])));
  const named = files.filter(({ path }) => unlined.has(path));
  if (named.length === 0) return plan;
  const rows = named.slice(0, MOST_NAMES).map((file) => `${fileHeading(file)}${file.isBinary ? ", binary" : ""}`);
  const rest = named.length - rows.length;
  const text = ["Changed as well, without a line to show:", ...rows, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
  const [first = { text: "", pieces: [] }, ...others] = plan.parts;
  return { ...plan, parts: [{ ...first, text: first.text === "" ? text : `${first.text}\n\n${text}` }, ...others] };
}
