import type { z } from "zod";
import type { Ignored, PullPin, RunRequest, Source, Thread } from "../core/run.ts";
import { parseCommand } from "./command.ts";
import { findMention } from "./mention.ts";
import type { Envelope, issueEvent, PullRequest, User } from "./payload.ts";

/** Who the bot is on this GitHub. */
export interface Identity {
  /** What people mention: `@<slug>`. */
  readonly appSlug: string;
  readonly appId: number;
  /** The account that GitHub shows for what the App writes: `<slug>[bot]`. */
  readonly botLogin: string;
}

/** What is known of a delivery besides its payload. */
export interface Context {
  readonly deliveryId: string;
  readonly identity: Identity;
}

export const ignored = (why: string): Ignored => ({ ignored: why });

/** What one kind of event says about who asks for what, and where. */
export interface Asked {
  /** Who wrote the words, or acted; null for an account that is gone. */
  readonly author: User | null | undefined;
  /** The App through which it was written, if any. */
  readonly via?: number | undefined;
  readonly words: string;
  readonly source: Source;
  readonly thread: Thread;
  readonly about: { readonly title: string; readonly body: string };
  readonly pull?: PullPin;
}

/** A text that must mention the bot. */
export function spoken(payload: Envelope, context: Context, asked: Asked): RunRequest | Ignored {
  const mention = findMention(asked.words, context.identity.appSlug);
  if (!mention.mentioned) return ignored(`the text does not mention @${context.identity.appSlug}`);
  const made = request(payload, context, asked, mention.request);
  const command = mention.beginsInProse ? parseCommand(mention.request, context.identity.appSlug) : undefined;
  return "ignored" in made || command === undefined ? made : { ...made, trigger: "command", command };
}

/** Somebody pointed the bot at an issue: the sender asks, in the issue's own words. */
export function pointedAt(payload: z.infer<typeof issueEvent>, context: Context, pointed?: RunRequest["pointed"]): RunRequest | Ignored {
  const { issue, sender } = payload;
  if (issue.pull_request) return ignored("labels and assignments count on issues only");
  const asked: Asked = {
    author: sender,
    words: issue.body,
    source: { kind: "issue", id: issue.number },
    thread: { kind: "issue", number: issue.number },
    about: issue,
  };
  const made = request(payload, context, asked, [issue.title, issue.body].filter((part) => part !== "").join("\n\n"));
  return "ignored" in made || pointed === undefined ? made : { ...made, pointed };
}

/** The request for a run, with what every kind of event has; not for the App's own events. */
export function request(payload: Envelope, context: Context, asked: Asked, text: string): RunRequest | Ignored {
  const { author, via } = asked;
  const { identity, deliveryId } = context;
  const { repository, sender } = payload;
  if (author === null || author === undefined) return ignored("the account that asked is gone");
  if (via === identity.appId || sameName(author.login, identity.botLogin) || sameName(sender?.login, identity.botLogin)) {
    return ignored("the App's own events start nothing");
  }
  if (repository.archived === true) return ignored("the repository is archived");
  return {
    trigger: "mention",
    deliveryId,
    repository: repositoryOf(payload),
    thread: asked.thread,
    actor: { id: author.id, login: author.login, isBot: isBotAccount(author) },
    source: asked.source,
    title: asked.about.title,
    body: asked.about.body,
    text,
    ...(asked.pull === undefined ? {} : { pull: asked.pull }),
    ...(via === undefined ? {} : { viaApp: true }),
  };
}

/** The event's repository as runs name it. */
export function repositoryOf({ repository, installation }: Envelope): RunRequest["repository"] {
  return {
    id: repository.id,
    owner: repository.owner.login,
    name: repository.name,
    installationId: installation.id,
    isPrivate: repository.private,
    defaultBranch: repository.default_branch,
  };
}

/** The account's kind decides; a bot's login need not end in `[bot]`, and a login that does is no person's. */
export function isBotAccount({ login, type }: User): boolean {
  return type === "Bot" || /\[bot\]$/i.test(login);
}

/** A pull request event names both ends itself; nothing is looked up again. */
export function pinOf(pull: PullRequest, { repository }: Envelope, { identity }: Context): PullPin {
  return {
    number: pull.number,
    headRef: pull.head.ref,
    headSha: pull.head.sha,
    baseRef: pull.base.ref,
    baseSha: pull.base.sha,
    sameRepository: pull.head.repo?.id === repository.id,
    ownPull: sameName(pull.user?.login, identity.botLogin),
  };
}

/** Logins and labels compare without regard to case. */
export function sameName(one: string | null | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
