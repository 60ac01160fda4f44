import { z } from "zod";
import { failed, ok } from "../../core/result.ts";
import { defineTool } from "../define-tool.ts";

export const READ_DIFF = "read_diff";

export const readDiff = defineTool({
  name: READ_DIFF,
  description:
    "Shows one part of the pull request's difference under review, the riskiest files first. Part 1 stands in the first message; each line bears the number by which gh_review_pr takes it.",
  effect: "read",
  parameters: z.object({ part: z.int().min(1).describe("Which part, from 1.") }),
  handler({ part }, { difference = [] }) {
    if (difference.length === 0) return failed("There is no difference under review in this run; git_diff compares commits.");
    const text = difference[part - 1];
    if (text === undefined) return failed(`There are ${difference.length} parts; part ${part} is none of them.`);
    const next = part < difference.length ? ` Part ${part + 1} is next.` : " It is the last one.";
    return ok(`Part ${part} of ${difference.length}.${next}\n\n${text}`);
  },
});

/** The part that a result of `read_diff` showed; undefined for any other text. */
export function partShown(result: string): number | undefined {
  const [, part] = /^Part (\d{1,6}) of \d{1,6}\. /.exec(result) ?? [];
  return part === undefined ? undefined : Number(part);
}
