import { messageOf } from "../core/errors.ts";
import type { Actor } from "../core/run.ts";
import { GitHubError } from "../github/errors.ts";
import { storeApprovals, type StoredApproval } from "../store/approvals.ts";
import { readRun, type StoredRun } from "../store/runs.ts";
import type { Database } from "../store/sql.ts";
import { recordAnswer, type RecordedAnswer } from "./acts/record-answer.ts";
import { whyNotAnswer } from "./acts/may-answer.ts";
import { readCurrentSettings } from "./current-settings.ts";
import type { RunDependencies } from "./run-context.ts";

/** Somebody on GitHub, or whoever holds the operator's token. */
export type Answerer = Pick<Actor, "id" | "login"> | "operator";

/** Answers that are given beside GitHub's threads, by the rule that holds there. */
export interface Answers {
  /** Why they may not answer this; undefined where they may, and where the question is not there any more. */
  whyNot(approval: string, who: Answerer): Promise<string | undefined>;
  answer(approval: string, kind: "approved" | "denied", who: Answerer): Promise<RecordedAnswer>;
}

/** What runs need where what is said of them is kept. */
export type WithDatabase = RunDependencies & { readonly database: Database };

/** Nobody on GitHub has this id. */
const OPERATOR = { id: 0, login: "operator" } as const;
/** Milliseconds in which GitHub is to tell what somebody may. */
const TELL_WITHIN = 20_000;
const UNKNOWN = "GitHub does not tell now whether you may answer this. Try again in a moment.";

/** Whoever answers, as a run would know them. */
export function actorOf(who: Answerer): Actor {
  return who === "operator" ? { ...OPERATOR, isBot: false } : { id: who.id, login: who.login, isBot: false };
}

/** What was asked is judged by the configuration of this moment, as a comment would be, and never by what a run once read. */
export function createAnswers(dependencies: WithDatabase): Answers {
  const { database, log, extensions } = dependencies;

  async function find(id: string): Promise<{ readonly stored: StoredApproval; readonly about: StoredRun } | undefined> {
    const stored = await storeApprovals(database).byId(id);
    const about = stored === undefined ? undefined : await readRun(database, stored.run);
    return stored === undefined || about === undefined ? undefined : { stored, about };
  }

  async function judge(
    question: { readonly stored: StoredApproval; readonly about: StoredRun },
    who: Answerer,
  ): Promise<string | undefined> {
    try {
      return await whyNot(question, who);
    } catch (error) {
      if (!(error instanceof GitHubError) && !(error instanceof DOMException)) throw error;
      log.warn({ approval: question.stored.id, error: messageOf(error) }, "whether somebody may answer could not be told");
      return UNKNOWN;
    }
  }

  async function whyNot(
    question: { readonly stored: StoredApproval; readonly about: StoredRun },
    who: Answerer,
  ): Promise<string | undefined> {
    const current = await readCurrentSettings(question.about, actorOf(who), dependencies, AbortSignal.timeout(TELL_WITHIN));
    if (typeof current === "string") return current;
    const { context, settings } = current;
    if (settings.enabled === false) return "This repository has switched the bot off.";
    if (who === "operator")
      return settings.enabled === "observe" ? "This repository is only observed by now: nothing is published." : undefined;
    return whyNotAnswer({ ...context, settings, database }, question);
  }

  return {
    async whyNot(id, who) {
      const question = await find(id);
      return question === undefined ? undefined : judge(question, who);
    },
    async answer(id, kind, who) {
      const question = await find(id);
      if (question === undefined) return { status: "unanswerable", why: "there is no such question" };
      const by = who === "operator" ? OPERATOR : who;
      const why = await judge(question, who);
      return recordAnswer(
        { database, log, ...(extensions === undefined ? {} : { extensions }) },
        { ...question, kind, by, via: "dashboard" },
        why,
      );
    },
  };
}
