import type { Environment } from "../../config/environment.ts";
import type { Check, Outcome } from "./check.ts";

const DEFAULT_BASE = "https://api.openai.com/v1";
const TIMEOUT_MS = 10_000;

/** Whether the model's server answers, and takes the key. Nothing is asked of a model. */
export function modelCheck({ model }: Pick<Environment, "model">, ask: typeof fetch = fetch): Check {
  return { name: "model", run: () => modelOutcome(model, ask) };
}

async function modelOutcome({ apiKey, baseUrl, names }: Environment["model"], ask: typeof fetch): Promise<Outcome> {
  if (apiKey === undefined && baseUrl === undefined) {
    return {
      status: "warning",
      says: "no model is configured: mentions end as failed until OPENAI_API_KEY, or OPENAI_BASE_URL, is set",
      advice: ["Reviews, fixes and answers need a model; the gate's checks and the graph do not."],
    };
  }
  const base = baseUrl ?? DEFAULT_BASE;
  let status: number;
  let listed: string;
  try {
    const response = await ask(`${base}/models`, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    ({ status } = response);
    listed = await response.text();
  } catch {
    return {
      status: "failed",
      says: `the model's server at ${originOf(base)} does not answer`,
      advice: ["OPENAI_BASE_URL says where it is; HTTPS_PROXY and NO_PROXY how it is reached."],
    };
  }
  if (status === 401 || status === 403)
    return { status: "failed", says: `OPENAI_API_KEY is refused by ${originOf(base)} (${status})`, advice: ["Give a key of that server."] };
  if (status >= 500)
    return { status: "failed", says: `the model's server at ${originOf(base)} answers ${status}`, advice: ["See OPENAI_BASE_URL."] };
  const unknown = status === 200 ? names.filter((name) => !listed.includes(JSON.stringify(name))) : [];
  // Some servers list nothing, or not everything that they serve.
  if (unknown.length > 0 && listed.includes('"id"'))
    return { status: "warning", says: `${originOf(base)} answers, and does not list ${unknown.join(", ")} (SALLYPORT_MODEL)` };
  return { status: "ok", says: `${originOf(base)} answers` };
}

/** A base URL may hold a key, in its query or before its host. */
const originOf = (base: string): string => new URL(base).origin;
