import type { Finding } from "../../core/result.ts";
import type { RunView } from "../../core/run.ts";
import { scanMarkdown } from "../../text/blocks.ts";
import { cleanOutgoing } from "../../text/outgoing/clean.ts";
import { findDirective } from "../../text/outgoing/directives.ts";
import { cleanPlain } from "../../text/outgoing/plain.ts";
import type { Cleaned } from "../../text/outgoing/policy.ts";
import { textsOf, type JudgedText } from "../contents.ts";
import type { Judged } from "../judged.ts";
import { coAuthorTrailer, outgoingPolicy, type Links } from "../outgoing.ts";
import { forRun, type PerRun } from "../policy.ts";
import type { GateRule } from "../rule.ts";
import type { RuleSources } from "../rule-sources.ts";
import type { RunScope } from "../scope.ts";

const NAME = "output";
/** What ends a comment of the product's own. */
const MARKER = /(?:^|\n\n)(<!-- sallyport [^<>\n]*-->)$/;
/** What ends a pull request's description: the thread that it is for. */
const CLOSING = /(?:^|\n\n)(?:Closes|Fixes|Resolves|Refs) #(\d+)$/;
/** What names something, or leads to the product's own page: nobody reads it as text. The rule about operations looks at them. */
const NAMES: ReadonlySet<JudgedText["field"]> = new Set(["branch", "base", "externalId", "detailsUrl", "annotated path", "remarked path"]);
const MARKDOWN: ReadonlySet<JudgedText["field"]> = new Set(["body", "summary", "text", "remark"]);
const SUGGESTION = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:`{3,}|~{3,})[ \t]*suggestion\b/i;

export interface OutputSources extends Pick<RuleSources, "scope"> {
  readonly links: PerRun<Links>;
  /** Whether this hidden marker was made by the product for this run. */
  readonly isOwnMarker: NonNullable<RuleSources["isOwnMarker"]>;
}

/**
 * No text that leaves calls people, closes issues, moves other bots, hides something or leads elsewhere, beside the frame that the product
 * itself adds: its marker, the thread that a pull request is for, the asker as co-author. It asks the same implementation that the outlets
 * clean with, so a text that came past them is held.
 */
export function outputRule({ scope, links, isOwnMarker }: OutputSources): GateRule {
  return {
    name: NAME,
    applies: ["open-pull-request", "commit", "comment", "edit-own-comment", "check-run", "review", "open-issue"],
    async check(judged, run) {
      const allowed = await scope(run);
      if (judged.kind === "workspace-write") return [];
      const policy = outgoingPolicy(allowed ?? { repository: judged.repository }, forRun(links, run));
      return textsOf(judged).flatMap(({ field, text }) => {
        if (NAMES.has(field)) return [];
        const own = withoutFrame(judged, { field, text }, run, allowed, isOwnMarker);
        const isMarkdown = MARKDOWN.has(field);
        const cleaned = isMarkdown ? cleanOutgoing(own, policy) : cleanPlain(own, policy);
        return [
          ...judgeClean(field, own, cleaned),
          ...(judged.kind === "open-pull-request" || judged.kind === "commit" ? judgeDirectives(field, own) : []),
          ...(isMarkdown ? judgeSuggestions(own) : []),
        ];
      });
    },
  };
}

/** The text without what the product adds to it, where that is exactly what it would add for this run. */
function withoutFrame(
  { kind }: Judged,
  { field, text }: JudgedText,
  run: RunView,
  scope: RunScope | undefined,
  isOwnMarker: OutputSources["isOwnMarker"],
): string {
  if (field === "message") {
    const trailer = scope?.actor === undefined ? undefined : `\n\n${coAuthorTrailer(scope.actor)}`;
    return trailer !== undefined && text.endsWith(trailer) ? text.slice(0, -trailer.length) : text;
  }
  if (field !== "body") return text;
  if (kind === "open-pull-request") {
    const [closing, number] = CLOSING.exec(text) ?? [];
    return closing !== undefined && Number(number) === scope?.threads[0] ? text.slice(0, -closing.length) : text;
  }
  const [whole, marker] = MARKER.exec(text.slice(-1000)) ?? [];
  return whole !== undefined && marker !== undefined && isOwnMarker(marker, run) ? text.slice(0, -whole.length) : text;
}

function judgeClean(field: string, text: string, { text: cleaned, removed }: Cleaned): readonly Finding[] {
  if (cleaned === text) return [];
  const what = removed.length === 0 ? "something that it leaves open" : removed.join(", ");
  return [block(`the ${field} holds ${what}, which people or bots would act on`, "Leave it out, or write it as code.")];
}

function judgeDirectives(field: string, text: string): readonly Finding[] {
  const why = findDirective(text);
  return why === undefined
    ? []
    : [block(`the ${field} gives an order: ${why}`, "Leave that line or word out; the asker is named by the bot itself.")];
}

/** A suggested change is committed by one click, whatever it says. */
function judgeSuggestions(text: string): readonly Finding[] {
  const holds = scanMarkdown(text).some(({ kind, start, end }) => kind === "code-block" && SUGGESTION.test(text.slice(start, end)));
  if (!holds) return [];
  const why = "the text holds a suggested change, which one click would commit without the gate";
  return [{ rule: NAME, severity: "warn", why, fix: "Read it as you would read a commit." }];
}

function block(why: string, fix: string): Finding {
  return { rule: NAME, severity: "block", why, fix };
}
