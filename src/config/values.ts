import { z } from "zod";

/** GitHub's repository permissions, from least to most. Source: the REST endpoint "Get repository permissions for a user". */
export const PERMISSIONS = ["read", "triage", "write", "maintain", "admin"] as const;
/** What starts work, as far as it can be configured apart. */
export const JOB_KINDS = ["mention", "review", "ci", "triage", "task"] as const;
/** How far a run goes by itself, from least to most. */
export const AUTONOMY = ["read", "plan", "publish"] as const;

/** What a database, a model and a shell all take for text. */
const isText = (value: string): boolean => value.isWellFormed() && !value.includes("\0");
const NO_TEXT = "expected text, without NUL and half characters";

/** A path pattern; `**` at its front also matches at the root. */
export const glob = z
  .string()
  .regex(/^[^!\0][^\0]{0,999}$/, "expected a glob or a path, without ! in front")
  .refine(isText, NO_TEXT);
export const count = z.int().nonnegative();
/** Names of packages, tools or teams. */
export const names = z.array(z.string().trim().min(1).max(214));
/** Some words in one line, such as a label or a login. */
export const word = z.string().trim().min(1).max(200).refine(isText, NO_TEXT);
/** What is said to a model or a shell. */
export const text = z.string().trim().min(1).max(20_000).refine(isText, NO_TEXT);
export const positive = z.number().positive();

/** One name, or several in their order. */
export const oneOrMore = z
  .union([word, z.array(word).min(1).max(20)], "expected a name, or a list of names")
  .transform((given): readonly string[] => (typeof given === "string" ? [given] : given));
