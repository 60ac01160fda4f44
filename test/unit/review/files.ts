import type { DiffFile } from "../../../src/review/diff/diff-file.ts";
import { parseHunks } from "../../../src/review/diff/parse-hunks.ts";

/** A changed file of a difference, by its patch. */
export function diffFile(path: string, patch = "@@ -1 +1 @@\n-a\n+b", more: Partial<DiffFile> = {}): DiffFile {
  const blobs = ["1".repeat(40), "2".repeat(40)] as const;
  return { path, status: "modified", modes: ["100644", "100644"], blobs, isBinary: false, hunks: parseHunks(patch), ...more };
}

/** A patch that adds some lines to an empty file. */
export function added(rows: readonly string[]): string {
  return `@@ -0,0 +1,${rows.length} @@\n${rows.map((row) => `+${row}`).join("\n")}`;
}
