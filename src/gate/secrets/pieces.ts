import { readEscapes } from "./escapes.ts";
import { secretParts } from "./secret-parts.ts";

/** Bits of a random value that a piece must hold, so that it does not turn up by chance. */
const PIECE_BITS = 35;
/** Characters of one value that may have gone out in pieces, all of a run's texts taken together. */
const MOST_REVEALED = 15;
/** Runs whose pieces are remembered; the oldest is forgotten first. */
const MOST_RUNS = 500;

interface Value {
  /** What of it has been shown is kept under this. */
  readonly key: string;
  /** Length of a piece, by the alphabet that the value is written in. */
  readonly length: number;
  /** Where each piece stands in the value. */
  readonly pieces: ReadonlyMap<string, readonly number[]>;
}

/** By value, the places of characters that have been shown. */
export type ShownPieces = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * Whether these texts, with what was shown before, show more of one value than may be shown; and all that is shown by then. Texts that show
 * nothing new are fine, also after that: they are not the ones to hold.
 */
export type PieceFinder = (
  values: readonly string[],
  texts: readonly string[],
  before: ShownPieces,
) => { readonly inPieces: boolean; readonly shown: ShownPieces };

/** Finds pieces of values. Words are never pieces: a piece mixes kinds of characters, as random values do. */
export function createPieceFinder(): PieceFinder {
  let last: { readonly key: string; readonly index: PieceIndex } | undefined;
  return (values, texts, before) => {
    const key = JSON.stringify(values);
    if (last?.key !== key) last = { key, index: indexOf(values.flatMap(secretParts).flatMap(valueOf)) };
    const shown = new Map([...before].map(([value, places]) => [value, new Set(places)]));
    let inPieces = false;
    for (const text of texts) {
      const read = readEscapes(text.normalize("NFKC"));
      for (const form of read === text ? [text] : [text, read]) {
        if (note(form, last.index, shown)) inPieces = true;
      }
    }
    return { inPieces, shown };
  };
}

/** Remembers for each run what its texts have shown. */
export interface PieceMemory {
  of(runId: string): ShownPieces;
  /** Adds to what is remembered: two questions of one run may be asked at once. */
  add(runId: string, shown: ShownPieces): void;
}

/** A memory of pieces, bounded in runs. */
export function createPieceMemory(): PieceMemory {
  const runs = new Map<string, Map<string, ReadonlySet<number>>>();
  return {
    of: (runId) => runs.get(runId) ?? new Map(),
    add(runId, shown) {
      const known = runs.get(runId) ?? new Map<string, ReadonlySet<number>>();
      for (const [value, places] of shown) known.set(value, new Set([...(known.get(value) ?? []), ...places]));
      runs.delete(runId);
      runs.set(runId, known);
      for (const oldest of runs.keys()) {
        if (runs.size <= MOST_RUNS) break;
        runs.delete(oldest);
      }
    },
  };
}

/** The pieces of all values, with a filter that tells from four characters alone that no piece begins here. */
interface PieceIndex {
  readonly values: readonly Value[];
  readonly filter: Uint8Array;
}

/** Six bits a character. */
const FILTER_MASK = (1 << 24) - 1;

function indexOf(values: readonly Value[]): PieceIndex {
  const filter = new Uint8Array((FILTER_MASK + 1) / 8);
  for (const { pieces } of values) {
    for (const piece of pieces.keys()) {
      const code = [0, 1, 2, 3].reduce((sum, at) => (sum << 6) | sixBits(piece.charCodeAt(at)), 0);
      filter[code >> 3] = (filter[code >> 3] ?? 0) | (1 << (code & 7));
    }
  }
  return { values, filter };
}

/** 1–62 for digits and letters, 0 for all else. */
function sixBits(unit: number): number {
  if (unit >= 48 && unit < 58) return unit - 47;
  if (unit >= 65 && unit < 91) return unit - 54;
  return unit >= 97 && unit < 123 ? unit - 60 : 0;
}

/** Notes the pieces of one text; answers whether it holds one, and so much of that value has been shown by now. */
function note(text: string, { values, filter }: PieceIndex, shown: Map<string, Set<number>>): boolean {
  const touched = new Set<string>();
  let code = 0;
  for (let index = 0; index < text.length; index++) {
    code = ((code << 6) | sixBits(text.charCodeAt(index))) & FILTER_MASK;
    if (((filter[code >> 3] ?? 0) & (1 << (code & 7))) === 0 || index < 3) continue;
    const start = index - 3;
    for (const { key, length, pieces } of values) {
      const places = pieces.get(text.slice(start, start + length));
      if (places === undefined) continue;
      const positions = shown.get(key) ?? new Set();
      for (const place of places) for (let offset = 0; offset < length; offset++) positions.add(place + offset);
      shown.set(key, positions);
      touched.add(key);
    }
  }
  return [...touched].some((key) => (shown.get(key)?.size ?? 0) > MOST_REVEALED);
}

function valueOf(part: string): readonly Value[] {
  const plain = part.replace(/[^A-Za-z0-9]+/g, "");
  const size = [/[a-z]/, /[A-Z]/, /\d/].reduce((sum, kind, index) => sum + (kind.test(plain) ? (index === 2 ? 10 : 26) : 0), 0);
  const alphabet = /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(plain) ? 16 : size;
  const length = Math.ceil(PIECE_BITS / Math.log2(Math.max(alphabet, 2)));
  if (plain.length <= MOST_REVEALED || length > 11) return [];
  const pieces = new Map<string, number[]>();
  for (let at = 0; at + length <= plain.length; at++) {
    const piece = plain.slice(at, at + length);
    if (!isMixed(piece)) continue;
    pieces.set(piece, [...(pieces.get(piece) ?? []), at]);
  }
  return pieces.size === 0 ? [] : [{ key: plain, length, pieces }];
}

/** Letters and digits, or letters of both cases other than as a word has them. */
function isMixed(piece: string): boolean {
  if (new Set(piece).size < piece.length / 2) return false;
  return (/\d/.test(piece) && /[A-Za-z]/.test(piece)) || /[a-z][A-Z].*[a-z][A-Z]|[A-Z]{2}[a-z].*[A-Z]/.test(piece);
}
