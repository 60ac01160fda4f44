import type { Message } from "../core/conversation.ts";
import type { ChangedFile } from "../core/pull-details.ts";
import type { PullPin, RunRequest } from "../core/run.ts";
import type { Fact } from "../tools/memory/memory.ts";
import { type Piece, wrapPieces } from "./envelope.ts";
import { HELP_PARTS_1 } from "./prompts/help-1.ts";
import { REVIEW_1 } from "./prompts/review-1.ts";

interface ThreadComment {
  readonly author: string;
  readonly createdAt: string;
  readonly body: string;
}

/** Remarks on one place of a pull request, with the hunk they stand at. Hostile texts. */
export interface RemarkThread {
  readonly path: string;
  readonly line?: number;
  /** Unified, as GitHub has it; its last line is the one that the remarks are on. */
  readonly hunk: string;
  /** Oldest first. */
  readonly comments: readonly ThreadComment[];
}

/** The pull request that a run works on. */
export interface PullContext extends Pick<PullPin, "headRef" | "baseRef" | "sameRepository"> {
  readonly files: readonly ChangedFile[];
  /** All that it changes, listed or not. */
  readonly changedFiles: number;
}

/** What a repository's maintainers say about working on it, as the base branch has it. */
export interface Guidance {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Paths of more, for parts of the repository. */
  readonly further: readonly string[];
  /** The pull request template. */
  readonly template?: string;
  /** The latest commit titles, newest first, and whether they follow Conventional Commits. */
  readonly commits?: { readonly titles: readonly string[]; readonly isConventional: boolean };
}

/** What the code graph can say of the places that a request names, for the beginning of a conversation; undefined when that is nothing. */
export type ContextPack = (about: {
  readonly text: string;
  readonly files: readonly string[];
  readonly commit: string;
}) => Promise<string | undefined>;

export interface OpeningOptions {
  readonly runId: string;
  readonly request: RunRequest;
  readonly system: string;
  readonly guidance?: Guidance;
  /** What the code graph has to say of what the request names; `undefined` where there is none. */
  readonly contextPack?: string;
  /** What people keep of what earlier runs noted about the repository. */
  readonly facts?: readonly Fact[];
  readonly pull?: PullContext;
  /** The first part of the pull request's difference, and how many there are. */
  readonly difference?: { readonly text: string; readonly of: number };
  /** The review conversations that the request is part of. */
  readonly remarks?: readonly RemarkThread[];
  /** Oldest first, the request's own comment not among them. */
  readonly threadComments?: readonly ThreadComment[];
  /** Who opened the thread, where that is known. */
  readonly threadAuthor?: string;
  /** Comments that exist and are not given here. */
  readonly omittedComments?: number;
}

/** Characters of one text of the thread, and of all comments together; the newest are kept. The request itself is never cut. */
const LONGEST_TEXT = 20_000;
const LONGEST_COMMENTS = 60_000;
const LONGEST_HUNK = 6_000;
const LONGEST_PACK = 30_000;
const LONGEST_FACTS = 8_000;
const LISTED_FILES = 300;
const NAMED_FURTHER = 30;

/** The messages before the first turn. The same options give the same bytes. */
export function openingMessages(options: OpeningOptions): readonly Message[] {
  const { runId, request, system, guidance = { files: [], further: [] }, pull, remarks = [] } = options;
  const { repository, thread } = request;
  const name = `${thread.kind === "issue" ? "issue" : "pull request"} #${thread.number}`;
  const { kept, omitted } = newest(options.threadComments ?? []);
  const asked: Piece = { origin: `request on ${name}`, author: request.actor.login, trust: "asker", text: request.text };
  const standing: readonly Piece[] = [
    ...guidance.files.map(({ path, text }): Piece => ({ origin: `${path} on the base branch`, trust: "repository", text })),
    ...further(guidance),
    ...customs(guidance),
    ...remembered(options.facts ?? []),
    {
      origin: "code graph of the workspace, for what the request names",
      trust: "thread",
      text: options.contextPack ?? "",
      longest: LONGEST_PACK,
    },
  ];
  const author = options.threadAuthor === undefined ? {} : { author: options.threadAuthor };
  const said: readonly Piece[] = [
    { origin: `${name} title`, ...author, trust: "thread", text: request.title, longest: 1000 },
    { origin: `${name} body`, ...author, trust: "thread", text: request.body, longest: LONGEST_TEXT },
    { origin: `${name} changed files`, trust: "thread", text: pull === undefined ? "" : listed(pull), longest: LONGEST_TEXT },
    ...changed(name, options.difference),
    ...kept.map((comment) => commentPiece(`${name} comment of ${comment.createdAt}`, comment)),
    ...remarks.flatMap(remarkPieces),
  ];
  const isThere = ({ text }: Piece): boolean => text.trim() !== "";
  const before = standing.filter(isThere);
  const [wrappedRequest = "", ...wrapped] = wrapPieces(runId, [asked, ...before, ...said.filter(isThere)]);
  const missing = omitted + (options.omittedComments ?? 0);
  const parts = [
    ...(before.length === 0 ? [] : ["What is known of this repository before anything was asked:", ...wrapped.slice(0, before.length)]),
    `Repository ${repository.owner}/${repository.name}, ${name}.${pull === undefined ? "" : ` ${ends(pull)}`} The thread so far:`,
    ...wrapped.slice(before.length),
    ...(options.difference === undefined ? [] : [REVIEW_1.diff, ...(options.difference.of > 1 ? [HELP_PARTS_1] : [])]),
    ...(missing > 0 ? [`(${missing} earlier comments are not shown.)`] : []),
    "The request, by a person who may ask for it. Do what it asks:",
    wrappedRequest,
  ];
  return [
    { role: "system", text: system },
    { role: "user", text: parts.join("\n\n") },
  ];
}

function changed(name: string, difference: OpeningOptions["difference"]): readonly Piece[] {
  if (difference === undefined) return [];
  return [{ origin: `difference of ${name}, part 1 of ${difference.of}`, trust: "thread", text: difference.text }];
}

function further({ further: paths }: Guidance): readonly Piece[] {
  if (paths.length === 0) return [];
  const more = paths.length > NAMED_FURTHER ? `\nand ${paths.length - NAMED_FURTHER} more` : "";
  const text = `For parts of the repository there are further ones; read them before you change what lies beside or below them:\n${paths.slice(0, NAMED_FURTHER).join("\n")}${more}`;
  return [{ origin: "further guidance", trust: "thread", text }];
}

/** Each in an envelope of its own, the newest when there are too many: a fact cannot speak for another one. */
function remembered(facts: readonly Fact[]): readonly Piece[] {
  let room = LONGEST_FACTS;
  const shown = facts
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .filter(({ key, value }) => (room -= key.length + value.length) >= 0)
    .map(({ key, value, by, at }): Piece => {
      const origin = `fact ${JSON.stringify(key)}, noted by a run on ${at.toISOString().slice(0, 10)} and kept by ${by}`;
      return { origin, trust: "kept", text: value };
    });
  const more = facts.length - shown.length;
  return more === 0 ? shown : [...shown, { origin: "further facts", trust: "run", text: `${more} more facts: recall_facts lists them.` }];
}

function customs({ template = "", commits = { titles: [], isConventional: false } }: Guidance): readonly Piece[] {
  const style = commits.isConventional ? " (they follow Conventional Commits: so do the titles of commits and pull requests here)" : "";
  return [
    { origin: "pull request template on the base branch: a description follows it", trust: "repository", text: template },
    { origin: `latest commit titles on the base branch${style}`, trust: "thread", text: commits.titles.join("\n"), longest: 2000 },
  ];
}

/** Branch names are what git allows, which is a lot: they stand in JSON. */
function ends({ headRef, baseRef, sameRepository }: PullContext): string {
  const from = sameRepository ? "" : " of a fork";
  return `It brings the branch ${JSON.stringify(headRef)}${from} into ${JSON.stringify(baseRef)}; the workspace is its head. gh_list_pr_files shows its difference.`;
}

function listed({ files, changedFiles }: PullContext): string {
  const lines = files.slice(0, LISTED_FILES).map(({ path, previousPath, status, additions, deletions }) => {
    const from = previousPath === undefined ? "" : ` (was ${previousPath})`;
    return `${status} ${path}${from} +${additions} -${deletions}`;
  });
  const rest = changedFiles - lines.length;
  return [...lines, ...(rest > 0 ? [`and ${rest} more files`] : [])].join("\n");
}

function remarkPieces({ path, line, hunk, comments }: RemarkThread): readonly Piece[] {
  const place = `${path}${line === undefined ? "" : `:${line}`}`;
  // What the remarks are on stands at the end of the hunk.
  const shown = hunk.length <= LONGEST_HUNK ? hunk : `[…]\n${hunk.slice(-LONGEST_HUNK).toWellFormed()}`;
  return [
    { origin: `hunk at ${place}`, trust: "thread", text: shown },
    ...newest(comments).kept.map((comment) => commentPiece(`remark on ${place} of ${comment.createdAt}`, comment)),
  ];
}

function commentPiece(origin: string, { author, body }: ThreadComment): Piece {
  return { origin, author, trust: "thread", text: body, longest: LONGEST_TEXT };
}

function newest(comments: readonly ThreadComment[]): { readonly kept: readonly ThreadComment[]; readonly omitted: number } {
  let room = LONGEST_COMMENTS;
  const from = comments.findLastIndex(({ body }) => {
    room -= Math.min(body.length, LONGEST_TEXT);
    return room < 0;
  });
  return { kept: comments.slice(from + 1), omitted: from + 1 };
}
