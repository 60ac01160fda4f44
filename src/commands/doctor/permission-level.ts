const LEVELS = ["read", "write", "admin"];

/** Whether an App's permission is at least at a level; an absent one is none. Source: GitHub's permissions of GitHub Apps. */
export function holdsPermission(held: string | undefined, needed: string): boolean {
  return held !== undefined && LEVELS.indexOf(held) >= LEVELS.indexOf(needed);
}
