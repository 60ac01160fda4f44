import { z } from "zod";

/** Whose data is to go. */
export type Goodbye = { readonly installationId: number } | { readonly repositoryIds: readonly number[] };

const id = z.int().positive();
const acted = z.object({ action: z.string() });
const uninstalled = z.object({ installation: z.object({ id }) });
const removed = z.object({ repositories_removed: z.array(z.object({ id })) });
const deleted = z.object({ repository: z.object({ id }) });

/**
 * What an event says goodbye to: the App was uninstalled, repositories were taken from it, or one was deleted. Undefined for every other event.
 * Source: https://docs.github.com/webhooks/webhook-events-and-payloads#installation
 */
export function goodbyeOf(event: string, payload: unknown): Goodbye | undefined {
  // Schemas are made once: making one takes longer than all else that is done with a delivery.
  switch (`${event}.${acted.safeParse(payload).data?.action}`) {
    case "installation.deleted": {
      const read = uninstalled.safeParse(payload).data;
      return read === undefined ? undefined : { installationId: read.installation.id };
    }
    case "installation_repositories.removed": {
      const read = removed.safeParse(payload).data;
      return read === undefined ? undefined : { repositoryIds: read.repositories_removed.map((one) => one.id) };
    }
    case "repository.deleted": {
      const read = deleted.safeParse(payload).data;
      return read === undefined ? undefined : { repositoryIds: [read.repository.id] };
    }
    default:
      return undefined;
  }
}
