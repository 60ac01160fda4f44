import { showHidden } from "./show-hidden.ts";

/** A path as it stands in a result: as it is, or as JSON text where blanks or quotes at its ends, control or hidden characters would mislead. */
export function showPath(path: string): string {
  const plain = path.trim() === path && !/^"|[\u0000-\u001f\u007f]/.test(path) && showHidden(path) === path;
  return plain ? path : JSON.stringify(path);
}
