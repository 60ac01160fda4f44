import { isAlias, isMap, isScalar, isSeq } from "yaml";
import type { Document } from "yaml";

/** Where a path's last key begins in the text, or the last of its keys that is there. */
export function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
      if (!isScalar(pair?.key)) return offset;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(segment)];
      if (isScalar(node)) offset = node.range?.[0] ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

/** The last key of the file's first level that stands before an offset; empty when there is none. */
export function keyBefore({ contents }: Document, offset: number): string {
  if (!isMap(contents)) return "";
  const keys = contents.items.flatMap(({ key }) => (isScalar(key) && (key.range?.[0] ?? offset) < offset ? [String(key.value)] : []));
  return keys.at(-1) ?? "";
}
