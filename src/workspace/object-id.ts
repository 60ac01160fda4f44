import { createHash } from "node:crypto";

/** Whether this is a full git object id, in lower case, as every part of a run spells it. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** The header that git hashes and stores before an object's bytes. */
export function objectHeader(kind: "blob" | "tree" | "commit", size: number): Buffer {
  return Buffer.from(`${kind} ${size}\0`, "latin1");
}

/** Git's id of these bytes, computed here: nothing has to ask git what it would say. */
export function objectId(kind: "blob" | "tree" | "commit", bytes: Uint8Array): string {
  return createHash("sha1").update(objectHeader(kind, bytes.length)).update(bytes).digest("hex");
}
