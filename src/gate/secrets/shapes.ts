import type { SecretMatch } from "./match.ts";
import { isPlaceholder } from "./placeholder.ts";

interface Shape {
  readonly kind: string;
  /** Starts with a literal, has no open-ended part: linear, and what is appended to a token changes nothing. */
  readonly pattern: RegExp;
  /** Length of the prefix that says nothing about whether the rest is real. */
  readonly prefix: number;
}

const shape = (kind: string, prefix: number, pattern: RegExp): Shape => ({ kind, prefix, pattern });

/**
 * Tokens by their issuers' own prefixes. Sources: GitHub's secret-scanning patterns
 * (https://docs.github.com/code-security/secret-scanning/introduction/supported-secret-scanning-patterns), whose advice for the long
 * installation tokens is `ghs_[A-Za-z0-9._]{36,}`, and each issuer's pages.
 */
const SHAPES: readonly Shape[] = [
  shape("GitHub token", 4, /gh[opusr]_[A-Za-z0-9._]{36}/g),
  shape("GitHub token", 11, /github_pat_[A-Za-z0-9_]{36}/g),
  shape("GitLab token", 6, /gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_-]{20}/g),
  shape("AWS access key id", 4, /(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}/g),
  shape("OpenAI key", 8, /sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40}/g),
  shape("OpenAI key", 3, /sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}/g),
  shape("secret key", 3, /(?<![A-Za-z0-9])sk-[A-Za-z0-9]{48}/g),
  shape("OpenRouter key", 9, /sk-or-v1-[a-f0-9]{64}/g),
  shape("Anthropic key", 7, /sk-ant-[a-z]{3,8}\d{2}-[A-Za-z0-9_-]{40}/g),
  shape("Slack token", 5, /xox[abeoprs]-(?:\d-)?[A-Za-z0-9-]{24}/g),
  shape("Slack token", 5, /xapp-\d-[A-Z0-9]{8,14}-\d{8,16}-[a-f0-9]{40}/g),
  shape("Slack webhook", 23, /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/_-]{36}/g),
  shape("Discord webhook", 19, /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60}/g),
  shape("Stripe key", 8, /[sr]k_live_[A-Za-z0-9]{20}/g),
  shape("Stripe webhook secret", 6, /whsec_[A-Za-z0-9+/]{32}/g),
  shape("npm token", 4, /npm_[A-Za-z0-9]{36}/g),
  shape("PyPI token", 16, /pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBp)[\w-]{50}/g),
  shape("RubyGems key", 9, /rubygems_[a-f0-9]{48}/g),
  shape("crates.io token", 3, /(?<![A-Za-z0-9])cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/g),
  shape("Google API key", 4, /AIza[\w-]{35}/g),
  shape("Google OAuth secret", 7, /GOCSPX-[\w-]{28}/g),
  shape("Google access token", 5, /ya29\.[\w-]{40}/g),
  shape("Azure storage key", 11, /AccountKey=[A-Za-z0-9+/]{86}==/g),
  shape("SendGrid key", 3, /SG\.[\w-]{22}\.[\w-]{43}/g),
  shape("Telegram bot token", 12, /\d{8,10}:AA[\w-]{33}/g),
  shape("Hugging Face token", 3, /hf_[A-Za-z]{34}/g),
  shape("Groq key", 4, /gsk_[A-Za-z0-9]{48}/g),
  shape("xAI key", 4, /xai-[A-Za-z0-9]{70}/g),
  shape("DigitalOcean token", 7, /do[opr]_v1_[a-f0-9]{64}/g),
  shape("Databricks token", 4, /dapi[a-f0-9]{32}/g),
  shape("Vault token", 4, /hv[sb]\.[\w-]{24}/g),
  shape("Shopify token", 6, /shp(?:at|ca|pa|ss)_[a-f0-9]{32}/g),
  shape("Docker token", 9, /dckr_(?:pat|oat)_[\w-]{27}/g),
  shape("Linear key", 8, /lin_api_[A-Za-z0-9]{40}/g),
  shape("Atlassian token", 6, /ATATT3[\w-]{60}/g),
  shape("Grafana token", 5, /gl(?:sa|c)_[A-Za-z0-9_+/]{32}/g),
  shape("New Relic key", 5, /NRAK-[A-Z0-9]{27}/g),
  shape("Postman key", 5, /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/g),
  shape("Figma token", 5, /fig[dou]_[\w-]{40}/g),
  shape("Sentry token", 7, /sntry[su]_[A-Za-z0-9+/=_]{60}/g),
  shape("Tailscale key", 6, /tskey-[a-z]{2,12}-[A-Za-z0-9]{6,24}-[A-Za-z0-9]{20}/g),
  shape("age key", 16, /AGE-SECRET-KEY-1[0-9A-Z]{58}/g),
];

/** Secrets by shape in one text, with stand-ins left out. Linear in the text's length. */
export function findShapes(text: string): readonly SecretMatch[] {
  return [...SHAPES.flatMap((one) => matchesOf(one, text)), ...findPrivateKeys(text), ...findWebTokens(text), ...findConnections(text)];
}

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
const NOWHERE =
  /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|host\.docker\.internal)$|(?:^|\.)(?:example|test|invalid|localhost|local)$|(?:^|\.)example\.(?:com|org|net)$/i;

/** URLs that carry a password to somewhere real. */
function findConnections(text: string): readonly SecretMatch[] {
  return [...text.matchAll(CONNECTION)].flatMap(({ 0: value, 1: user = "", 2: password = "", 3: host = "", index }) => {
    const common = COMMON_PASSWORDS.has(password.toLowerCase()) || password.toLowerCase() === user.toLowerCase();
    const variable = /^[$%{[(]|\$\{|\{\{|\$\(|^\*+$|^%[sdv]$/.test(password);
    if (common || variable || NOWHERE.test(host) || isPlaceholder(password)) return [];
    return [{ kind: "connection string with a password", value, index }];
  });
}
