import { z } from "zod";
import { SEVERITIES } from "../core/remark-severity.ts";
import { glob, word } from "./values.ts";

/** The key about the review of pull requests: `true`, `false`, or what it is to be like. */
export const reviewKey = z
  .union(
    [
      z.boolean(),
      z
        .strictObject({
          enabled: z.boolean().meta({ description: "Whether pull requests are reviewed unasked." }),
          label: word.meta({ description: "Only pull requests that bear this label are reviewed unasked, whatever its case." }),
          bots: z.boolean().meta({ description: "Whether pull requests of other bots are reviewed, too." }),
          required: z.boolean().meta({ description: "Whether a review that could not be made fails its check run." }),
          paths: z.array(glob).max(500).meta({ description: "Only files that match are read; all when it is empty." }),
          ignore: z
            .array(glob)
            .max(500)
            .meta({ description: "Files that are neither shown to the model nor commented on; `**/x` also matches at the root." }),
          max_files: z
            .int()
            .positive()
            .meta({ description: "The most files that one review reads, the riskiest first; the others are named as not read." }),
          min_severity: z.enum(SEVERITIES).meta({
            description: "Remarks that matter less are left out and counted. A remark whose severity nobody said is never left out for it.",
          }),
          max_remarks: z
            .int()
            .min(1)
            .max(200)
            .meta({ description: "The most remarks of one review, those that matter most first; the others are counted." }),
          check_suggestions: z.boolean().meta({
            description:
              "Whether suggestions are tried before they are offered, each by the repository's tests in the sandbox; one with which they fail is plain code. At most ten and ten minutes for each review. Not for forks.",
          }),
          refute: z.boolean().meta({
            description:
              "Whether each remark is first put to a model that tries to refute it (`models.review_refute`); refuted ones are left out.",
          }),
        })
        .partial(),
    ],
    "expected true, false, or an object with keys such as ignore",
  )
  .transform((given) => (typeof given === "boolean" ? { enabled: given } : { enabled: true, ...given }))
  .meta({ description: "The review of pull requests; `true` or `false` turns it on or off." });
