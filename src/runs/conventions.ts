import { messageOf } from "../core/errors.ts";
import { stripHidden } from "../text/hidden.ts";
import type { CommitFiles } from "../workspace/commit-files.ts";
import type { RunContext } from "./run-context.ts";

/** How a repository wants pull requests and commits to look, as its base branch has it. */
export interface Conventions {
  /** The pull request template without its comments; absent where there is none, or several to choose from. */
  readonly template?: string;
}

/** Source: https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests */
const TEMPLATE = /^(?:\.github\/|docs\/)?pull_request_template(?:\.(?:md|txt))?$/i;
const IN_FOLDER = /^(?:\.github\/|docs\/)?pull_request_template\/[^/]+\.(?:md|txt)$/i;
const LONGEST_TEMPLATE = 10_000;

export async function readConventions(base: CommitFiles): Promise<Conventions> {
  const paths = base.paths();
  const folder = paths.filter((path) => IN_FOLDER.test(path));
  const path = paths.find((path) => TEMPLATE.test(path)) ?? (folder.length === 1 ? folder[0] : undefined);
  const bytes = path === undefined ? undefined : await base.file(path);
  const template = bytes === undefined ? "" : stripHidden(Buffer.from(bytes).toString("utf8").replaceAll("\r\n", "\n")).trim();
  return template === "" || template.length > LONGEST_TEMPLATE ? {} : { template };
}

const HEADING = /^ {0,3}#{1,6}[ \t]+\S.*$/m;

/**
 * A description in the repository's template. One that has a heading of the template was written to it; any other stands below the first
 * heading, or before a template without headings, and what the template asks beside it stays to be seen.
 */
export function inTemplate(description: string, template: string | undefined): string {
  if (template === undefined) return description;
  const headings = template.split("\n").filter((line) => HEADING.test(line));
  const plain = (line: string): string =>
    line
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
      .toLowerCase();
  const own = new Set(description.split("\n").map(plain));
  if (headings.some((heading) => own.has(plain(heading)))) return description;
  const [first] = headings;
  if (first === undefined) return description.includes(template) ? description : `${description.trim()}\n\n${template}`;
  const end = template.indexOf(first) + first.length;
  return `${template.slice(0, end)}\n\n${description.trim()}\n\n${template.slice(end).trim()}`.trim();
}

/** Commits that are looked at for a convention, and the share of them that must follow it. */
const LOOKED_AT = 30;
const SHARE = 0.6;
const LEAST = 3;
const SHOWN = 8;
/** Source: https://www.conventionalcommits.org, and the types that Angular's convention added. */
const CONVENTIONAL = /^(?:feat|fix|docs|chore|refactor|test|tests|ci|build|perf|style|revert)(?:\([^()\n]+\))?!?: \S/;

/** The latest commit titles of the base, and whether they follow Conventional Commits. None where GitHub does not say: it is a courtesy. */
export async function readCommitStyle(
  { reader, log }: Pick<RunContext, "reader" | "log">,
  commit: string,
): Promise<{ readonly titles: readonly string[]; readonly isConventional: boolean }> {
  try {
    const titles = (await reader.commitTitles({ sha: commit, limit: LOOKED_AT })).filter((title) => !title.startsWith("Merge "));
    const following = titles.filter((title) => CONVENTIONAL.test(title)).length;
    return { titles: titles.slice(0, SHOWN), isConventional: titles.length >= LEAST && following >= SHARE * titles.length };
  } catch (error) {
    log.debug({ error: messageOf(error) }, "the latest commits could not be read");
    return { titles: [], isConventional: false };
  }
}
