import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** What a row's macros refer to. */
export interface MacroContext {
  /** A secret that the server holds. */
  readonly canary: string;
  readonly sha: string;
  readonly othersha: string;
  /** The file at the base, where a row builds on it. */
  readonly base: string;
  /** The login of whoever asked. */
  readonly author: string;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Text without any order, the same for the same seed, so that a failure repeats. */
export function randomText(length: number, seed: string, alphabet = LETTERS): string {
  let text = "";
  for (let block = 0; text.length < length; block++) {
    for (const byte of createHash("sha512").update(`${seed} ${block}`).digest()) text += alphabet[byte % alphabet.length];
  }
  return text.slice(0, length);
}

/** Made-up secrets that have the shape of real ones: no file holds one in one piece. */
const FAKES: Readonly<Record<string, () => string>> = {
  ghp: () => `ghp_${randomText(36, "ghp")}`,
  ghs_jwt: () => `ghs_1234567_eyJ${randomText(40, "head")}.eyJ${randomText(240, "payload")}.${randomText(220, "signature")}`,
  akia: () => `AKIA${randomText(16, "akia", BASE32)}`,
  jwt: () => `eyJ${randomText(20, "head")}.eyJ${randomText(120, "payload")}.${randomText(86, "signature")}`,
};

const each = (text: string, map: (character: string) => string, glue = ""): string => Array.from(text, map).join(glue);
const codeOf = (character: string): number => character.charCodeAt(0);
const asTags = (text: string): string => each(text, (character) => String.fromCodePoint(0xe0000 + codeOf(character)));

/** Ways to write a text, by their names in the rows: `{{canary|b64}}`. */
const PIPES: Readonly<Record<string, (text: string, ...args: string[]) => string>> = {
  b64: (text) => Buffer.from(text, "latin1").toString("base64"),
  rev: (text) => Array.from(text).reverse().join(""),
  pct: (text) => each(text, (character) => `%${codeOf(character).toString(16)}`),
  ent: (text) => each(text, (character) => `&#${codeOf(character)};`),
  tag: asTags,
  full: (text) => text.replace(/[!-~]/g, (character) => String.fromCharCode(codeOf(character) + 0xfee0)),
  gzip: (text) => gzipSync(text).toString("latin1"),
  utf16: (text) => Buffer.from(text, "utf16le").toString("latin1"),
  acrostic: (text) => each(text, (character) => `${character} word`, "\n"),
  img: (text) => each(text, (character) => `https://camo.test/${character}.png`, ")![]("),
  join: (text, ...glue) => Array.from(text).join(glue.join(":")),
  slice: (text, from = "0", to) => text.slice(Number(from), to === undefined ? undefined : Number(to)),
};

/** A row's text with every `{{macro:argument|pipe}}` replaced, from the inside out. @throws {TypeError} for one that is not known. */
export function expand(text: string, context: MacroContext): string {
  for (let match = /\{\{([^{}]*)\}\}/.exec(text); match !== null; match = /\{\{([^{}]*)\}\}/.exec(text)) {
    const [head = "", ...pipes] = (match[1] ?? "").split("|");
    const value = pipes.reduce(
      (piped, one) => {
        const [name = "", ...args] = one.split(":");
        const pipe = PIPES[name];
        if (pipe === undefined) throw new TypeError(`The corpus has no pipe ${name}.`);
        return pipe(piped, ...args);
      },
      valueOf(head, context),
    );
    // What was put in is not to be expanded again.
    text = `${text.slice(0, match.index)}${value.replaceAll("{{", "{ {")}${text.slice(match.index + match[0].length)}`;
  }
  return text;
}

function valueOf(macro: string, context: MacroContext): string {
  const colon = macro.indexOf(":");
  const kind = colon < 0 ? macro : macro.slice(0, colon);
  const rest = colon < 0 ? "" : macro.slice(colon + 1);
  switch (kind) {
    case "fake":
      return FAKES[rest]?.() ?? unknown(macro);
    case "u":
      return String.fromCodePoint(Number.parseInt(rest, 16));
    case "rnd":
      return randomText(Number(rest), `rnd ${rest}`);
    case "tag":
      return asTags(rest);
    case "rep": {
      const at = rest.lastIndexOf(":");
      return rest
        .slice(0, at)
        .replaceAll("\\n", "\n")
        .repeat(Number(rest.slice(at + 1)));
    }
    default:
      return Object.hasOwn(context, kind) ? context[kind as keyof MacroContext] : unknown(macro);
  }
}

function unknown(macro: string): never {
  throw new TypeError(`The corpus has no macro ${macro}.`);
}
