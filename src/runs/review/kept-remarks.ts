import type { CheckAnnotation } from "../../core/operation.ts";
import { placeReview, type PlaceOptions } from "../../review/place/render.ts";
import { boundText } from "../../text/bound.ts";
import { cleanPlain } from "../../text/outgoing/plain.ts";
import type { OutgoingPolicy } from "../../text/outgoing/policy.ts";
import type { ReviewWish } from "../../tools/tool.ts";
import { remarkOf } from "./post-review.ts";
import { allInBody, reviewText } from "./review-text.ts";

/** As many as one request may carry. Source: https://docs.github.com/rest/checks/runs */
const MOST_ANNOTATIONS = 50;
/** Bytes of one annotation. */
const LONGEST_MESSAGE = 8_000;

/** Reviews that GitHub took in no other form, as a check run shows them. */
export interface KeptRemarks {
  readonly text: string;
  readonly annotations: readonly CheckAnnotation[];
}

/** All remarks in words, and those on lines of the new side at their lines as well. Nothing when there are no such reviews. */
export function keptRemarks(wishes: readonly ReviewWish[], options: PlaceOptions & { readonly outgoing: OutgoingPolicy }): KeptRemarks {
  const { outgoing } = options;
  const reviews = wishes.map((wish) => ({ wish, placed: placeReview(wish.comments.map(remarkOf), options) }));
  const texts = reviews.map(({ wish: { body, event }, placed }) =>
    reviewText(
      { lead: "GitHub took neither a review nor a comment; the remarks:", words: body, verdict: event, inBody: allInBody(placed).inBody },
      [],
      outgoing,
    ),
  );
  const annotations = reviews.flatMap(({ placed }) =>
    placed.comments.flatMap(({ path, line, startLine = line, side, body }): readonly CheckAnnotation[] => {
      const message = cleanPlain(boundText(body, LONGEST_MESSAGE, "the rest of the remark"), outgoing).text.trim();
      return side === "LEFT" || message === "" ? [] : [{ path, startLine, endLine: line, level: "warning", message }];
    }),
  );
  return { text: texts.join("\n\n"), annotations: annotations.slice(0, MOST_ANNOTATIONS) };
}
