import type { Resolved } from "../../tools/tool.ts";
import type { RunContext } from "../run-context.ts";
import { resolveKey } from "../submit.ts";
import { changedRemarks, type Where } from "./changed-remarks.ts";

/**
 * Resolves the conversations of the bot's own remarks that its reviewer says were put right. What the reviewer says is not enough: each is one
 * that may be resolved as GitHub and the workspace have it now, whoever has answered meanwhile.
 * @throws {GitHubError} where another try may mend it.
 */
export async function resolveRemarks(context: RunContext, where: Where, wanted: readonly number[]): Promise<Resolved> {
  const { request, submit } = context;
  const open = new Map((await changedRemarks(context, where)).map((remark) => [remark.id, remark]));
  const resolved: number[] = [];
  const left: number[] = [];
  for (const id of new Set(wanted)) {
    const remark = open.get(id);
    if (remark === undefined) {
      left.push(id);
      continue;
    }
    const { threadId } = remark;
    const { repository, thread } = request;
    const operation = { kind: "resolve-thread", repository, number: thread.number, commentId: id, threadId } as const;
    const submission = await submit(operation, { key: resolveKey(id, threadId) });
    if (submission.status === "refused") return submission;
    resolved.push(id);
  }
  return { status: "done", decision: { verdict: "allow", findings: [] }, resolved, left };
}
