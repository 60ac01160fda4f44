import { SEVERITY_WORDS } from "../core/words.ts";
import { cleanAll, type Clean } from "./clean.ts";
import { VERDICT_WORDS } from "./words.ts";

/** A row of the audit log as its page shows it; every text in it is cleaned and still hostile. */
export interface AuditEntryView {
  /** A key of the stylesheet's colours, and the words that say the same. */
  readonly state: string;
  readonly words: string;
  /** ISO 8601. */
  readonly at?: string;
  readonly operation?: string;
  readonly target?: string;
  readonly repository?: string;
  readonly run?: string;
  /** Who asked for the run, and who answered a question. */
  readonly asker?: string;
  readonly by?: string;
  readonly approval?: string;
  readonly url?: string;
  readonly rules: readonly { readonly rule: string; readonly severity: string; readonly words: string }[];
}

type Members = Readonly<Record<string, unknown>>;

/** Reads a row's entry. One that this release does not know, or that is no JSON, is shown as far as it can be. */
export function readEntry(entry: string, clean: Clean): AuditEntryView {
  const read = cleanAll(parse(entry), clean);
  const text = (name: string, from: Members = read): string | undefined => {
    const value = from[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const outcome = members(read["outcome"]);
  const run = text("run");
  const at = text("at");
  return {
    ...stateOf(text("kind"), {
      verdict: text("verdict"),
      status: text("status", outcome),
      code: text("code", outcome),
      answer: text("answer"),
    }),
    rules: rulesIn(read["rules"]),
    ...given("at", at !== undefined && !Number.isNaN(Date.parse(at)) ? at : undefined),
    ...given("operation", text("operation")?.replaceAll("-", " ")),
    ...given("target", text("target")),
    ...given("repository", text("repository")),
    ...given("run", run !== undefined && /^[0-9a-z]{26}$/.test(run) ? run : undefined),
    ...given("asker", text("login", members(read["asker"]))),
    ...given("by", text("by")),
    ...given("approval", text("approval")),
    ...given("url", text("url", outcome)),
  };
}

interface Said {
  readonly verdict: string | undefined;
  readonly status: string | undefined;
  readonly code: string | undefined;
  readonly answer: string | undefined;
}

function stateOf(kind: string | undefined, { verdict, status, code, answer }: Said): { readonly state: string; readonly words: string } {
  if (kind === "decision" && verdict !== undefined && Object.hasOwn(VERDICT_WORDS, verdict))
    return { state: verdict, words: VERDICT_WORDS[verdict as keyof typeof VERDICT_WORDS] };
  if (kind === "outcome" && status === "done") return { state: "done", words: "written" };
  if (kind === "outcome") return { state: "failed", words: code === undefined ? "not written" : `not written: ${code.slice(0, 60)}` };
  if (kind === "answer" && (answer === "approved" || answer === "denied")) return { state: answer, words: answer };
  return { state: "quiet", words: (kind ?? "unknown").slice(0, 60) };
}

function rulesIn(value: unknown): AuditEntryView["rules"] {
  if (!Array.isArray(value)) return [];
  return value.map(members).flatMap(({ rule, severity }) => {
    if (typeof rule !== "string" || typeof severity !== "string") return [];
    const known = Object.hasOwn(SEVERITY_WORDS, severity);
    return [
      {
        rule,
        severity: known ? severity : "quiet",
        words: known ? SEVERITY_WORDS[severity as keyof typeof SEVERITY_WORDS] : severity.slice(0, 60),
      },
    ];
  });
}

function parse(entry: string): Members {
  try {
    return members(JSON.parse(entry));
  } catch {
    return {};
  }
}

const members = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});

const given = <K extends string>(name: K, value: string | undefined): { readonly [key in K]?: string } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [key in K]: string });
