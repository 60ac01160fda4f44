import { z } from "zod";
import { submittedResult } from "../decision-result.ts";
import { defineTool } from "../define-tool.ts";
import { body } from "./texts.ts";

export const commentIssue = defineTool({
  name: "gh_comment_issue",
  description:
    "Writes a comment on the issue or pull request that started this run, or on the pull request that this run opened; other threads are refused. Your last words are published anyway: comment only what must be said before the end.",
  effect: "write",
  parameters: z.object({
    number: z.int().min(1).describe("The number of the issue or pull request."),
    body: body("The comment, in Markdown.").min(1),
  }),
  async handler({ number, body }, { publisher }) {
    return submittedResult(
      await publisher.comment(number, body),
      ({ url }) => `Commented on #${number}${url === undefined ? "" : `: ${url}`}.`,
    );
  },
});
