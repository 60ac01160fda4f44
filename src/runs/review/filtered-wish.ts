import type { RunView } from "../../core/run.ts";
import type { ExtensionHost } from "../../extensions/host.ts";
import type { ReviewWish } from "../../tools/tool.ts";

/** What is to be posted, with its remarks as extensions want them. @throws {ExtensionFault} for a filter that breaks its contract. */
export async function filteredWish(wish: ReviewWish, { filter }: Pick<ExtensionHost, "filter">, run: RunView): Promise<ReviewWish> {
  if (wish.comments.length === 0) return wish;
  return { ...wish, comments: await filter("review.findings", wish.comments, run, whyNoFindings) };
}

/** Why something is no list of remarks; their places and texts can be wrong, as a model's can. */
function whyNoFindings(answer: unknown): string | undefined {
  const isRemark = (one: unknown): boolean => {
    const { path, line, body } = (one ?? {}) as { readonly path?: unknown; readonly line?: unknown; readonly body?: unknown };
    return typeof path === "string" && Number.isInteger(line) && typeof body === "string";
  };
  return Array.isArray(answer) && answer.every(isRemark) ? undefined : "answered something that is no list of remarks";
}
