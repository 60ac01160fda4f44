import { text } from "../tool-arguments.ts";

/** GitHub takes 65,536 characters; whatever it counts, bytes are the most, and the product adds lines of its own. */
const LONGEST_BODY = 60_000;

/** A text that is published: below GitHub's limit in any unit. */
export function body(description: string) {
  return text(LONGEST_BODY, description).refine(
    (value) => Buffer.byteLength(value) <= LONGEST_BODY,
    `is too long: GitHub's limit is 65536 characters, so at most ${LONGEST_BODY} bytes are taken; shorten it`,
  );
}
