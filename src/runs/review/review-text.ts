import type { Finding } from "../../core/result.ts";
import type { PullPin, RepositoryRef } from "../../core/run.ts";
import type { Span } from "../../review/place/lines.ts";
import type { PlacedReview } from "../../review/place/render.ts";
import { boundText } from "../../text/bound.ts";
import { codeSpan } from "../../text/code-span.ts";
import { cleanAndBound } from "../../text/outgoing/bound-clean.ts";
import { cleanOutgoing } from "../../text/outgoing/clean.ts";
import type { OutgoingPolicy } from "../../text/outgoing/policy.ts";
import type { ReviewWish } from "../../tools/tool.ts";
import { renderGate } from "../report.ts";

/** GitHub takes 65,536 characters of a body; the marker and what the gate warns of come on top. Bytes. */
const LONGEST_BODY = 56_000;
const LONGEST_WARNING = 4_000;
/** Bytes of all remarks in a body with the review's words, of those words where room is short, and of one remark at least. */
const ROOM = LONGEST_BODY - 1_000;
const LONGEST_WORDS = 8_000;
const LEAST_SHARE = 160;

const VERDICTS: { readonly [event in NonNullable<ReviewWish["event"]>]: string } = {
  COMMENT: "",
  APPROVE: "Verdict: nothing stands in the way of a merge, as far as this review can tell. (The bot never approves.)",
  REQUEST_CHANGES: "Verdict: this review requests changes before the merge. (In words only: the bot never stands in its way.)",
};

/** What a review says beside its remarks on lines. */
export interface ReviewWords {
  /** Our own first line, where the review could not be posted as one. */
  readonly lead?: string;
  /** The reviewer's words: a model's. */
  readonly words: string;
  readonly verdict: ReviewWish["event"];
  readonly inBody: PlacedReview["inBody"];
}

/**
 * The text of a review's body: the reviewer's words, the verdict in words, what stands on no line, and what the gate warns of. Cleaned, and
 * short enough for GitHub with a marker behind it.
 */
export function reviewText(
  { lead = "", words, verdict, inBody }: ReviewWords,
  warnings: readonly Finding[],
  outgoing: OutgoingPolicy,
): string {
  const { own, texts } = withinRoom(words.trim(), inBody, outgoing);
  const beside = texts.length === 0 ? [] : ["Remarks beside the lines of the difference:", ...texts];
  const said = [lead, own, verdict === undefined ? "" : VERDICTS[verdict], ...beside].filter((part) => part !== "").join("\n\n");
  const { text } = cleanAndBound(said, outgoing, LONGEST_BODY, "the rest of the review");
  // That a text was cleaned is told to whoever wrote it; people see that by itself.
  const told = warnings.filter(({ rule }) => rule !== "output");
  const warned = told.length === 0 ? "" : boundText(renderGate(told), LONGEST_WARNING, "more findings");
  return cleanOutgoing([text, warned].filter((part) => part !== "").join("\n\n"), outgoing).text.trim();
}

/** Where all of it is too long, each remark keeps its place and its beginning: no one hides those behind it. */
function withinRoom(
  words: string,
  inBody: PlacedReview["inBody"],
  outgoing: OutgoingPolicy,
): { readonly own: string; readonly texts: readonly string[] } {
  // Cleaned before they are measured: what makes a text inert takes room.
  const texts = inBody.map(({ text }) => cleanOutgoing(text.slice(0, LONGEST_BODY).toWellFormed(), outgoing).text);
  const sizes = texts.map((text) => Buffer.byteLength(text) + 2);
  const whole = sizes.reduce((sum, size) => sum + size, Buffer.byteLength(words));
  if (texts.length === 0 || whole <= ROOM) return { own: words, texts };
  const { text: own } = cleanAndBound(words, outgoing, LONGEST_WORDS, "the rest of what the review says");
  let room = ROOM - Buffer.byteLength(own);
  const shown = [...texts];
  // The short ones first: what they leave is the others'.
  for (const [done, at] of [...texts.keys()].toSorted((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0)).entries()) {
    const share = Math.max(LEAST_SHARE, Math.floor(room / (texts.length - done)) - 2);
    shown[at] = boundText(texts[at] ?? "", share, "the rest of the remark");
    room -= Buffer.byteLength(shown[at]) + 2;
  }
  return { own, texts: shown };
}

/** The same remarks without places on lines, each with its place in words: for texts that hold no place. Nothing in them can be applied. */
export function allInBody({ comments, inBody }: PlacedReview): PlacedReview {
  const moved = comments.map(({ path, line, startLine, side, body }) => {
    const lines = startLine === undefined ? String(line) : `${startLine}–${line}`;
    const where = `${codeSpan(`${path}:${lines}`)}${side === "LEFT" ? " (before the change)" : ""}`;
    return { path, text: `**${where}**\n\n${body.replace(/^( {0,3}(?:`{3,}|~{3,}))suggestion\b/gm, "$1")}` };
  });
  return { comments: [], inBody: [...moved, ...inBody] };
}

/** Addresses of files at the commits that were read. A path may hold anything: each segment is encoded. */
export function linksTo(
  webUrl: string,
  { owner, name }: Pick<RepositoryRef, "owner" | "name">,
  { headSha, baseSha }: Pick<PullPin, "headSha" | "baseSha">,
): (path: string, side: "LEFT" | "RIGHT", lines: Span | undefined) => string | undefined {
  return (path, side, lines) => {
    if (path === "" || !path.isWellFormed() || path.split("/").some((segment) => segment === "" || segment === "." || segment === ".."))
      return undefined;
    const encoded = path
      .split("/")
      .map((segment) => encodeURIComponent(segment).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`));
    const at = lines === undefined ? "" : lines.first === lines.last ? `#L${lines.first}` : `#L${lines.first}-L${lines.last}`;
    return `${webUrl}/${owner}/${name}/blob/${side === "LEFT" ? baseSha : headSha}/${encoded.join("/")}${at}`;
  };
}
