import { text } from "../tool-arguments.ts";

/** Far beyond what GitHub takes: what is longer than that is shortened with a note when it is published, not refused. */
const LONGEST_BODY = 1_000_000;

/** A text that is published. */
export function body(description: string) {
  return text(LONGEST_BODY, `${description} GitHub takes about 65,000 characters; what is longer is shortened.`);
}
