import { SallyportError } from "../core/errors.ts";

/** Longest slug, in characters: the name stays readable in lists, and far from git's and the file system's limits. */
const LONGEST_SLUG = 40;
const MOST_SUFFIXES = 1000;
const PREFIX = "sallyport";

export interface BranchWish {
  /** The thread's number, or the run's id where there is no thread. */
  readonly number: number | string;
  /** Hostile text; only its ASCII letters and digits survive. */
  readonly title: string;
  /** Whether a branch of this name exists. */
  readonly taken: (name: string) => boolean;
  readonly prefix?: string;
}

/**
 * Names a run's branch: `<prefix>/<number>-<slug>`, without a slug `<prefix>/<number>`, with `-2`, `-3` … where that is taken. Where the
 * prefix is itself a branch, git has no room for names below it, so a dash takes the slash's place.
 * @throws {SallyportError} when a thousand such names are taken.
 */
export function nameBranch({ number, title, taken, prefix = PREFIX }: BranchWish): string {
  const stem = [`${prefix}${taken(prefix) ? "-" : "/"}${slugOf(String(number))}`, slugOf(title)].filter((part) => part !== "").join("-");
  if (!taken(stem)) return stem;
  for (let suffix = 2; suffix <= MOST_SUFFIXES; suffix++) if (!taken(`${stem}-${suffix}`)) return `${stem}-${suffix}`;
  throw new SallyportError(`${MOST_SUFFIXES} branches named ${stem} exist already.`, {
    code: "branch-names-used-up",
    hint: "Delete the old branches of this thread.",
  });
}

/** Whether `nameBranch` could have given this name to the run with this number. */
export function isOwnBranch(
  branch: string,
  { number, prefix = PREFIX }: { readonly number: number | string; readonly prefix?: string },
): boolean {
  const rest = ["/", "-"]
    .map((joint) => `${prefix}${joint}${slugOf(String(number))}`)
    .find((stem) => branch === stem || branch.startsWith(`${stem}-`));
  return rest !== undefined && /^(-[a-z0-9]+)*$/.test(branch.slice(rest.length));
}

function slugOf(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, LONGEST_SLUG)
    .replace(/-$/, "");
}
