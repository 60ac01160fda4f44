import { z } from "zod";
import { submittedResult } from "../decision-result.ts";
import { defineTool } from "../define-tool.ts";
import { text } from "../tool-arguments.ts";
import { body } from "./texts.ts";

/** GitHub's limit on titles, in characters. */
const LONGEST_TITLE = 256;
const LONGEST_MESSAGE = 10_000;
const LONGEST_BRANCH = 244;

export const createPullRequest = defineTool({
  name: "gh_create_pr",
  description:
    "Publishes everything that this run has changed in the repository's files as one commit on the run's own branch and opens a pull request. The whole change is judged first; a refusal names the rule. The branch is named for you, and the pull request closes the issue that started the run.",
  effect: "write",
  parameters: z.object({
    title: text(LONGEST_TITLE, "One line that says what the change does.")
      .min(1)
      .refine((value) => !/[\r\n]/.test(value), "must be one line"),
    body: body("What was changed, why, and how it was tested, in Markdown."),
    base: text(LONGEST_BRANCH, "The branch to open it against. Default: the one that the run is for.").min(1).optional(),
    draft: z.boolean().optional().describe("Whether it is a draft, for unfinished work. Default: false."),
    message: text(LONGEST_MESSAGE, "The commit message, where it is to be another than the title.").min(1).optional(),
  }),
  async handler({ title, body, base, draft, message }, { publisher }) {
    const wish = {
      title,
      body,
      ...(base === undefined ? {} : { base }),
      ...(draft === undefined ? {} : { draft }),
      ...(message === undefined ? {} : { message }),
    };
    return submittedResult(
      await publisher.openPullRequest(wish),
      ({ id, url }) => `Opened ${draft === true ? "draft " : ""}pull request${numbered(id)}${addressed(url)}.`,
    );
  },
});

export const commitChanges = defineTool({
  name: "gh_commit_changes",
  description:
    "Publishes everything that this run has changed as one commit on the branch it works on: the head of the pull request that started it, or the run's own branch. The whole change is judged first; a refusal names the rule.",
  effect: "write",
  parameters: z.object({
    message: text(LONGEST_MESSAGE, "The commit message: one line, and after an empty line what else must be said.").min(1),
    title: text(LONGEST_TITLE, "The message's first line, where it stands apart from the message.").optional(),
    body: text(LONGEST_MESSAGE, "More words behind the message.").optional(),
  }),
  async handler({ message, title = "", body = "" }, { publisher }) {
    // Models say the same in several places: each text stands once.
    const said = [message.startsWith(title.trim()) ? "" : title, message, message.includes(body.trim()) ? "" : body];
    return submittedResult(
      await publisher.commit(
        said
          .map((part) => part.trim())
          .filter(Boolean)
          .join("\n\n"),
      ),
      ({ url }) => `Committed the changes${addressed(url)}.`,
    );
  },
});

function numbered(id: number | undefined): string {
  return id === undefined ? "" : ` #${id}`;
}

function addressed(url: string | undefined): string {
  return url === undefined ? "" : `: ${url}`;
}
