import { createHash } from "node:crypto";

/** Git's id of a blob with these bytes, 40 hex digits. */
export function blobId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** SHA-256 of bytes or of a text's UTF-8, hex. */
export function sha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}
