import type { Caller } from "./access/authenticate.ts";
import { notFound } from "./api-error.ts";
import type { RecordedRequest } from "./record.ts";
import type { Answer } from "./route.ts";
import type { World } from "./state.ts";
import { storedAt } from "./storage.ts";

/** A page outside the API: what people dropped into comments. Undefined for every other page. */
export function answerAttachment(world: World, caller: Caller, request: RecordedRequest): Answer | undefined {
  const id = /^\/user-attachments\/assets\/([\w-]+)$/.exec(request.path)?.[1];
  if (request.method !== "GET" || id === undefined) return undefined;
  const attachment = world.attachments.get(id);
  // What one may not see does not exist.
  if (attachment === undefined || (attachment.isPrivate && caller.kind !== "installation" && caller.kind !== "user")) throw notFound();
  return { status: 302, headers: { location: storedAt(world, `attachments/${id}`) } };
}
