import { messageOf, SallyportError } from "../src/core/errors.ts";
import { holdSecrets } from "../src/core/secrets.ts";
import { conclude } from "./conclude.ts";
import { readEvent, wantedOf, type Event } from "./event.ts";
import { readInputs, requireModel, secretInputs } from "./inputs.ts";
import type { Outcome } from "./outcome.ts";
import { openRunner } from "./runner.ts";

/*
 * The Action: one event of GitHub's, worked on in this process. It reads what the runner has set, and loads the rest of itself only for an event
 * that starts something.
 */

const { env: variables } = process;
const given = secretInputs(variables);
const secrets = holdSecrets(given.flatMap((value) => [value, Buffer.from(`x-access-token:${value}`).toString("base64")]));
const runner = openRunner({
  write: (text) => void process.stdout.write(text),
  outputFile: variables["GITHUB_OUTPUT"],
  summaryFile: variables["GITHUB_STEP_SUMMARY"],
  hide: secrets.mask,
});
for (const value of new Set([...given, ...secrets.values()])) runner.mask(value);

const cancelled = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => cancelled.abort(new DOMException("The workflow was cancelled.", "AbortError")));
}

/** What ends the step before anything was written is one line that says what, and what to do. */
function failed(error: unknown): Outcome {
  if (cancelled.signal.aborted) return { conclusion: "cancelled", why: "The workflow was cancelled." };
  const hint = error instanceof SallyportError && error.hint !== undefined ? ` ${error.hint}` : "";
  return { conclusion: "failed", why: `${messageOf(error)}${hint}` };
}

async function work(): Promise<Outcome> {
  const inputs = readInputs(variables);
  const event = readEvent(variables);
  const wanted = wantedOf(event, inputs);
  if (wanted.kind === "ignored") return { conclusion: "ignored", why: wanted.why };
  if (wanted.kind !== "gate") requireModel(inputs, isFork(event));
  const { play } = await import("./play.ts");
  return await play({ inputs, event, wanted, variables, secrets, runner, signal: cancelled.signal });
}

function isFork({ payload }: Event): boolean {
  const { pull_request: pull } = payload as { pull_request?: { head?: { repo?: { fork?: unknown } | null } } };
  return pull?.head?.repo?.fork === true;
}

const status = conclude(runner, await work().catch(failed));
// Connections that are kept for a next request must not keep the step; what was written must have left.
process.stdout.write("", () => process.exit(status));
