import type { Message, Usage } from "../core/conversation.ts";
import type { ToolDefinition } from "../model/model.ts";
import { digestOf } from "./digest.ts";
import { type History, messagesOf, type PastTurn, turnsAfter } from "./history.ts";

/** Tokens that are assumed where nobody knows the model's window. */
export const USUAL_WINDOW = 128_000;
/** Tokens that are left for the answer: at most, and as a share of a small window. */
const ANSWER = 16_384;
const ANSWER_SHARE = 0.25;
/** UTF-8 bytes for one token of what nobody has counted yet: prose has more, code and hashes about as many. */
const USUAL_BYTES = 3;
/** What one message, one call and one picture take beside their texts, in bytes. */
const FRAME = 24;
const PICTURE = 6000;
/** What is left after a compaction, as a share of what fits: so much that the next one is far. */
const TARGET = 0.5;
/** What the digest may take of what fits, and what it may take in the narrowest window, in bytes. */
const DIGEST_SHARE = 0.15;
const LEAST_DIGEST = 2000;

/** Turns that leave the conversation: all up to one. */
export interface Compaction {
  readonly turn: number;
  /** Those that have not left it before. */
  readonly leaving: readonly PastTurn[];
  /** What stands in their place. */
  digest(summary?: string): string;
}

/** Keeps a conversation within its model's window. */
export interface Compactor {
  /** UTF-8 bytes of a request, as far as they become tokens. */
  sizeOf(messages: readonly Message[]): number;
  /** The compaction that must come before the next request; undefined when the request fits, or nothing can leave. */
  due(history: History, size: number): Compaction | undefined;
  /** A compaction after a server refused a request of this size as too long: much smaller, or as small as can be. */
  afterRefusal(history: History, size: number, everything: boolean): Compaction | undefined;
  /** What a server counted for a request of this size: its tokens are taken for as short from then on, never for longer than usual. */
  learn(size: number, usage: Usage): void;
}

export interface CompactorOptions {
  /** Tokens of a request and its answer together. */
  readonly window: number;
  readonly definitions: readonly ToolDefinition[];
  readonly isWrite: (tool: string) => boolean;
}

/** Nothing before the first turn leaves, nor anything from the last turn that made calls on. */
export function createCompactor({ window, definitions, isWrite }: CompactorOptions): Compactor {
  const fits = window - Math.min(ANSWER, Math.floor(window * ANSWER_SHARE));
  const tools = bytesOf(JSON.stringify(definitions));
  const known = new WeakMap<PastTurn, number>();
  let perToken = USUAL_BYTES;
  let refused = Number.POSITIVE_INFINITY;

  const sizeOf = (messages: readonly Message[]): number => tools + messages.reduce((sum, message) => sum + sizeOfMessage(message), 0);
  /** Of one that has ended: it does not change any more. */
  const sizeOfTurn = (turn: PastTurn): number => {
    const size = known.get(turn) ?? messagesOf(turn).reduce((sum, message) => sum + sizeOfMessage(message), 0);
    known.set(turn, size);
    return size;
  };
  const limit = (): number => Math.min(fits * perToken, refused);

  function plan(history: History, target: number): Compaction | undefined {
    const { turns, compacted, notes, opening = [] } = history;
    const inside = turnsAfter(turns, compacted?.turn ?? 0);
    const newest = inside.findLastIndex(({ message }) => message.calls.length > 0);
    if (newest <= 0) return undefined;
    const fixed = sizeOf([...opening, ...inside.slice(newest).flatMap(messagesOf)]);
    const room = Math.max(LEAST_DIGEST, Math.floor(Math.min(limit() * DIGEST_SHARE, (limit() - fixed) / 2)));
    let free = target - fixed - room;
    let from = newest;
    while (from > 0) {
      const turn = inside[from - 1];
      free -= turn === undefined ? 0 : sizeOfTurn(turn);
      if (free < 0) break;
      from--;
    }
    const last = inside[from - 1];
    if (last === undefined) return undefined;
    const gone = turns.slice(0, turns.indexOf(last) + 1);
    return {
      turn: last.number,
      leaving: inside.slice(0, from),
      digest: (summary) => digestOf({ turns: gone, notes, isWrite, summary, room }),
    };
  }

  return {
    sizeOf,
    due: (history, size) => (size <= limit() ? undefined : plan(history, limit() * TARGET)),
    afterRefusal(history, size, everything) {
      refused = Math.min(refused, size * 0.95);
      return plan(history, everything ? 0 : size * TARGET);
    },
    learn(size, { input }) {
      // A token is a byte at least: a count above that is of something else.
      if (input > 0) perToken = Math.min(USUAL_BYTES, Math.max(1, size / input));
    },
  };
}

function sizeOfMessage(message: Message): number {
  const size = FRAME + bytesOf(message.text);
  if (message.role === "assistant") {
    const opaque = message.opaque === undefined ? 0 : bytesOf(JSON.stringify(message.opaque.items));
    return message.calls.reduce((sum, call) => sum + FRAME + bytesOf(call.name) + bytesOf(call.arguments), size + opaque);
  }
  return message.role === "tool" ? size : size + (message.images?.length ?? 0) * PICTURE;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
