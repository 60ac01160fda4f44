import { resolve } from "node:path";
import { faultsOf, readEnvironment, type Environment } from "../config/environment.ts";
import { appVariables, NO_APP_HINT, withKeptApp } from "../config/kept-app.ts";
import { withoutEffect } from "../config/without-effect.ts";
import { readServerFile } from "../config/server-file.ts";
import type { FileSettings } from "../config/file-schema.ts";
import { ConfigurationError, messageOf, SallyportError } from "../core/errors.ts";
import type { Check, Checked, Outcome } from "./doctor/check.ts";
import { gitCheck } from "./doctor/git-check.ts";
import { gitHubChecks } from "./doctor/github-checks.ts";
import { modelCheck } from "./doctor/model-check.ts";
import { sandboxCheck } from "./doctor/sandbox-check.ts";
import { tokenChecks } from "./doctor/token-check.ts";

export interface DoctorOptions {
  readonly json: boolean;
  /** The folder that relative paths count from, absolute. */
  readonly cwd: string;
}

export interface DoctorWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
}

/**
 * `sallyport doctor`: looks at everything that a server needs, and says what to install or set. Answers 0, or 1 when something failed, a
 * missing sandbox included. Nothing that it prints holds a secret.
 */
export async function doctor({ json, cwd }: DoctorOptions, { variables: given, write }: DoctorWorld): Promise<number> {
  const { variables } = withKeptApp(given, cwd);
  const configured = tried("configuration", () => readServerFile(serverFile(variables, cwd)));
  const environment = tried("environment", () => readEnvironment(variables));
  const checks: Check[] = [
    configured.check,
    gitCheck({ path: variables["PATH"] ?? "" }),
    sandboxCheck({ path: variables["PATH"] ?? "", settings: configured.value?.sandbox }),
    environment.value === undefined
      ? { name: "environment", run: () => Promise.resolve(environmentOutcome(faultsOf(variables), appVariables(variables).length === 0)) }
      : environment.check,
    ...(environment.value === undefined ? [] : [...gitHubChecks(environment.value), modelCheck(environment.value)]),
    ...tokenChecks(variables),
  ];
  const found: Checked[] = [];
  for (const { name, run } of checks) {
    const outcome = await run().catch(faultOf);
    found.push({ name, ...outcome });
    if (!json) write(linesOf({ name, ...outcome }));
  }
  const failed = found.filter(({ status }) => status === "failed").map(({ name }) => name);
  if (json) write(`${JSON.stringify({ ok: failed.length === 0, checks: found }, null, 2)}\n`);
  else write(failed.length === 0 ? "\nNothing stands in the way.\n" : `\nTo be mended: ${failed.join(", ")}.\n`);
  return failed.length === 0 ? 0 : 1;
}

function serverFile(variables: DoctorWorld["variables"], cwd: string): string | undefined {
  const named = variables["SALLYPORT_CONFIG"]?.trim() ?? "";
  return named === "" ? undefined : resolve(cwd, named);
}

interface Tried<T> {
  readonly value?: T;
  readonly check: Check;
}

/** What is read at every start, and what its failure means. */
function tried<T extends Environment | FileSettings>(name: string, read: () => T): Tried<T> {
  try {
    const value = read();
    const warnings = "appId" in value ? value.warnings : withoutEffect(value, "SALLYPORT_CONFIG");
    const outcome: Outcome =
      warnings.length === 0
        ? { status: "ok", says: "all that is set can be read" }
        : { status: "warning", says: warnings[0] ?? "", details: warnings.slice(1) };
    return { value, check: { name, run: () => Promise.resolve(outcome) } };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { check: { name, run: () => Promise.resolve(faultOf(error)) } };
  }
}

/** All variables at once: who sets one up would else meet them one start after the other. */
function environmentOutcome(faults: readonly ConfigurationError[], isWithoutApp: boolean): Outcome {
  const [first, ...more] = faults;
  if (more.length === 0) return faultOf(first);
  const details = faults.map(({ message, hint }) => (hint === undefined ? message : `${message} ${hint}`));
  return {
    status: "failed",
    says: `${faults.length} variables are missing or cannot be used`,
    details,
    ...(isWithoutApp ? { advice: [NO_APP_HINT] } : {}),
  };
}

/** A check that breaks is told like one that fails: the others are still worth seeing. */
function faultOf(error: unknown): Outcome {
  const hint = error instanceof SallyportError ? error.hint : undefined;
  return { status: "failed", says: messageOf(error), advice: hint === undefined ? [] : [hint] };
}

const WORDS: Readonly<Record<Outcome["status"], string>> = { ok: "ok", warning: "warning", failed: "FAILED", skipped: "not seen" };
const INDENT = " ".repeat(10);

function linesOf({ name, status, says, details = [], advice = [] }: Checked): string {
  const more = [...details.map((line) => `- ${line}`), ...(status === "skipped" ? [] : advice)];
  return `${WORDS[status].padEnd(INDENT.length)}${name}: ${says}\n${more.map((line) => `${INDENT}${line}\n`).join("")}`;
}
