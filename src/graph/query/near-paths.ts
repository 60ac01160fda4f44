import { nearest } from "../../text/nearest.ts";

const MOST = 3;

/** Paths that may be meant by one that is not there: the same name in other folders first, then the most alike one. */
export function nearPaths(path: string, known: Iterable<string>): readonly string[] {
  const name = lastName(path).toLowerCase();
  const same: string[] = [];
  const beside: string[] = [];
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  for (const one of known) {
    if (lastName(one).toLowerCase() === name) same.push(one);
    else if (one.startsWith(folder) && !one.slice(folder.length).includes("/")) beside.push(one);
  }
  if (same.length > 0) return same.slice(0, MOST);
  const alike = nearest(path, beside);
  return alike === undefined ? [] : [alike];
}

const lastName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
