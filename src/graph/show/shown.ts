import { stripInvisible } from "../../text/hidden.ts";
import type { GraphSymbol } from "../graph.ts";

/** A path or a name as it stands in an answer: as it is, or as JSON where blanks at its ends, control or hidden characters would mislead. */
export function shown(name: string): string {
  const plain = name.trim() === name && !/^"|[\u0000-\u001f\u007f]/.test(name) && stripInvisible(name) === name;
  return plain
    ? name
    : JSON.stringify(name).replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** `method MemoryStore.save`; a file by its path. */
export function symbolTitle({ kind, qualified, path }: Pick<GraphSymbol, "kind" | "qualified" | "path">): string {
  return kind === "module" ? `file ${shown(path)}` : `${kind} ${shown(qualified)}`;
}
