/** The longest pointer; a larger file is none. Source: git-lfs, docs/spec.md, "The Pointer". */
const LONGEST = 1024;
const POINTER =
  /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\/v1\n(?:ext-\d-[^\n]*\n)*oid sha256:[0-9a-f]{64}\nsize (?<size>\d{1,15})\n?$/;

/** The size of the file that a Git LFS pointer stands for, in bytes; undefined for every other file. */
export function lfsSize(bytes: Uint8Array): number | undefined {
  if (bytes.length > LONGEST) return undefined;
  const size = POINTER.exec(new TextDecoder().decode(bytes))?.groups?.["size"];
  return size === undefined ? undefined : Number(size);
}
