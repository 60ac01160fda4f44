import type { FileText } from "./file-text.ts";

/**
 * Letters that cannot be told from an ASCII one in common fonts. Greek letters that only resemble one (α, ν, ρ, σ) are left out: formulas are
 * full of them. Source: Unicode's confusables.txt (UTS 39), the single-letter rows that are alike to the eye.
 */
const TWINS: ReadonlyMap<string, string> = new Map(
  [
    // Cyrillic
    ["аеорсухіјѕһԁԛԝӏүԍԏѵ", "aeopcyxijshdqwlygtv"],
    ["АВЕКМНОРСТУХІЈЅԌԚԜӀҮ", "ABEKMHOPCTYXIJSGQWIY"],
    // Greek
    ["οϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϲͿ", "ojABEZHIKMNOPTYXCcJ"],
    // Armenian, Cherokee, IPA, clicks and others
    ["օսհոցզՕՍ", "ouhngqOU"],
    ["ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCDEGHJKLMPRSTVWZ"],
    ["ɡɑıɩʏʀǃǀ", "gaiiYR!l"],
  ].flatMap(([letters = "", twins = ""]) => Array.from(letters).map((letter, index) => [letter, twins[index] ?? ""] as const)),
);
const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;
/** Shortest word that is compared with the file's other names: shorter ones coincide with words of other languages. */
const SHORTEST = 3;

/** A name that reads as another one. */
export interface Lookalike {
  readonly word: string;
  readonly index: number;
  /** `mixed`: some letters are from another script; `twin`: all are, and the ASCII name that it reads as stands in the file too. */
  readonly how: "mixed" | "twin";
}

/** Names that mix letters of two scripts so that nobody sees it, and names that are another's twin. Linear in the text's length. */
export function findLookalikes({ text, kind }: FileText, before: string): readonly Lookalike[] {
  if (kind === "translation" || !/[^\u0000-\u00bf]/.test(text)) return [];
  const suspects: Lookalike[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!/[^\u0000-\u00bf]/.test(word)) continue;
    const how = judgeWord(word);
    if (how !== undefined) suspects.push({ word, index, how });
  }
  if (suspects.length === 0) return [];
  const standing = new Set(before.match(WORD));
  const names = suspects.some(({ how }) => how === "twin") ? new Set([...(text.match(WORD) ?? []), ...standing]) : standing;
  return suspects.filter(({ word, how }) => !standing.has(word) && (how === "mixed" || (kind === "code" && names.has(readsAs(word)))));
}

function judgeWord(word: string): Lookalike["how"] | undefined {
  const letters = Array.from(word).filter((letter) => /[\p{L}\p{M}]/u.test(letter));
  const foreign = letters.filter((letter) => letter > "\u007f");
  const isAlike = foreign.every((letter) => TWINS.has(letter) || isStyled(letter));
  if (foreign.length === 0 || !isAlike) return undefined;
  if (foreign.length < letters.length) return isTurkish(foreign) ? undefined : "mixed";
  return letters.length >= SHORTEST && foreign.every((letter) => TWINS.has(letter)) ? "twin" : undefined;
}

/** An ASCII letter in another dress (full width, mathematical), which some languages take for the plain one. Source: UAX 31, NFKC. */
function isStyled(letter: string): boolean {
  return letter >= "\u2100" && /^[A-Za-z]$/.test(letter.normalize("NFKC"));
}

/** The dotless i is an ordinary letter beside ASCII ones. */
function isTurkish(foreign: readonly string[]): boolean {
  return foreign.every((letter) => letter === "ı");
}

function readsAs(word: string): string {
  return Array.from(word)
    .map((letter) => TWINS.get(letter) ?? letter)
    .join("");
}
