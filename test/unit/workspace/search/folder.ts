import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder with these files, inside one whose own ignore files would hide everything, if they were asked. */
export function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const above = mkdtempSync(join(tmpdir(), "search-"));
  const directory = join(above, "work");
  for (const name of [".gitignore", ".ignore"]) writeFileSync(join(above, name), "*\n");
  mkdirSync(directory);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}
