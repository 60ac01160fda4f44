import type { HeldMatcher } from "./held-values.ts";
import type { PieceFinder, ShownPieces } from "./pieces.ts";
import type { ScanInput } from "./scan-input.ts";
import { unpack, unpackBudget } from "./unpack.ts";
import type { UnpackBudget } from "./unpack.ts";

/** The values that are looked for, and what of them the run has shown in pieces before. */
export interface HeldQuestion {
  readonly values: readonly string[];
  readonly shown: ShownPieces;
}
/** Where a part of a held secret stands. No value is in it. */
export interface HeldReport {
  /** Texts, by their fields. */
  readonly fields: readonly string[];
  /** How many names of files; they are not repeated. */
  readonly names: number;
  /** Paths of files. */
  readonly paths: readonly string[];
  /** All that the run wrote, taken together, shows too much. */
  readonly inPieces: boolean;
  /** What has been shown in pieces by now. */
  readonly shown: ShownPieces;
}

/** Looks for runs of held secrets in everything, plain and packed, and for pieces of them in what holds no whole run. */
export async function lookForHeld(
  { texts, files }: ScanInput,
  { values, shown }: HeldQuestion,
  { holds, pieces }: { readonly holds: HeldMatcher; readonly pieces: PieceFinder },
): Promise<HeldReport> {
  const fields: string[] = [];
  const paths: string[] = [];
  const seen: string[] = [];
  let names = 0;
  const budget = unpackBudget();
  for (const { field, text } of texts) {
    const forms = [text, ...(await packedIn(Buffer.from(text), budget))];
    if (forms.some(holds)) fields.push(field);
    else seen.push(...forms);
  }
  for (const { path, after } of files) {
    if (holds(path)) {
      names++;
      continue;
    }
    seen.push(path);
    if (after === undefined) continue;
    const forms = [new TextDecoder().decode(after), ...(await packedIn(after, budget))];
    if (forms.some(holds)) paths.push(path);
    else seen.push(...forms);
  }
  return { fields, names, paths, ...pieces(values, seen, shown) };
}

/** What came out of archives and encodings, as text. Plain base64 is known to the matcher itself. */
async function packedIn(bytes: Uint8Array, budget: UnpackBudget): Promise<readonly string[]> {
  const { found } = await unpack(bytes, budget);
  return found.filter(({ isTelling }) => isTelling).map(({ bytes: inner }) => Buffer.from(inner).toString("latin1"));
}
