/** What authors write where a secret would stand. Long words only: short ones occur in random text. */
const STAND_INS = /example|placeholder|dummy|changeme|change-me|your[-_]|redacted|sample|insert[-_]|replace[-_]|xxxx|<|\$\{|\{\{|\.\.\./i;
/** Characters of a token that are looked at: more could be appended to a real one to make it look harmless. */
const LOOKED_AT = 40;

/** Whether a token-shaped text plainly stands in for a secret: few different characters, a long run, an ascending row, or a word that says so. */
export function isPlaceholder(token: string): boolean {
  const text = token.slice(0, LOOKED_AT);
  return new Set(text.toLowerCase()).size <= Math.min(5, text.length / 2) || /(.)\1{7}/.test(text) || hasRow(text) || STAND_INS.test(text);
}

/** Ten characters in a row that count up by one: `abcdefghij`, `0123456789`. */
function hasRow(text: string): boolean {
  let length = 1;
  for (let index = 1; index < text.length; index++) {
    length = text.charCodeAt(index) === text.charCodeAt(index - 1) + 1 ? length + 1 : 1;
    if (length >= 10) return true;
  }
  return false;
}
