import { randomUUID } from "node:crypto";
import type { World } from "../state.ts";

/** Uploads a file as people drop it into a comment, and answers the address that stands in the comment then. */
export function addAttachment(world: World, bytes: Uint8Array, { isPrivate = false } = {}): string {
  const id = randomUUID();
  world.attachments.set(id, { bytes, isPrivate });
  return `${world.origin}/user-attachments/assets/${id}`;
}
