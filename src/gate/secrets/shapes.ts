import type { SecretMatch } from "./match.ts";
import { isPlaceholder } from "./placeholder.ts";
import { SHAPES } from "./shape-table.ts";
import type { Shape } from "./shape-table.ts";

/** Secrets by shape in one text, with stand-ins left out. Linear in the text's length. */
export function findShapes(text: string): readonly SecretMatch[] {
  const tokens = ANY_START.test(text) ? SHAPES.filter(({ start }) => start.test(text)).flatMap((one) => matchesOf(one, text)) : [];
  return [...tokens, ...findPrivateKeys(text), ...findWebTokens(text), ...findConnections(text)];
}

/** One look at a text that holds no token, as nearly all do. */
const ANY_START = new RegExp(SHAPES.map(({ start }) => start.source).join("|"));

function matchesOf({ kind, pattern, prefix }: Shape, text: string): readonly SecretMatch[] {
  const matches: SecretMatch[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (!isPlaceholder(match[0].slice(prefix))) matches.push({ kind, value: match[0], index: match.index });
    // A stand-in must not swallow a real token that starts within it.
    else pattern.lastIndex = match.index + prefix;
  }
  return matches;
}

const KEY_HEAD = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** How much of what follows a private key's head is looked at. */
const KEY_WINDOW = 2000;

/** A private key's head with a body that can be one; the head alone is only talk about keys. */
function findPrivateKeys(text: string): readonly SecretMatch[] {
  const heads = [...text.matchAll(KEY_HEAD)];
  return heads.flatMap(({ 0: head, index }, position) => {
    const start = index + head.length;
    const body = text.slice(start, Math.min(start + KEY_WINDOW, heads[position + 1]?.index ?? text.length));
    const [inner = ""] = body.split("-----END");
    const material = inner.replace(/\\[nr]/g, "").replace(/[^A-Za-z0-9+/]/g, "");
    return material.length >= 64 && new Set(material).size >= 20 ? [{ kind: "private key", value: material, index }] : [];
  });
}

/** The token by which jwt.io and most manuals explain the format. */
const SAMPLE_SUBJECT = /"John Doe"|"1234567890"/;

/** Signed JSON web tokens: a bearer of one is whoever it says. Source: RFC 7515, compact serialization. */
function findWebTokens(text: string): readonly SecretMatch[] {
  if (!text.includes("eyJ")) return [];
  const matches: SecretMatch[] = [];
  for (const { 0: row, index } of text.matchAll(/[\w.-]+/g)) {
    const parts = row.split(".");
    let at = index;
    for (const [position, part] of parts.entries()) {
      const head = part.indexOf("eyJ");
      const [payload = "", signature = ""] = parts.slice(position + 1, position + 3);
      if (head >= 0 && part.length - head >= 12 && payload.startsWith("eyJ") && payload.length >= 12 && signature.length >= 20) {
        const isSample = SAMPLE_SUBJECT.test(Buffer.from(payload.slice(0, 400), "base64url").toString("latin1"));
        if (!isSample && !isPlaceholder(signature))
          matches.push({ kind: "signed web token", value: `${payload}.${signature}`, index: at + head });
      }
      at += part.length + 1;
    }
  }
  return matches;
}

const CONNECTION = /:\/\/([^\s:@/'"`<>]{0,64}):([^\s@/'"`<>]{1,128})@([A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:]{2,45}\])/g;
/** Passwords that stand for one, or that every installation has. */
const COMMON_PASSWORDS = new Set(
  "pass passwd password pwd secret changeme postgres root admin administrator user username test testing guest mysql mongo redis rabbitmq token apikey api_key key foo bar baz xxx pw dev development local".split(
    " ",
  ),
);
/** A word for a password, with a word before it and a number after it. */
const SPELT_OUT =
  /^(?:some|my|your|the|a|db|user|test|dev|super|very)?[-_]?(?:pass(?:word|wd|phrase)?|pwd|secret)[-_]?(?:here)?\d{0,4}!?$/i;
const NOWHERE =
  /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|host\.docker\.internal)$|(?:^|\.)(?:example|test|invalid|localhost|local)$|(?:^|\.)example\.(?:com|org|net)$/i;

/** URLs that carry a password to somewhere real. */
function findConnections(text: string): readonly SecretMatch[] {
  return [...text.matchAll(CONNECTION)].flatMap(({ 0: value, 1: user = "", 2: password = "", 3: host = "", index }) => {
    const common =
      password.length < 4 ||
      SPELT_OUT.test(password) ||
      COMMON_PASSWORDS.has(password.toLowerCase()) ||
      password.toLowerCase() === user.toLowerCase();
    const variable = /^[$%{[(]|\$\{|\{\{|\$\(|^\*+$|^%[sdv]$/.test(password);
    if (common || variable || NOWHERE.test(host) || isPlaceholder(password)) return [];
    return [{ kind: "connection string with a password", value, index }];
  });
}
