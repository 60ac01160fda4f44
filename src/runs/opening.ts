import { openingMessages, type PullContext, type RemarkThread } from "../agent/opening.ts";
import type { Message } from "../core/conversation.ts";
import type { Pin } from "../core/run.ts";
import type { ReviewThread } from "../github/review-threads.ts";
import { listFacts } from "../store/memory.ts";
import { known } from "./facts.ts";
import { readCommitStyle } from "./conventions.ts";
import { readGuidance } from "./guidance.ts";
import type { Desk } from "./phases/check-out.ts";
import { readPictures, withPictures } from "./pictures.ts";
import type { RunContext, RunDependencies } from "./run-context.ts";

export interface OpeningWish {
  readonly desk: Pick<Desk, "base" | "conventions" | "graph">;
  readonly pin: Pin;
  readonly system: string;
  /** The first part of the pull request's difference, and how many there are; absent where it is not shown. */
  readonly difference?: { readonly text: string; readonly of: number };
}

/** Reads everything that the model is told before its first turn. */
export async function readOpening(
  context: RunContext,
  { markers, database }: Pick<RunDependencies, "markers" | "database">,
  { desk, pin, system, difference }: OpeningWish,
): Promise<readonly Message[]> {
  const { request, reader, run, session, signal } = context;
  const isOwn = (body: string): boolean => markers.read(body)?.run === run.id;
  const [issue, pull, remarks, guidance, commits, facts] = await Promise.all([
    request.thread.kind === "none" ? undefined : reader.issue(request.thread.number),
    pullContext(context, pin),
    remarkThreads(context),
    readGuidance(desk.base),
    readCommitStyle(context, desk.base.commit),
    database === undefined || !context.settings.memory ? [] : listFacts(database, request.repository.id),
  ]);
  const pack = await desk.graph?.pack({
    text: `${request.title}\n${request.text}`,
    files: pull?.files.map(({ path }) => path) ?? [],
    commit: pin.commit,
  });
  const said = issue?.comments.filter(({ body }) => !isOwn(body)) ?? [];
  // The request itself stands last in the opening, not among what was said before it.
  const own = said.findLastIndex(({ author, body }) => author === request.actor.login && body.includes(request.text));
  const messages = openingMessages({
    runId: run.id,
    request,
    system,
    guidance: { ...guidance, ...desk.conventions, commits },
    facts: known(facts),
    remarks: remarks.map((thread) => withoutOwn(thread, (id, body) => isOwn(body) || isRequest(context, id))),
    threadComments: said.filter((_, index) => index !== own),
    omittedComments: issue?.omittedComments ?? 0,
    ...(pull === undefined ? {} : { pull }),
    ...(difference === undefined ? {} : { difference }),
    ...(pack === undefined ? {} : { contextPack: pack }),
    ...(issue === undefined ? {} : { threadAuthor: issue.author }),
  });
  const texts = [
    { origin: "request", text: request.text },
    { origin: "body of the thread", text: request.body },
    ...said.toReversed().map(({ author, body }) => ({ origin: `comment by ${author}`, text: body })),
  ];
  return withPictures(messages, await readPictures(texts, session.picture, signal));
}

async function pullContext({ reader, request }: RunContext, { pull }: Pin): Promise<PullContext | undefined> {
  if (request.thread.kind !== "pull-request" || pull === undefined) return undefined;
  const listed = await reader.pullFiles({ number: pull.number, page: 1 });
  const { headRef, baseRef, sameRepository } = pull;
  return { headRef, baseRef, sameRepository, files: listed?.files ?? [], changedFiles: listed?.changedFiles ?? 0 };
}

async function remarkThreads({ reader, request }: RunContext): Promise<readonly ReviewThread[]> {
  const { thread, source } = request;
  if (source.kind === "review") return reader.reviewRemarks({ number: thread.number, review: source.id });
  if (thread.reviewCommentId === undefined) return [];
  const found = await reader.reviewThread({ number: thread.number, root: thread.reviewCommentId });
  return found === undefined ? [] : [found];
}

function isRequest({ request: { source } }: RunContext, id: number): boolean {
  return source.kind === "review-comment" && source.id === id;
}

function withoutOwn(thread: ReviewThread, isLeftOut: (id: number, body: string) => boolean): RemarkThread {
  return { ...thread, comments: thread.comments.filter(({ id, body }) => !isLeftOut(id, body)) };
}
