import { z } from "zod";
import { ok } from "../../core/result.ts";
import { defineTool } from "../define-tool.ts";
import { text } from "../tool-arguments.ts";
import { oneLine } from "./envelope.ts";

export const createBranch = defineTool({
  name: "gh_branch_create",
  description:
    "Reserves the run's own branch and says its name. The name is made from the thread's number and your wish, always under the bot's own prefix; a run has one branch, and it appears on GitHub with its first commit (gh_create_pr, or gh_commit_changes).",
  effect: "write",
  parameters: z.object({
    name: text(244, "What the branch should be called: a wish, of which letters and digits are used.").min(1),
    sha: text(64, "The commit that it starts at. Only the one that this run works on is possible, which is the default.")
      .regex(/^[0-9a-f]{7,64}$/, "must be a commit's id of at least 7 hexadecimal digits")
      .optional(),
  }),
  async handler({ name, sha }, { publisher, workspace }) {
    const others = sha !== undefined && !workspace.commit.startsWith(sha);
    const branch = await publisher.reserveBranch(name);
    const start = others
      ? ` It starts at ${workspace.commit}, the commit that this run works on: no other one is possible, since the change is judged against it.`
      : ` It starts at ${workspace.commit}.`;
    const wish = branch === name ? "" : ` (${oneLine(name)} was a wish)`;
    return ok(`This run's own branch is ${branch}${wish}.${start} It appears on GitHub with its first commit.`);
  },
});
