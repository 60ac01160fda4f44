import { z } from "zod";

/** GitHub's repository permissions, from least to most. Source: the REST endpoint "Get repository permissions for a user". */
const PERMISSIONS = ["read", "triage", "write", "maintain", "admin"] as const;

/** What a repository's owners may set; the defaults of every layer below which nothing was said. */
export const settingsSchema = z.strictObject({
  /** What who asks must hold at least. */
  permission: z.enum(PERMISSIONS).default("write"),
  /** The label that starts a run when it is set, whatever its case. */
  label: z.string().trim().min(1).default("sallyport"),
  /** Numeric user ids of bots whose words count. */
  bots: z.array(z.int().positive()).default([]),
  /** The login whose assignment starts a run, besides the App's own. */
  assignee: z.string().trim().min(1).optional(),
  max_turns: z.int().positive().default(50),
  max_minutes: z.number().positive().default(20),
  max_tokens: z.int().positive().default(2_000_000),
  /** United States dollars; counts where the model's price is known. */
  max_usd: z.number().positive().default(5),
});

export type Settings = z.infer<typeof settingsSchema>;

/** The settings of a repository whose owners have set none. */
export const DEFAULT_SETTINGS: Readonly<Settings> = Object.freeze(settingsSchema.parse({}));
