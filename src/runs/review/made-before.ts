import { ownRemarks } from "../../github/own-remarks.ts";
import type { OwnReview } from "../../github/review.ts";
import type { DiffFile } from "../../review/diff/diff-file.ts";
import { fingerprintOf, fingerprintOfPublished, isSaidIn, isSameRemark } from "../../review/place/fingerprint.ts";
import type { Remark } from "../../review/remark.ts";
import type { RunContext } from "../run-context.ts";

/**
 * Tells the remarks that were made before on this pull request: they stand on GitHub, open or answered, resolved or waved away, and none is
 * made twice. GitHub is asked and nothing else, so that whoever lost a database repeats nothing.
 */
export async function madeBefore(
  { session, request }: Pick<RunContext, "session" | "request">,
  {
    number,
    files,
    reviews,
    instead = [],
  }: {
    readonly number: number;
    readonly files: readonly DiffFile[];
    readonly reviews: readonly OwnReview[];
    /** Own comments in which remarks stand that GitHub took in no review. */
    readonly instead?: readonly string[];
  },
): Promise<(remark: Remark) => boolean> {
  const submitted = reviews.filter(({ state }) => state !== "PENDING");
  // Every remark on a line belongs to a review, single ones to one of their own.
  const known = submitted.length === 0 ? [] : (await ownRemarks(session, request.repository, number)).map(fingerprintOfPublished);
  const bodies = [...submitted.map(({ body }) => body), ...instead];
  const namesOf = (path: string): readonly string[] =>
    files.flatMap((file) => (file.path === path ? [file.previousPath ?? path] : file.previousPath === path ? [file.path] : []));
  return (remark) => {
    const own = fingerprintOf(remark, files);
    return known.some((one) => isSameRemark(own, one, namesOf)) || bodies.some((body) => isSaidIn(body, own));
  };
}
