import { isAbsolute, relative } from "node:path";
import { ConfigurationError } from "../src/core/errors.ts";
import { readKeys, type SigningKey } from "../src/receipts/keys.ts";
import { nearest } from "../src/text/nearest.ts";

export const MODES = ["auto", "review", "fix", "task", "gate"] as const;
export type Mode = (typeof MODES)[number];

/** What a workflow says under `with:`. */
export interface Inputs {
  /** What people mention, without the `@`. */
  readonly name: string;
  readonly botLogin: string;
  readonly token: string;
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** In the order in which they are tried; empty when none is named. */
  readonly models: readonly string[];
  readonly mode: Mode;
  readonly prompt?: string;
  /** YAML, or a path on the default branch. */
  readonly config?: string;
  readonly maxUsd?: number;
  readonly maxMinutes?: number;
  /** The folder in which the code graph is kept from one run to the next. */
  readonly graphCache?: string;
  /** Signs what a run vouches for. */
  readonly receiptKey?: SigningKey;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** A GitHub login, and what an App is called by. */
const NAME = /^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}$/i;
const LOGIN = /^[\w-]{1,60}(?:\[bot\])?$/;

/** The values that must never be shown, read before anything else is. */
export function secretInputs(variables: Variables): readonly string[] {
  return ["github_token", "openai_api_key", "receipt_key"].flatMap((name) => inputOf(variables, name) ?? []);
}

/** @throws {ConfigurationError} naming the first input that is missing or cannot be meant. */
export function readInputs(variables: Variables): Inputs {
  const token = inputOf(variables, "github_token");
  if (token === undefined) {
    throw wrong("github_token", "is missing", "Pass ${{ github.token }}, which is its default, or a token of your own.");
  }
  const mode = readMode(inputOf(variables, "mode") ?? "auto");
  const prompt = inputOf(variables, "prompt");
  const baseUrl = inputOf(variables, "openai_base_url");
  if (baseUrl !== undefined && !(URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol))) {
    throw wrong("openai_base_url", "is no URL that starts with http:// or https://", "Give the address below which /chat/completions is.");
  }
  const name = inputOf(variables, "name") ?? "sallyport";
  if (!NAME.test(name)) {
    throw wrong("name", `is ${shown(name)}: expected what people mention, letters, digits and single dashes`, "Leave out the @.");
  }
  const botLogin = inputOf(variables, "bot_login") ?? "github-actions[bot]";
  if (!LOGIN.test(botLogin))
    throw wrong("bot_login", `is ${shown(botLogin)}, which is no login`, "Give the login that the token writes as.");
  const [apiKey, config] = [inputOf(variables, "openai_api_key"), inputOf(variables, "config")];
  const receiptKey = inputOf(variables, "receipt_key");
  const graphCache = outside(variables["GITHUB_WORKSPACE"], inputOf(variables, "graph_cache"));
  const [maxUsd, maxMinutes] = [readAmount(variables, "max_usd", "dollars"), readAmount(variables, "max_minutes", "minutes")];
  if (mode === "task" && prompt === undefined) throw wrong("prompt", "is missing: mode task needs it", "Say what is to be done.");
  return {
    name,
    botLogin,
    token,
    mode,
    models: (inputOf(variables, "model") ?? "").split(",").flatMap((one) => (one.trim() === "" ? [] : [one.trim()])),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.replace(/\/+$/, "") }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(config === undefined ? {} : { config }),
    ...(maxUsd === undefined ? {} : { maxUsd }),
    ...(maxMinutes === undefined ? {} : { maxMinutes }),
    ...(graphCache === undefined ? {} : { graphCache }),
    ...(receiptKey === undefined ? {} : { receiptKey: readKeys(receiptKey, "The input receipt_key").signing }),
  };
}

/** What a checkout may hold is not taken for what an earlier run kept. */
function outside(workspace: string | undefined, folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const isInside = workspace !== undefined && !relative(workspace, folder).startsWith("..");
  if (isAbsolute(folder) && !isInside) return folder;
  throw wrong(
    "graph_cache",
    `is ${shown(folder)}: expected a whole path outside the workspace`,
    "Give ${{ runner.temp }}/sallyport-graph.",
  );
}

/** Asked once it is clear that a model is needed. @throws {ConfigurationError} naming `openai_api_key` */
export function requireModel({ apiKey, baseUrl }: Inputs, isFork: boolean): void {
  if (apiKey !== undefined || baseUrl !== undefined) return;
  const hint = isFork
    ? "A fork's pull request is given no secrets: review it on pull_request_target, or judge it in mode gate."
    : "Pass the secret that holds it; openai_base_url alone will do for a server that asks for none.";
  throw wrong("openai_api_key", "is missing, and this event needs a model", hint);
}

/** The runner names an input's variable by its name in capitals. An empty one was not given. */
function inputOf(variables: Variables, name: string): string | undefined {
  const value = (variables[`INPUT_${name.toUpperCase()}`] ?? "").trim();
  return value === "" ? undefined : value;
}

function readMode(raw: string): Mode {
  const mode = MODES.find((one) => one === raw.toLowerCase());
  if (mode !== undefined) return mode;
  const meant = nearest(raw, MODES);
  throw wrong("mode", `is ${shown(raw)}: expected one of ${MODES.join(", ")}`, meant === undefined ? undefined : `Did you mean ${meant}?`);
}

function readAmount(variables: Variables, name: string, unit: string): number | undefined {
  const raw = inputOf(variables, name);
  if (raw === undefined) return undefined;
  const amount = /^\d{1,9}(?:\.\d{1,9})?$/.test(raw) ? Number(raw) : 0;
  if (amount > 0) return amount;
  throw wrong(name, `is ${shown(raw)}: expected a number of ${unit} above 0, such as 2 or 0.5`);
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 40));

function wrong(name: string, why: string, hint?: string): ConfigurationError {
  return new ConfigurationError(`The input ${name} ${why}.`, { code: "bad-input", ...(hint === undefined ? {} : { hint }) });
}
