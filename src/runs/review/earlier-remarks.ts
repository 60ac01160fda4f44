import { ownRemarks } from "../../github/own-remarks.ts";
import { splitBody } from "../../review/place/suggestion.ts";
import { oneLine } from "../../text/code-span.ts";
import type { RunContext } from "../run-context.ts";

/** Remarks that are told, the newest ones, and characters of each. */
const MOST = 50;
const LONGEST = 300;

/**
 * The remarks that the bot has made on this pull request before, one a line: who knows them does not find other words for them. Empty where
 * there are none.
 */
export async function earlierRemarks({ session, request }: Pick<RunContext, "session" | "request">): Promise<string> {
  const made = await ownRemarks(session, request.repository, request.thread.number);
  return made
    .slice(-MOST)
    .map(({ path, body, isDismissed }) => {
      const words = oneLine(splitBody({ body }).words);
      const shown = words.length <= LONGEST ? words : `${words.slice(0, LONGEST).toWellFormed()}…`;
      return `- ${JSON.stringify(path)}${isDismissed === true ? " (dismissed)" : ""}: ${shown}`;
    })
    .join("\n");
}
