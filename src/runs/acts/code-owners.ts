import { compileOwnerPattern } from "./owner-pattern.ts";

/** A line of CODEOWNERS that counts. */
interface OwnerRule {
  readonly matches: (path: string) => boolean;
  readonly owners: Owners;
}

/** Who owns a path. Names as they are written, without the `@`. */
export interface Owners {
  readonly users: readonly string[];
  /** `organisation/team` */
  readonly teams: readonly string[];
  /** Addresses: whose they are is not asked. */
  readonly addresses: readonly string[];
}

export interface CodeOwners {
  /** The owners by the last line that matches; undefined where none does. No owner at all where that line names none. */
  ownersOf(path: string): Owners | undefined;
  /** Lines, 1-based, that count for nothing: GitHub skips what it cannot read. */
  readonly skipped: readonly number[];
}

const USER = /^@[A-Za-z0-9][\w-]{0,99}$/;
const TEAM = /^@[A-Za-z0-9][\w-]{0,99}\/[\w.-]{1,100}$/;
const ADDRESS = /^[^@\s]+@[^@\s]+$/;

/**
 * Reads a CODEOWNERS file as GitHub describes it: a pattern and its owners on each line, the last that matches decides, what stands behind `#`
 * is a comment, and a line with anything that is none of these is skipped.
 * Source: https://docs.github.com/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
 */
export function parseCodeOwners(text: string): CodeOwners {
  const rules: OwnerRule[] = [];
  const skipped: number[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    const rule = ruleOf(line);
    if (rule === "skipped") skipped.push(index + 1);
    else if (rule !== undefined) rules.unshift(rule);
  }
  return { ownersOf: (path) => rules.find(({ matches }) => matches(path))?.owners, skipped };
}

function ruleOf(line: string): OwnerRule | "skipped" | undefined {
  const said = line.replace(/(?:^|[ \t])#.*$/, "").trim();
  if (said === "") return undefined;
  // A blank behind a backslash is a part of the path.
  const [pattern = ""] = /^(?:\\.|[^\s\\])+/.exec(said) ?? [];
  const behind = said.slice(pattern.length);
  const matches = /^\s|^$/.test(behind) ? compileOwnerPattern(pattern) : undefined;
  const words = behind.split(/\s+/).filter((word) => word !== "");
  if (matches === undefined || !words.every((word) => USER.test(word) || TEAM.test(word) || ADDRESS.test(word))) return "skipped";
  const named = (form: RegExp): readonly string[] => words.filter((word) => form.test(word)).map((word) => word.slice(1));
  return { matches, owners: { users: named(USER), teams: named(TEAM), addresses: words.filter((word) => ADDRESS.test(word)) } };
}
