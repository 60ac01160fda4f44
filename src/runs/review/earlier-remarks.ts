import { ownRemarks } from "../../github/own-remarks.ts";
import { splitBody } from "../../review/place/suggestion.ts";
import { oneLine } from "../../text/code-span.ts";
import type { RunContext } from "../run-context.ts";
import { changedRemarks, type ChangedRemark, type Where } from "./changed-remarks.ts";

/** Remarks that are told, the newest ones, and characters of each. */
const MOST = 50;
const LONGEST = 300;
/** Answers below one that are told, the last ones. */
const MOST_ANSWERS = 5;

/**
 * The remarks that the bot has made on this pull request before, one a line: who knows them does not find other words for them. And, with more
 * of each, those whose lines have changed since. Empty where there are none.
 */
export async function earlierRemarks(
  context: Pick<RunContext, "session" | "request" | "settings" | "log">,
  where: Where,
): Promise<{ readonly earlier: string; readonly changed: string }> {
  const { session, request } = context;
  const made = await ownRemarks(session, request.repository, request.thread.number);
  const changed = await changedRemarks(context, where, made);
  const earlier = made
    .slice(-MOST)
    .map(({ path, body, isDismissed }) => `- ${JSON.stringify(path)}${isDismissed === true ? " (dismissed)" : ""}: ${inShort(body)}`)
    .join("\n");
  return { earlier, changed: changed.map(inFull).join("\n\n") };
}

function inFull({ id, path, body, answers, was, now, isGone }: ChangedRemark): string {
  const place = isGone ? "The file is not there any more." : now === undefined ? "" : `The place as it is now:\n${now}`;
  return [
    `Remark ${id} on ${JSON.stringify(path)}: ${inShort(body)}`,
    ...answers.slice(-MOST_ANSWERS).map((answer) => `${answer.isOwn ? "You answered" : "Somebody answered"}: ${inShort(answer.body)}`),
    `The lines that it was about:\n${was.map((row) => `  ${row}`).join("\n")}`,
    ...(place === "" ? [] : [place]),
  ].join("\n");
}

function inShort(body: string): string {
  const words = oneLine(splitBody({ body }).words);
  return words.length <= LONGEST ? words : `${words.slice(0, LONGEST).toWellFormed()}…`;
}
