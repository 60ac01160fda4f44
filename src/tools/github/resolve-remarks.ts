import { z } from "zod";
import { submittedResult } from "../decision-result.ts";
import { defineTool } from "../define-tool.ts";
import type { Resolved } from "../tool.ts";

/** The tool by which a reviewer says of its earlier remarks that they were put right. */
export const RESOLVE = "gh_resolve_remarks";

const MOST = 50;

export const resolveRemarks = defineTool({
  name: RESOLVE,
  description:
    "Resolves the conversations of earlier remarks of this bot that were put right since: of those that the conversation began with, by their numbers. Name only those whose place you have looked at again and where what the remark says holds no more.",
  effect: "write",
  parameters: z.object({
    remarks: z.array(z.int().min(1)).min(1).max(MOST).describe("The numbers of the remarks that were put right."),
  }),
  async handler({ remarks }, { publisher }) {
    const submitted = await publisher.resolve(remarks);
    return submittedResult(submitted, () => (submitted.status === "done" ? saidOf(submitted) : ""));
  },
});

function saidOf({ resolved, left }: Extract<Resolved, { status: "done" }>): string {
  const rest = left.length === 0 ? "" : ` Left as they are, since they are none of those that may be resolved: ${left.join(", ")}.`;
  return `resolved: ${resolved.length}.${rest}`;
}
