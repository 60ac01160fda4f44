const ESCAPES = /%([0-9a-f]{2})|&#(\d{1,7});?|&#x([0-9a-f]{1,6});?|\\u\{?([0-9a-f]{4,6})\}?|\\x([0-9a-f]{2})|\\([0-3][0-7]{2})/gi;
/** Character codes as programs list them: `[103, 104, 112]`, `0x67,0x68`. */
const CODES = /(?:\b(?:0x[0-9a-f]{2}|1?\d{2})\b[\s,;+]{1,3}){8,}(?:0x[0-9a-f]{2}|1?\d{2})\b/gi;

/** A text with percent escapes, HTML entities, escapes of programming languages and lists of character codes read once. Linear. */
export function readEscapes(text: string): string {
  const read = text.replace(
    ESCAPES,
    (escape: string, percent?: string, decimal?: string, hex?: string, unicode?: string, short?: string, octal?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      const point = decimal === undefined ? Number.parseInt(percent ?? hex ?? unicode ?? short ?? "", 16) : Number(decimal);
      return point <= 0x10ffff ? String.fromCodePoint(point) : escape;
    },
  );
  return read.replace(CODES, (list) => (list.match(/0x[0-9a-f]{2}|\d+/gi) ?? []).map((code) => String.fromCharCode(Number(code))).join(""));
}
