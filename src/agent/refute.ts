import { AttemptError, messageOf } from "../core/errors.ts";
import type { Message } from "../core/conversation.ts";
import type { Journal } from "../core/journal.ts";
import type { Logger } from "../core/log.ts";
import type { Model } from "../model/model.ts";
import { wrapPieces } from "./envelope.ts";
import { REFUTE_1 } from "./prompts/refute-1.ts";
import { recordConclusion } from "./recorded-answer.ts";
import { rowsWithin, scopedJournal } from "./scoped-journal.ts";

/** What came of an attempt to refute a remark. `unasked`: there was no answer, and the remark stands. */
export type Verdict = { readonly verdict: "stands" | "unasked" } | { readonly verdict: "refuted"; readonly why: string };

export interface RefuteOptions {
  readonly model: Model;
  /** The run's journal: the question and its answer stand in it under `id`, so that a resumed run asks nothing twice. */
  readonly journal: Journal;
  /** Names this remark of this call within the run. */
  readonly id: string;
  readonly runId: string;
  /** The remark, with its place and what it rests on: a model's words. */
  readonly remark: string;
  /** The code at hand: hostile text. */
  readonly code: string;
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Longest wait for one answer, in milliseconds. */
const WITHIN_MS = 60_000;
const LONGEST_REMARK = 8_000;
const LONGEST_CODE = 24_000;
const LONGEST_WHY = 300;

/**
 * Puts one remark to a model that tries to refute it, in one turn without tools. Whatever goes wrong, the remark stands.
 * @throws {AttemptError} when another worker has taken the run, or its journal cannot be written.
 */
export async function refute(options: RefuteOptions): Promise<Verdict> {
  const { model, journal, id, mask, signal, log } = options;
  const earlier = rowsWithin(journal, id).findLast((entry) => entry.kind === "turn");
  if (earlier?.kind === "turn") return verdictOf(earlier.message.text);
  const messages = opening(options).map((message) => ({ ...message, text: mask(message.text) }));
  try {
    const answer = await model.complete({ messages, tools: [], signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]) });
    const message = recordConclusion({ ...answer, text: answer.cut === undefined ? answer.text : "" });
    const { usage, usd } = answer;
    const scoped = scopedJournal(journal, id);
    await scoped.append({ kind: "opening", messages });
    await scoped.append({ kind: "turn", turn: 1, message, usage, model: answer.model, ...(usd === undefined ? {} : { usd }) });
    return answer.refusal === undefined ? verdictOf(message.text) : { verdict: "unasked" };
  } catch (error) {
    if (error instanceof AttemptError) throw error;
    signal.throwIfAborted();
    log.warn({ error: messageOf(error) }, "a remark could not be looked at a second time; it stands");
    return { verdict: "unasked" };
  }
}

function opening({ runId, remark, code }: RefuteOptions): readonly Message[] {
  const pieces = wrapPieces(runId, [
    { origin: "code", trust: "thread", text: code, longest: LONGEST_CODE },
    { origin: "remark of a reviewer", trust: "run", text: remark, longest: LONGEST_REMARK },
  ]);
  return [
    { role: "system", text: `${REFUTE_1.task}\n\n${REFUTE_1.answer}` },
    { role: "user", text: pieces.join("\n\n") },
  ];
}

/** Only a plain word refutes: all else leaves the remark as it is. */
function verdictOf(text: string): Verdict {
  const [, word, why = ""] = /^[\s*_`"']*(REFUTED|STANDS)\b[\s*_`"':.—–-]*([^]*)$/.exec(text) ?? [];
  if (word === "REFUTED") return { verdict: "refuted", why: why.replace(/\s+/g, " ").trim().slice(0, LONGEST_WHY).toWellFormed() };
  return { verdict: word === "STANDS" ? "stands" : "unasked" };
}
