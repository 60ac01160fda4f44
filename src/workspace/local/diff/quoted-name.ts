const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\",
};

/**
 * A file name as diffs write it: plain, or in double quotes with C escapes, whose octal ones are bytes. Raw on both sides, one character a
 * byte. Undefined for a quoted name that is not well-formed. Source: git's quote.c (`unquote_c_style`).
 */
export function unquoteName(text: string): string | undefined {
  if (!text.startsWith('"')) return text;
  if (text.length < 2 || !text.endsWith('"')) return undefined;
  const inner = text.slice(1, -1);
  let name = "";
  for (let at = 0; at < inner.length; at++) {
    const character = inner.charAt(at);
    if (character === '"') return undefined;
    if (character !== "\\") {
      name += character;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(inner.slice(at + 1, at + 4));
    if (octal !== null) {
      name += String.fromCharCode(Number.parseInt(octal[0], 8));
      at += 3;
      continue;
    }
    const escaped = ESCAPES[inner.charAt(at + 1)];
    if (escaped === undefined) return undefined;
    name += escaped;
    at += 1;
  }
  return name;
}
