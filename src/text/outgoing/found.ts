import { isOwn, isPublishableUrl, LOOSE_AT, namesThread } from "./address.ts";
import { CODE, MARKUP } from "./live.ts";
import type { OutgoingPolicy, Removed } from "./policy.ts";

/** Something live in shown text; offsets are into that text. `content` is what is to stand there as code. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly content: string;
  readonly kind: Removed;
}

const CLOSE = "(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)";
/** What may stand between a closing word and its number: blanks, a colon, emphasis, tags. */
const BETWEEN = `[\\s:*_~${MARKUP}]*`;
const NUMBER = "[#＃﹟]\\d+";
const SHORT_REFERENCE = `(?:[\\w.-]{1,100}/[\\w.-]{1,100})?${NUMBER}|GH-\\d+`;
const CLOSING = new RegExp(`(?<![a-z0-9])${CLOSE}${BETWEEN}(?=(${SHORT_REFERENCE})|(?:https?|www)[:.])`, "gi");
const CLOSING_AT_END = new RegExp(`(?<![a-z0-9])${CLOSE}${BETWEEN}$`, "i");
/** Foreign references; issues and discussions note on their own page who referred to them. */
const REFERENCE = /(?<![\w./-])([a-z0-9][\w-]{0,99})\/([\w.-]{1,100})[#＃﹟]\d+/gi;
/** GitHub's own logins, with the underscore of managed users, teams behind a slash; a version may follow a package's name. */
const MENTION = /(?<![A-Za-z0-9])[@＠﹫]([A-Za-z0-9][\w-]*)((?:\/[\w.-]+)*)(?:@[\w^~][\w.-]*)*/g;
/** What GitHub links by itself, and what other readers do. */
const ADDRESS = new RegExp(
  `(?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}://|(?<![a-z])(?:https?|ftp):[/\\\\]*|(?<![a-z0-9])www\\.|(?<![a-z])(?:mailto|xmpp):|(?<=[=(]["'<]?)//|(?<![\\w:/.])//(?=[\\w-]{1,63}\\.[a-z0-9]))[^\\s<"'\`${MARKUP}${CODE}]+`,
  "gi",
);
/** Bots that look for their name in the source, code or not. */
const LISTENING_BOTS: ReadonlySet<string> = new Set(
  "bors claude codex copilot coderabbitai cursor cursoragent cubic-dev-ai dependabot devin-ai-integration ellipsis-dev gemini gemini-cli gemini-code-assist github-actions greptile greptileai homu jules mergifyio mergify openhands openhands-agent pr-agent qodo-merge-pro renovate renovatebot restyled-io rust-timer rustbot snyk-bot sourcery-ai stale sweep-ai sweep triagebot".split(
    " ",
  ),
);

/**
 * All that GitHub, or a bot that reads along, would act on in this text: addresses, closing words, references to other repositories,
 * mentions. In order; no two overlap. `runsOn` says whether an address in the source takes in what follows it. Time grows linearly with the text.
 */
export function findLive(
  shown: string,
  policy: OutgoingPolicy,
  runsOn: (start: number, end: number) => boolean = () => false,
): readonly Found[] {
  const closed = new Map<number, string | undefined>();
  for (const hit of shown.matchAll(CLOSING)) closed.set(hit.index + hit[0].length, hit[1]);
  const taken: { readonly start: number; readonly end: number }[] = [];
  const found: Found[] = [];
  for (const { index: start, 0: address } of shown.matchAll(ADDRESS)) {
    const content = withoutTail(address);
    if (content === "" || /^(?:mailto|xmpp):$/i.test(content)) continue;
    const closes = closed.has(start) && namesThread(/^www/i.test(content) ? `https://${content}` : content);
    const mayStay = isPublishableUrl(content, policy) && !LOOSE_AT.test(address) && !runsOn(start, start + address.length);
    const end = start + (mayStay && !closes ? address : content).length;
    if (closes) found.push({ start, end, content, kind: "closing words" });
    else if (!mayStay) found.push({ start, end, content, kind: "links to hosts that are not listed" });
    taken.push({ start, end });
  }
  for (const [start, reference] of closed) {
    if (reference !== undefined) found.push({ start, end: start + reference.length, content: reference, kind: "closing words" });
  }
  for (const { index: start, 0: content, 1: owner = "", 2: name = "" } of shown.matchAll(REFERENCE)) {
    if (!isOwn(owner, name, policy)) found.push({ start, end: start + content.length, content, kind: "references to other repositories" });
  }
  found.push(...mentions(shown, policy));
  return withoutOverlaps(found, taken);
}

/** Whether a closing word stands right before the end of this text. */
export function endsInClosingWord(shown: string): boolean {
  const end = shown.slice(-200);
  return CLOSING_AT_END.test(end);
}

function* mentions(shown: string, { logins }: OutgoingPolicy): Generator<Found> {
  for (const { index, 0: whole, 1: login = "", 2: path = "" } of shown.matchAll(MENTION)) {
    if (whole.length === login.length + 1 && logins.some((allowed) => allowed.toLowerCase() === login.toLowerCase().replace(/_+$/, "")))
      continue;
    const content = whole.replace(/[._-]+$/, "");
    const name = path === "" ? login.toLowerCase().replace(/[_-]+$/, "") : "";
    // A scoped name inside a path: the whole path reads as one.
    const before = shown[index - 1] === "/" ? (/[\w./-]*$/.exec(shown.slice(Math.max(0, index - 100), index))?.[0] ?? "") : "";
    const code = LISTENING_BOTS.has(name) ? content.slice(1) : before + content;
    yield { start: index - before.length, end: index + content.length, content: code, kind: "mentions" };
  }
}

/** Without the marks that end a sentence, an emphasis or a bracket around the address. */
function withoutTail(address: string): string {
  let end = address.length;
  let unopened = address.split(")").length - address.split("(").length;
  while (end > 0) {
    const last = address.charAt(end - 1);
    if (!"?!.,:;*_~'\"])}>|".includes(last) || (last === ")" && unopened <= 0)) break;
    if (last === ")") unopened -= 1;
    end -= 1;
  }
  return address.slice(0, end);
}

/** In order, each only where none before it and no address that stays is. */
function withoutOverlaps(found: readonly Found[], taken: readonly { readonly start: number; readonly end: number }[]): readonly Found[] {
  const rank = (one: Found): number => (one.kind === "closing words" ? 0 : one.kind.startsWith("links") ? 1 : 2);
  const kept: Found[] = [];
  let next = 0;
  let at = 0;
  for (const one of found.toSorted((a, b) => a.start - b.start || rank(a) - rank(b) || b.end - a.end)) {
    while (next < taken.length && (taken[next]?.end ?? 0) <= one.start) next += 1;
    const address = taken[next];
    const isInAddress = address !== undefined && one.start > address.start && one.start < address.end;
    if (one.start < at || isInAddress) continue;
    kept.push(one);
    at = one.end;
  }
  return kept;
}
