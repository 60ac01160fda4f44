import { z } from "zod";
import { SEVERITIES } from "../../core/remark-severity.ts";
import { submittedResult } from "../decision-result.ts";
import { defineTool } from "../define-tool.ts";
import { checkArguments, saidPath, text } from "../tool-arguments.ts";
import type { ReviewSubmitted, ReviewWish } from "../tool.ts";
import { body } from "./texts.ts";

const LONGEST_SUGGESTION = 100_000;
const MOST_REMARKS = 200;
const LONGEST_CATEGORY = 40;
const LONGEST_EVIDENCE = 4_000;

const remark = z.object({
  path: saidPath("The file, relative to the repository root, as the difference names it."),
  line: z.int().describe("The line that is meant, or the last of several: its number in the new file, or in the old one with side LEFT."),
  side: z
    .enum(["LEFT", "RIGHT"])
    .optional()
    .describe("RIGHT (default): the file as it is now. LEFT: as it was, for lines that were removed."),
  start_line: z.int().optional().describe("The first line, when several are meant, on the same side."),
  body: body("What is wrong, and why. Markdown.").min(1),
  suggestion: text(
    LONGEST_SUGGESTION,
    "What should stand instead of exactly these lines, with their indentation and without diff markers; empty to delete them.",
  ).optional(),
  severity: z
    .enum(SEVERITIES)
    .optional()
    .describe("How much it matters: critical (breaks, leaks or loses something), major (wrong in cases that occur), minor, nit."),
  category: text(LONGEST_CATEGORY, "A word or two for what it is about, such as security, correctness or tests.").optional(),
  evidence: text(LONGEST_EVIDENCE, "What it rests on: the case in which it goes wrong, the lines that show it, as path:line.").optional(),
});

/** The tool by which a model makes its remarks. */
export const REVIEW = "gh_review_pr";

const parameters = z.object({
  number: z.int().min(1).describe("The pull request's number."),
  body: body("The review in a few sentences: what matters most. No praise, no retelling of the change."),
  event: z.enum(["COMMENT", "APPROVE", "REQUEST_CHANGES"]).optional().describe("The verdict, said in words only."),
  comments: z.array(remark).max(MOST_REMARKS).optional().describe("The remarks, each about some lines."),
});

/** What a call asked for, from its raw arguments; undefined where they are none of this tool's. */
export function reviewWish(args: string): ReviewWish | undefined {
  let value: unknown;
  try {
    value = JSON.parse(args);
  } catch {
    return undefined;
  }
  const checked = checkArguments(parameters.strict(), REVIEW, value);
  if (!checked.ok) return undefined;
  const { number, body: words, event, comments = [] } = checked.value;
  return { number, body: words, event, comments };
}

export const reviewPullRequest = defineTool({
  name: REVIEW,
  description:
    "Posts one review on the pull request that this run is about: all remarks together, each on lines of its difference. Lines that are not part of the difference are said in the review's body. Remarks that were made before on this pull request are left out. It is always published as a comment; a verdict is said in words. Do not call it when there is nothing to remark.",
  effect: "write",
  parameters,
  async handler({ number, body, event, comments = [] }, { publisher }) {
    if (body.trim() === "" && comments.length === 0) {
      return { status: "error", text: "The review says nothing: give it a body or remarks, or do not post it." };
    }
    const submitted = await publisher.review({ number, body, comments, ...(event === undefined ? {} : { event }) });
    return submittedResult(submitted, ({ url }) => `${saidOf(number, submitted)}${url === undefined ? "" : ` ${url}`}`);
  },
});

/** How many remarks a call has posted, by what it was answered; none where that was no review. */
export function postedBy(text: string): number {
  const [, onLines = "0", inBody = "0"] = /^[^\n]*?: (\d+) on lines, (\d+) in the body/.exec(text) ?? [];
  return Number(onLines) + Number(inBody);
}

/** What a call's answer says of how its suggestions were tried; nothing where they were not. */
export function checkedBy(text: string): string {
  return /(?:^|[.] )(Suggestions: \d+ of \d+ tried by the tests(?:; [^\n]{1,400}?)?\.)(?: http|$)/m.exec(text)?.[1] ?? "";
}

function saidOf(number: number, submitted: ReviewSubmitted): string {
  if (submitted.status !== "done") return "";
  const { as, placed, leftOut, checked } = submitted;
  const { onLines, inBody, repeated } = placed;
  const left = leftOut === undefined ? "" : ` ${leftOut}`;
  if (as === "nothing") {
    const why =
      leftOut === undefined || repeated > 0
        ? ` ${repeated === 1 ? "It was" : "All of it was"} remarked on #${number} before, and a remark is made once.`
        : "";
    return `Nothing was posted.${why}${left} That is no fault: do not post it again.`;
  }
  const kind = as === "review" ? `Reviewed #${number}` : `GitHub took no review of #${number}; its remarks stand in a comment`;
  const parts = [`${onLines} on lines`, `${inBody} in the body`, ...(repeated === 0 ? [] : [`${repeated} left out, made before`])];
  return `${kind}: ${parts.join(", ")}.${left}${checked === undefined ? "" : ` ${checked}`}`;
}
