import { addComment } from "../seed/threads.ts";
import type { IssueComment, Repository, World } from "../state.ts";
import { deliver, type DeliverOptions } from "./deliver.ts";
import type { Delivery } from "./delivery.ts";
import { issueCommentEvent } from "./events.ts";

/** Writes a comment on an issue or pull request as somebody, and delivers its webhook; answers both. */
export async function say(
  world: World,
  named: string | Repository,
  number: number,
  text: string,
  user: string,
  options: DeliverOptions = {},
): Promise<{ readonly comment: IssueComment; readonly delivery: Delivery }> {
  const comment = addComment(world, named, number, { body: text, user });
  const delivery = await deliver(world, issueCommentEvent(world, named, comment), options);
  return { comment, delivery };
}
