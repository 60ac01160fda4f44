import { gzipSync } from "node:zlib";

/** SARIF as GitHub's upload takes it: gzip, base64. The same text gives the same bytes. */
export function packSarif(sarif: string): string {
  return gzipSync(sarif, { level: 9 }).toString("base64");
}
