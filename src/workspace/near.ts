/** Most suggestions that are worth reading. */
const MOST = 3;

/** Paths that somebody who asked for `path` may have meant: the same name elsewhere first, then names that differ by little. */
export function nearMisses(path: string, candidates: Iterable<string>): string[] {
  const name = lastSegment(path).toLowerCase();
  const stem = stemOf(name);
  const scored: { readonly candidate: string; readonly score: number }[] = [];
  for (const candidate of candidates) {
    const other = lastSegment(candidate).toLowerCase();
    const score = candidate.toLowerCase() === path.toLowerCase() ? 0 : other === name ? 1 : likeness(stem, stemOf(other), name, other);
    if (score < 5) scored.push({ candidate, score });
  }
  scored.sort(
    (a, b) =>
      a.score - b.score || sharedFolders(b.candidate, path) - sharedFolders(a.candidate, path) || (a.candidate < b.candidate ? -1 : 1),
  );
  return scored.slice(0, MOST).map(({ candidate }) => candidate);
}

/** 2 for another extension, 3 and 4 for one and two typing slips, 5 for something else. */
function likeness(stem: string, otherStem: string, name: string, other: string): number {
  if (stem === otherStem && stem.length > 1) return 2;
  if (Math.abs(name.length - other.length) > 2 || name.length < 4) return 5;
  const slips = distance(name, other);
  return slips <= 2 ? 2 + slips : 5;
}

/** Levenshtein distance; both names are shorter than 256. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function sharedFolders(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared += 1;
  return shared;
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.]*$/, "");
