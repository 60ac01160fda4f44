import { followPush } from "../seed/pulls.ts";
import type { Repository, World } from "../state.ts";
import { deliver, type DeliverOptions } from "./deliver.ts";
import { pullRequestEvent, type WebhookEvent } from "./events.ts";

/**
 * What GitHub does after each write: tells the App, its own writes included, without waiting for the answer.
 * Without a target, or when the App does not listen to the event, nothing is sent; one that was sent before is sent again in any case.
 */
export function announce(world: World, event: WebhookEvent, options: DeliverOptions = {}): void {
  const isHeard = options.id !== undefined || world.app.events.includes(event.name);
  if (world.webhookTarget === undefined || !isHeard) return;
  const delivery = deliver(world, event, options).finally(() => world.pending.delete(delivery));
  world.pending.add(delivery);
}

/** Brings pull requests to a branch's new tip and announces those that moved. */
export function announcePush(world: World, repository: Repository, branch: string, sender: string): void {
  for (const { repository: base, pull, before } of followPush(world, repository, branch)) {
    const extra = { before, after: pull.headSha };
    announce(world, pullRequestEvent(world, base, pull, { action: "synchronize", sender, extra }));
  }
}

/** Resolves once no delivery is on its way any more, those included that an answered one has caused. */
export async function settled(world: World): Promise<void> {
  while (world.pending.size > 0) await Promise.allSettled(world.pending);
}
