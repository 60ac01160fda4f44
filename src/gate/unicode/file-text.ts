/** What a file is read as: code, words for people, or one language's words in a file of translations. */
export type FileKind = "code" | "prose" | "translation";

export interface FileText {
  readonly text: string;
  readonly kind: FileKind;
}

const PROSE = /\.(?:md|mdx|markdown|txt|text|rst|adoc|asciidoc|org|tex|csv|tsv)$/i;
/** Formats that hold nothing but translations, and data below the folders in which they are kept. */
const TRANSLATION = /\.(?:po|pot|xliff|xlf|arb|strings|stringsdict|resx|ftl|srt|vtt|lang)$/i;
const TRANSLATED_DATA =
  /(?:^|\/)(?:i18n|l10n|intl|locales?|langs?|languages?|translations?|values-[a-z]{2}|[a-z-]{2,10}\.lproj)\/(?:.*\/)?[^/]+\.(?:json5?|ya?ml|toml|properties|xml|ini|csv|txt|md)$/i;
/** Names of what is run or built; here a byte that is no text is a way to hide. */
const SOURCE =
  /(?:^|\/)(?:Makefile|Dockerfile|Containerfile|Jenkinsfile|Rakefile|Gemfile|Procfile)(?:\.\w+)?$|\.(?:[cm]?[jt]sx?|vue|svelte|py[wi]?|rb|go|rs|java|kts?|scala|groovy|gradle|cs|fs|vb|c|h|cc|cpp|cxx|hh|hpp|m|mm|swift|php|pl|pm|lua|r|jl|dart|ex|exs|erl|hs|clj|sh|bash|zsh|fish|ps1|psm1|bat|cmd|sql|ya?ml|toml|json5?|jsonc|ini|cfg|conf|xml|html?|css|scss|less|mk|cmake|tf|hcl|nix|proto|graphql|md|mdx|rst|adoc|sol|zig|nim)$/i;

/** Where git looks for a zero byte to tell binary files. Source: git's `buffer_is_binary` (xdiff-interface.c). */
const LOOKED_AT = 8000;

/**
 * The text of a file, marks at its start included; undefined for a binary file, which nobody reads as text. A name of source makes a text
 * of any bytes: what cannot be decoded is replaced.
 */
export function textOfFile(path: string, bytes: Uint8Array): FileText | undefined {
  const kind = kindOf(path);
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
  if (wide !== undefined) return { text: new TextDecoder(wide, { ignoreBOM: true }).decode(bytes), kind };
  const isSource = SOURCE.test(path) || (bytes[0] === 0x23 && bytes[1] === 0x21);
  if (!isSource && bytes.subarray(0, LOOKED_AT).includes(0)) return undefined;
  try {
    return { text: new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(bytes), kind };
  } catch {
    return isSource ? { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), kind } : undefined;
  }
}

function kindOf(path: string): FileKind {
  if (TRANSLATION.test(path) || TRANSLATED_DATA.test(path)) return "translation";
  return PROSE.test(path) ? "prose" : "code";
}
