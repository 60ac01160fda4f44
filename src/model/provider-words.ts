/** Longest piece of a provider's own words that is shown. */
const LONGEST = 500;
const SPEAKING = ["message", "error_message", "detail", "msg", "reason", "raw", "error", "value", "metadata", "errors"];

/**
 * What a provider's error body says, out of whatever shape it came in: nested objects, JSON inside strings, HTML pages.
 * Bounded and without keys, for people to read. Empty when it says nothing.
 */
export function providerWords(body: unknown, secrets: readonly string[]): string {
  const words: string[] = [];
  collect(body, words, 0);
  return redact([...new Set(words)].join(" – "), secrets)
    .slice(0, LONGEST)
    .toWellFormed();
}

function collect(value: unknown, words: string[], depth: number): void {
  if (depth > 6 || words.length >= 8) return;
  if (typeof value === "string") return collectText(value, words, depth);
  if (Array.isArray(value)) return value.slice(0, 8).forEach((item) => collect(item, words, depth + 1));
  if (typeof value !== "object" || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const key of SPEAKING) if (key in fields) collect(fields[key], words, depth + 1);
}

function collectText(text: string, words: string[], depth: number): void {
  const trimmed = text.slice(0, 20_000).trim();
  if (/^[[{]/.test(trimmed)) {
    try {
      return collect(JSON.parse(trimmed), words, depth + 1);
    } catch {
      // Not JSON after all: shown as it is.
    }
  }
  const plain = trimmed
    .replace(/<[^<>]{0,2000}>/g, " ")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (plain !== "") words.push(plain);
}

const KEY_SHAPES = [
  /\b(?:sk|pk|rk|gsk|xai|key|hf|r8|ghp|gho|ghu|ghs|ghr|github_pat|AIza|AKIA|ya29)[-_.]?[A-Za-z0-9][A-Za-z0-9_.*-]{7,}/g,
  /\b(bearer|basic)\s+[^\s"',;]+/gi,
  /(\bapi[-_ ]?key(?: provided)?["']?\s*[:=]\s*["']?)[^\s"',;]+/gi,
  // A long run of letters and digits together is no word of any language.
  /\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{32,}/g,
];

/** Takes out the values of held keys and everything that is shaped like a key. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, "[redacted]");
  for (const shape of KEY_SHAPES) {
    clean = clean.replace(shape, (_match, before: unknown) => (typeof before === "string" ? `${before} [redacted]` : "[redacted]"));
  }
  return clean;
}
