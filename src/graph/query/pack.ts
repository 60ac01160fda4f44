/** Bytes of code that make a token at the least, in common tokenizers: an estimate by it is rather too high than too low. */
const BYTES_PER_TOKEN = 3;
const SEPARATOR = "\n\n";

/** At most how many tokens a text has. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

export interface Pack {
  /** Adds a piece when it takes no more than this share of the room that is left; answers whether it did. */
  add(piece: string, share?: number): boolean;
  /** Ends the pack with a line, for which room was kept. */
  close(line: string): void;
  /** Whether several pieces in a row have found no room. */
  isFull(): boolean;
  text(): string;
}

const MOST_MISSES = 20;
/** Kept for the last line. */
const LAST_LINE = 100;

/** Pieces of text that together never have more tokens than the budget, by `tokensOf`. */
export function packOf(budgetTokens: number): Pack {
  const pieces: string[] = [];
  const room = budgetTokens * BYTES_PER_TOKEN;
  let used = 0;
  let misses = 0;
  const sizeOf = (piece: string): number => Buffer.byteLength(piece) + (pieces.length === 0 ? 0 : SEPARATOR.length);
  return {
    add(piece, share = 1) {
      const size = sizeOf(piece);
      const left = room - used - Math.min(LAST_LINE, room / 4);
      if (size > left * share) {
        if (share === 1) misses++;
        return false;
      }
      used += size;
      misses = 0;
      pieces.push(piece);
      return true;
    },
    close(line) {
      const size = sizeOf(line);
      if (used + size > room) return;
      used += size;
      pieces.push(line);
    },
    isFull: () => misses >= MOST_MISSES,
    text: () => pieces.join(SEPARATOR),
  };
}
