import type { DiffFile } from "../diff/diff-file.ts";

/**
 * The file of the difference that a reviewer means: by its name, its old name, or the end of its name where only one file ends so. A name
 * that fits several files, or none, means none: a remark is never moved by a guess.
 */
export function findFile(files: readonly DiffFile[], path: string): DiffFile | undefined {
  const exact = files.find((file) => file.path === path) ?? only(files.filter((file) => file.previousPath === path));
  if (exact !== undefined) return exact;
  for (const spelling of spellings(path)) {
    const found = files.find((file) => file.path === spelling) ?? only(files.filter((file) => file.previousPath === spelling));
    if (found !== undefined) return found;
  }
  const end = `/${path.replace(/^(?:\.?\/)+/, "")}`;
  if (end === "/") return undefined;
  return only(files.filter((file) => file.path.endsWith(end))) ?? only(files.filter((file) => file.previousPath?.endsWith(end) === true));
}

/** Other ways to write a path: from the root, from here, with git's prefixes, in another Unicode form. */
function spellings(path: string): readonly string[] {
  const plain = path.replace(/^(?:\.?\/)+/, "");
  const ways = [plain, plain.replace(/^[ab]\//, "")];
  return [...new Set(ways.flatMap((way) => [way, way.normalize("NFC"), way.normalize("NFD")]))].filter((way) => way !== path && way !== "");
}

function only<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}
