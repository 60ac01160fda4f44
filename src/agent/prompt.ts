import type { Message } from "../core/conversation.ts";
import type { RunRequest } from "../core/run.ts";
import type { Tool } from "../tools/tool.ts";
import { type Piece, wrapPieces } from "./envelope.ts";
import { PROMPT_1 } from "./prompt-text.ts";

export interface SystemPromptOptions {
  readonly tools: readonly Pick<Tool, "name" | "description" | "priority">[];
  readonly hasSandbox: boolean;
  /** Says that work may not be published: reviews, forks. */
  readonly readOnly?: boolean;
  /** Fragments of the operator and of extensions, in their order. */
  readonly fragments?: readonly string[];
}

/** The system prompt: the stable part first, so that provider caches hit; then the tools by priority; then what differs between runs. */
export function systemPrompt({ tools, hasSandbox, readOnly = false, fragments = [] }: SystemPromptOptions): string {
  const listed = tools
    .toSorted((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1))
    .map(({ name, description }) => `- ${name}: ${description.split("\n", 1)[0]}`);
  return [
    PROMPT_1.task,
    PROMPT_1.paths,
    PROMPT_1.data,
    PROMPT_1.gate,
    `Tools:\n${listed.join("\n")}`,
    hasSandbox ? PROMPT_1.sandbox : PROMPT_1.noSandbox,
    readOnly ? PROMPT_1.readOnly : PROMPT_1.publish,
    ...fragments,
  ].join("\n\n");
}

interface ThreadComment {
  readonly author: string;
  readonly createdAt: string;
  readonly body: string;
}

export interface OpeningOptions {
  readonly runId: string;
  readonly request: RunRequest;
  readonly system: string;
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

/** The messages before the first turn. The same options give the same bytes. */
export function openingMessages(options: OpeningOptions): readonly Message[] {
  const { runId, request, system } = options;
  const { repository, thread } = request;
  const name = `${thread.kind === "issue" ? "issue" : "pull request"} #${thread.number}`;
  const asked: Piece = { origin: `request on ${name}`, author: request.actor.login, trust: "asker", text: request.text };
  const { kept, omitted } = newest(options.threadComments ?? []);
  const author = options.threadAuthor === undefined ? {} : { author: options.threadAuthor };
  const context: readonly Piece[] = [
    { origin: `${name} title`, ...author, trust: "thread", text: request.title, longest: 1000 },
    { origin: `${name} body`, ...author, trust: "thread", text: request.body, longest: LONGEST_TEXT },
    ...kept.map((comment): Piece => {
      return {
        origin: `${name} comment of ${comment.createdAt}`,
        author: comment.author,
        trust: "thread",
        text: comment.body,
        longest: LONGEST_TEXT,
      };
    }),
  ];
  const [wrappedRequest = "", ...wrapped] = wrapPieces(runId, [asked, ...context.filter(({ text }) => text.trim() !== "")]);
  const missing = omitted + (options.omittedComments ?? 0);
  const parts = [
    `Repository ${repository.owner}/${repository.name}, ${name}. The thread so far:`,
    ...wrapped,
    ...(missing > 0 ? [`(${missing} earlier comments are not shown.)`] : []),
    "The request, by a person who may ask for it. Do what it asks:",
    wrappedRequest,
  ];
  return [
    { role: "system", text: system },
    { role: "user", text: parts.join("\n\n") },
  ];
}

function newest(comments: readonly ThreadComment[]): { readonly kept: readonly ThreadComment[]; readonly omitted: number } {
  let room = LONGEST_COMMENTS;
  const from = comments.findLastIndex(({ body }) => {
    room -= Math.min(body.length, LONGEST_TEXT);
    return room < 0;
  });
  return { kept: comments.slice(from + 1), omitted: from + 1 };
}
