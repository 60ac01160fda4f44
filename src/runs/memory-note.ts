import { listFacts } from "../store/memory.ts";
import type { Database } from "../store/sql.ts";
import { codeSpan } from "../text/code-span.ts";
import type { RunContext } from "./run-context.ts";

/** Facts that a report shows, and characters of one value: whoever keeps a fact must have seen all of it. */
const SHOWN = 10;
const LONGEST_VALUE = 2000;

/** What a run noted or wants to be forgotten, and how people let later runs know; undefined when it noted nothing. */
export async function memoryNote(
  { run, request }: Pick<RunContext, "run" | "request">,
  database: Database,
  handle: string,
): Promise<string | undefined> {
  const noted = (await listFacts(database, request.repository.id, run.id)).filter(({ state }) => state === "noted");
  if (noted.length === 0) return undefined;
  const lines = noted.slice(0, SHOWN).map(({ key, value }) => {
    const what = value === undefined ? "to be forgotten" : codeSpan(value, LONGEST_VALUE);
    return `- ${codeSpan(key)}: ${what} (${codeSpan(`@${handle} remember ${key}`, 200)})`;
  });
  const more = noted.length > SHOWN ? [`- and ${noted.length - SHOWN} more`] : [];
  return ["**Noted** for this run alone; the command behind it lets later runs know.\n", ...lines, ...more].join("\n");
}
