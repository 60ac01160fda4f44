import type { Environment } from "../config/environment.ts";
import type { Logger } from "../core/log.ts";
import { openModels, type ModelSource } from "./open-models.ts";

const DEFAULT_MODEL = "gpt-5";

/** The models of the environment; undefined, and said once, when none is configured. */
export function modelsOf({ model: { apiKey, baseUrl, names, api } }: Environment, log: Logger): ModelSource | undefined {
  if (apiKey === undefined && baseUrl === undefined) {
    log.warn({}, WITHOUT_MODEL);
    return undefined;
  }
  return openModels({
    api,
    names: names.length === 0 ? [DEFAULT_MODEL] : names,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    log,
  });
}

const WITHOUT_MODEL =
  "no model is configured: mentions, reviews, triage, explaining and mending failed CI, and scheduled tasks wait for OPENAI_API_KEY, or OPENAI_BASE_URL; the gate's checks, how far a change reaches, commands and the first errors of failed CI need none";
