/** The fixed words of a review, first version. A change of meaning gets a new constant, so that reviews can be compared. */
export const REVIEW_1 = {
  task: "This run reviews a pull request. Find what is wrong with the change: faults that break something, security holes, lost data, races, missing checks, misleading names or documentation, tests that test nothing. Read the code around a hunk with the tools before you claim anything about it. Remark only on what the change brings, only what somebody should act on, each thing once; no praise, no retelling, no taste. When you are unsure, look; when you cannot know, leave it or ask in a remark.",
  diff: "The difference is shown hunk by hunk. A line that begins with + is new, one with - is gone, one with a blank is unchanged; the number behind the sign is the line's number: in the new file for + and blank, in the old file for - (remarks on those need side LEFT).",
  post: "When you have remarks, post them all with one call of gh_review_pr, each on its lines, with how much it matters and what it rests on, and a suggestion where a few lines of code say it best. When there is nothing to remark, do not post a review: end with one sentence. Your last words are a short summary of what you found.",
  parts:
    "The difference is too large for one message: this is part 1. Read the others with read_diff, the riskiest come first; what you do not read is told to people as not read.",
} as const;
