import { messageOf } from "../../core/errors.ts";
import { GitHubError } from "../../github/errors.ts";
import { ownRemarks, type OwnRemark } from "../../github/own-remarks.ts";
import { readConversations } from "../../github/review-conversations.ts";
import { agrees } from "../../review/recheck/agrees.ts";
import { linesThen, placeNow, standsIn } from "../../review/recheck/place-now.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { whyLeftAlone } from "../../review/read/why-skipped.ts";
import type { RunContext } from "../run-context.ts";
import { pathsShown, type Reading } from "./reading.ts";

/** A remark of the bot's own whose lines are not what they were, in a conversation that is open. */
export interface ChangedRemark {
  readonly id: number;
  readonly threadId: string;
  readonly path: string;
  readonly body: string;
  readonly answers: OwnRemark["answers"];
  /** The lines that it was about. */
  readonly was: readonly string[];
  /** The place as it is now, its lines numbered; absent where it cannot be told. */
  readonly now?: string;
  /** Its file is not there any more, under this name. */
  readonly isGone: boolean;
}

/** Most of them that one review is asked about, the oldest first. */
const MOST = 30;

/** Files that are looked through for lines whose own file is gone. */
const MOST_LOOKED = 100;

export interface Where {
  readonly workspace: Pick<Workspace, "read">;
  /** What the review reads. */
  readonly reading: Reading;
}

/**
 * The bot's own remarks on this pull request that may have been put right since: on the new side, not waved away, their lines stand in their
 * file no more, their conversation is open, and nobody else has had the last word there, unless to agree. Only such whose place the review is
 * shown. Empty where GitHub does not tell of conversations: those stay open.
 */
export async function changedRemarks(
  { session, request, settings, log }: Pick<RunContext, "session" | "request" | "settings" | "log">,
  where: Where,
  made?: readonly OwnRemark[],
): Promise<readonly ChangedRemark[]> {
  const remarks = made ?? (await ownRemarks(session, request.repository, request.thread.number));
  const leftAlone = whyLeftAlone(settings.review);
  const shown = new Set(pathsShown(where.reading));
  const changed: Omit<ChangedRemark, "threadId">[] = [];
  for (const remark of remarks) {
    const one = isOpenTo(remark) && leftAlone(remark.path) === undefined ? await changeOf(remark, where) : undefined;
    if (one !== undefined && (one.now !== undefined || one.isGone || shown.has(one.path))) changed.push(one);
  }
  if (changed.length === 0) return [];
  try {
    const conversations = await readConversations(session, request.repository, request.thread.number);
    const open = new Map(conversations.filter((one) => !one.isResolved && one.canResolve).map(({ root, id }) => [root, id]));
    return changed
      .flatMap((remark) => {
        const threadId = open.get(remark.id);
        return threadId === undefined ? [] : [{ ...remark, threadId }];
      })
      .slice(0, MOST);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    log.warn({ error: messageOf(error) }, "the conversations of a pull request cannot be read; none is resolved");
    return [];
  }
}

function isOpenTo({ side, isDismissed, answers }: OwnRemark): boolean {
  const last = answers.at(-1);
  return side === "RIGHT" && isDismissed !== true && (last === undefined || last.isOwn || agrees(last.body));
}

/** A remark whose lines are not in its file any more; undefined where they are, or where that cannot be told. */
async function changeOf(remark: OwnRemark, { workspace, reading }: Where): Promise<Omit<ChangedRemark, "threadId"> | undefined> {
  const { id, path, body, answers } = remark;
  const was = linesThen(remark);
  if (was === undefined) return undefined;
  const found = await workspace.read(path);
  if (found.status !== "file" && found.status !== "missing") return undefined;
  const text = found.status === "file" ? textOf(found) : "";
  if (standsIn(was, text)) return undefined;
  // A file that got another name took its lines along.
  const others = found.status === "missing" ? reading.files : [];
  for (const other of others.slice(0, MOST_LOOKED)) {
    const there = await workspace.read(other.path);
    if (there.status === "file" && standsIn(was, textOf(there))) return undefined;
  }
  const now = placeNow(remark, text);
  return { id, path, body, answers, was, isGone: found.status === "missing", ...(now === undefined ? {} : { now }) };
}

function textOf({ bytes }: { readonly bytes: Uint8Array }): string {
  return Buffer.from(bytes).toString("utf8");
}
