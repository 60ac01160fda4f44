import type { BlobFacts, Language } from "../facts.ts";
import { openGrammars } from "../parse/grammars.ts";
import type { Grammars } from "../parse/grammars.ts";
import { loadTypeScript } from "../parse/load-typescript.ts";
import { internedStrings, ownStrings } from "./own-strings.ts";
import { extractTree } from "./tree.ts";
import { extractTypeScript } from "./typescript.ts";
import { syntaxOf } from "./typescript-syntax.ts";
import type { Syntax } from "./typescript-syntax.ts";

/** Larger files hold data or generated code, and would cost more than they tell. */
export const MAX_FILE_BYTES = 1_500_000;
const MAX_LINE = 200_000;
const UTF8 = new TextDecoder();

export type Extraction = { readonly ok: true; readonly facts: BlobFacts } | { readonly ok: false; readonly why: string };

export interface Extractor {
  /** The facts of one file, or why it has none; never throws. */
  extract(bytes: Uint8Array, language: Language): Promise<Extraction>;
}

/** Extractors for all languages; parsers load when a file first needs them. */
export function openExtractor(): Extractor {
  const grammars = openGrammars();
  const interned = internedStrings();
  const owned = (facts: BlobFacts) => {
    ownStrings(facts, interned);
    return facts;
  };
  let typescript: Promise<Syntax> | undefined;
  return {
    extract: async (bytes, language) => {
      const text = readable(bytes);
      if (!text.ok) return text;
      try {
        if (language !== "typescript" && language !== "tsx" && language !== "javascript")
          return { ok: true, facts: owned(await ofTree(grammars, text.text, language)) };
        typescript ??= loadTypeScript().then(syntaxOf);
        return { ok: true, facts: owned(extractTypeScript(await typescript, text.text, language)) };
      } catch (error) {
        if (error instanceof RangeError) return { ok: false, why: /call stack/u.test(error.message) ? "nested too deeply" : error.message };
        return { ok: false, why: `not parsed: ${error instanceof Error ? error.message : String(error)}` };
      }
    },
  };
}

async function ofTree(grammars: Grammars, text: string, language: Language): Promise<BlobFacts> {
  const parsed = await grammars.parse(language, text);
  return extractTree(parsed, text, language);
}

/** Text of a file, whatever its encoding: UTF-8 with odd bytes replaced, or UTF-16 by its mark. */
function readable(bytes: Uint8Array): { ok: true; text: string } | { ok: false; why: string } {
  if (bytes.length > MAX_FILE_BYTES) return { ok: false, why: `larger than ${MAX_FILE_BYTES} bytes` };
  const [first, second] = bytes;
  const wide = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : undefined;
  if (wide === undefined && bytes.subarray(0, 8000).includes(0)) return { ok: false, why: "binary" };
  const text = (wide === undefined ? UTF8 : new TextDecoder(wide)).decode(bytes);
  const line = longestLine(text);
  return line > MAX_LINE ? { ok: false, why: `a line of ${line} characters: too large to be written by hand` } : { ok: true, text };
}

function longestLine(text: string): number {
  let longest = 0;
  for (let from = 0; from <= text.length;) {
    const to = text.indexOf("\n", from);
    const end = to === -1 ? text.length : to;
    if (end - from > longest) longest = end - from;
    from = end + 1;
  }
  return longest;
}
