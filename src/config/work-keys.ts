import { z } from "zod";
import { isCron } from "./cron.ts";
import { reviewKey } from "./review-keys.ts";
import { AUTONOMY, glob, JOB_KINDS, oneOrMore, positive, text, word } from "./values.ts";

const command = text.max(2000);
const commands = z.strictObject({ setup: command, build: command, test: command }).partial();

/** Keys about what starts work, and what kind of work. */
export const triggerKeys = {
  enabled: z.union([z.boolean(), z.literal("observe")], "expected true, false or observe").meta({
    description:
      "`false`: nothing starts. `observe`: runs and judges, and writes nothing but a neutral check run. A layer below can only tighten it.",
  }),
  label: word.meta({ description: "The label that starts a run when it is put on an issue, whatever its case." }),
  assignee: word.meta({ description: "The login whose assignment to an issue starts a run." }),
  bots: z
    .array(z.int().positive())
    .max(500)
    .meta({ description: "Numeric user ids of bots whose mentions count, if they hold the permission." }),
  ignored_authors: z.array(word).max(500).meta({ description: "Logins whose events start nothing, whatever their case." }),
  triggers: z
    .strictObject({
      issues: z
        .enum(["mention", "triage", "fix"])
        .meta({ description: "What a new issue starts: nothing unless it mentions the bot, a triage, or a fix." }),
      labels: z.boolean().meta({ description: "Whether a triage sets the labels that it proposes, of those that the repository has." }),
    })
    .partial()
    .meta({ description: "What starts a run by itself." }),
  gate_check: z
    .union(
      [
        z.boolean(),
        z
          .strictObject({
            enabled: z.boolean().meta({ description: "Whether every pull request is judged." }),
            code_scanning: z.boolean().meta({
              description: "Whether findings are uploaded to GitHub's code scanning as well; needs `security_events: write`.",
            }),
          })
          .partial(),
      ],
      "expected true, false, or an object with keys such as code_scanning",
    )
    .transform((given) => (typeof given === "boolean" ? { enabled: given } : { enabled: true, ...given }))
    .meta({ description: "Whether the gate judges every pull request, whoever made it, in a check run of its own." }),
  schedules: z
    .array(
      z.strictObject({
        cron: z.string().max(200).refine(isCron, "expected five fields of cron, such as 0 6 * * 1"),
        task: text,
      }),
    )
    .max(50)
    .meta({ description: "Tasks that run by the clock: five cron fields in UTC, and what is to be done." }),
  quiet_hours: z.strictObject({ from: clock(), to: clock(), timezone: timezone().optional() }).meta({
    description: "Hours of the day in which nothing starts that nobody asked for; `timezone` is an IANA name, UTC when left out.",
  }),
  review: reviewKey,
  ci: z
    .union(
      [
        z.enum(["fix", "explain", "off"]),
        z
          .strictObject({
            mode: z.enum(["fix", "explain", "off"]).meta({ description: "What becomes of a failed workflow run." }),
            issue: z
              .boolean()
              .meta({ description: "Whether an explanation without a pull request is kept in one issue per workflow and branch." }),
            rerun: z
              .boolean()
              .meta({ description: "Whether failed jobs are run once more before a model is asked; needs `actions: write`." }),
            flaky: z
              .array(word)
              .max(200)
              .meta({ description: "Names of jobs that fail now and then, `*` standing for anything: for these alone no model is asked." }),
            attempts: z
              .int()
              .min(1)
              .max(10)
              .meta({ description: "Attempts at one commit, and at the bot's own answers to it, before it says that it stops." }),
          })
          .partial(),
      ],
      "expected fix, explain, off, or an object with keys such as mode",
    )
    .transform((given) => (typeof given === "string" ? { mode: given } : given))
    .meta({ description: "What becomes of failed CI." }),
};

/** Keys about how the work is done. */
export const workKeys = {
  autonomy: z
    .union(
      [autonomy(), z.partialRecord(z.enum(JOB_KINDS), autonomy())],
      "expected read, plan or publish, or an object from job kind to one of them",
    )
    .transform((given) => (typeof given === "string" ? Object.fromEntries(JOB_KINDS.map((kind) => [kind, given])) : given))
    .meta({
      description:
        "How far a run goes by itself: it only reads, it posts a plan and waits, or it publishes. Per job kind if wanted. A layer below can only tighten it.",
    }),
  commands: commands
    .extend({ paths: z.record(glob, commands).meta({ description: "The same for parts of the repository, by path." }).optional() })
    .meta({ description: "How the repository is set up, built and tested; found out where not said." }),
  instructions: z
    .union([text, z.strictObject({ all: text, paths: z.record(glob, text) }).partial()], "expected a text, or an object with all and paths")
    .transform((given) => (typeof given === "string" ? { all: given } : given))
    .meta({ description: "What the model is told about this repository: a text, or `all` and `paths` (glob to text)." }),
  language: word.max(60).meta({ description: "The language of the bot's answers, such as `German`; that of the asker when left out." }),
  compaction: z.enum(["digest", "summary"]).meta({
    description:
      "How turns that leave a long conversation are told to the model: by a digest of what they did (`digest`), or by a summary as well, for which the model is asked (`summary`).",
  }),
  memory: z.boolean().meta({ description: "Whether facts are remembered from one run to the next." }),
  repair: z
    .strictObject({ attempts: z.int().min(0).max(20).meta({ description: "Failing test runs after which no more are started." }) })
    .partial()
    .meta({ description: "The loop that runs the repository's tests after changes." }),
  model: oneOrMore.meta({ description: "The model's name, or several, tried in their order when one is unavailable." }),
  models: z.partialRecord(z.enum([...JOB_KINDS, "review_refute"]), oneOrMore).meta({
    description:
      "Other models for single job kinds; `review_refute` is asked to refute a review's remarks, as `review` is where it is not set.",
  }),
  prices: z
    .record(word, z.strictObject({ input: z.number().min(0), output: z.number().min(0), cached_input: z.number().min(0).optional() }))
    .meta({ description: "Prices of models that are not known: United States dollars per million tokens, by model." }),
  context_window: z
    .union([z.int().positive(), z.record(word, z.int().positive())], "expected a number of tokens, or an object from model to one")
    .meta({ description: "Tokens that fit into one request, where that is not known: for every model, or by model." }),
};

/** Keys that limit what a run may use. */
export const budgetKeys = {
  max_turns: z.int().positive().meta({ description: "Model turns of one run." }),
  max_minutes: positive.meta({ description: "Minutes of one run." }),
  max_tokens: z.int().positive().meta({ description: "Tokens of one run, input and output together." }),
  max_usd: positive.meta({
    description: "Dollars of one run. The default counts where the model's price is known; once set, a model without a price is refused.",
  }),
  daily_usd: z
    .strictObject({ user: positive, repository: positive, organisation: positive })
    .partial()
    .meta({ description: "Dollars a day, for each user, repository and organisation." }),
};

function autonomy() {
  return z.enum(AUTONOMY);
}

function timezone() {
  return word.refine((name) => {
    try {
      return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
    } catch {
      return false;
    }
  }, "expected a time zone's name, such as Europe/Berlin");
}

function clock() {
  return z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "expected a time such as 22:00");
}
