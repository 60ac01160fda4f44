import { APIConnectionTimeoutError, APIError } from "openai";
import { messageOf } from "../core/errors.ts";
import { Interrupted } from "./errors.ts";
import { providerWords, redact } from "./provider-words.ts";
import { type Failure, waitOf } from "./retry.ts";

/** The server that was asked, as messages name it. */
export interface Endpoint {
  readonly origin: string;
  readonly model: string;
  /** Whether a key is sent. */
  readonly hasKey: boolean;
  /** Values that no message may show. */
  readonly secrets: readonly string[];
}

const ALWAYS = Number.POSITIVE_INFINITY;
const TEMPORARY = new Set([408, 409, 425, 429]);

/** What a failed attempt means: a status alone is not a meaning, so the provider's code and words are read first. */
export function judgeFailure(thrown: unknown, endpoint: Endpoint, now: number): Failure {
  if (thrown instanceof Interrupted) return judgeInterruption(thrown, endpoint);
  if (thrown instanceof APIConnectionTimeoutError) {
    return judgeInterruption(new Interrupted("silent", "the connection timed out"), endpoint);
  }
  if (thrown instanceof APIError && (thrown.status !== undefined || thrown.error !== undefined)) return judgeAnswer(thrown, endpoint, now);
  return judgeConnection(thrown, endpoint);
}

function judgeInterruption({ kind, message }: Interrupted, { origin }: Endpoint): Failure {
  if (kind === "silent") return { code: "model-timeout", message: `the model at ${origin} did not answer: ${message}`, worth: 2 };
  const hint = kind === "unreadable" ? { hint: "Check that OPENAI_BASE_URL is the address of an OpenAI-compatible API." } : {};
  return { code: "model-unreachable", message: `the model at ${origin} gave no whole answer: ${message}`, ...hint, worth: ALWAYS };
}

function judgeAnswer(error: APIError, endpoint: Endpoint, now: number): Failure {
  const { origin, model, hasKey, secrets } = endpoint;
  const body: unknown = error.error ?? error.message.replace(/^\d{3} (status code \(no body\))?/, "");
  const words = providerWords(body, secrets);
  const status = error.status ?? statusIn(error.code);
  const named = [error.code, error.type].filter((name) => typeof name === "string").join(" ");
  const said = `${status === undefined ? "" : ` (${status})`}${words === "" ? "" : `: ${words}`}`;
  const headers = error.headers ?? new Headers();

  if (isContextOverflow(named, words)) {
    return { code: "context-too-long", message: `the conversation is too long for ${model}${said}`, worth: 1 };
  }
  if (isUnknownModel(status, named, words)) {
    const hint = `Check OPENAI_BASE_URL, which often ends in /v1, and that ${model} (SALLYPORT_MODEL, or \`model\` of the configuration) is a model that it serves.`;
    return { code: "model-not-found", message: `the model at ${origin} is not there${said}`, hint, worth: 1 };
  }
  if (
    status === 402 ||
    /insufficient_quota|billing_(hard_limit|not_active)/.test(named) ||
    /insufficient (balance|credit|fund)/i.test(words)
  ) {
    const hint = "Check the plan and the billing of the account that OPENAI_API_KEY belongs to.";
    return { code: "model-quota", message: `the account at ${origin} has no quota left${said}`, hint, worth: 1 };
  }
  if (status === 401 || status === 403) {
    const hint = hasKey ? "Check OPENAI_API_KEY, and that it belongs to OPENAI_BASE_URL." : "No key was sent: set OPENAI_API_KEY.";
    return { code: "model-key-refused", message: `the model at ${origin} refused the API key${said}`, hint, worth: 1 };
  }
  const overloaded = /overloaded|server_error|rate_limit|unavailable|timeout/i.test(named);
  if (status === undefined ? overloaded : TEMPORARY.has(status) || status >= 500) {
    const wait = waitOf(headers, now);
    const what = status === 429 ? "is limiting requests" : "has a fault or is overloaded";
    return { code: "model-overloaded", message: `the model at ${origin} ${what}${said}`, ...(wait && { wait }), worth: ALWAYS };
  }
  if (status === undefined && !/invalid|content_filter|policy/.test(named)) {
    return { code: "model-unreachable", message: `the model at ${origin} broke its answer off${said}`, worth: ALWAYS };
  }
  return { code: "model-refused-request", message: `the model at ${origin} refused the request${said}`, worth: 1 };
}

/** Errors inside a stream carry their status as a code. */
function statusIn(code: unknown): number | undefined {
  const number = Number(code ?? Number.NaN);
  return number >= 400 && number < 600 ? number : undefined;
}

/** OpenAI says 404 or 403, others 400. A 404 about pictures is of a router that knows no server for them. */
function isUnknownModel(status: number | undefined, named: string, words: string): boolean {
  if (/model_not_found|model_not_available|deploymentnotfound/i.test(named)) return true;
  if (status === 404) return !/image|multimodal/i.test(words);
  return (
    status === 400 &&
    /\bmodel\b[^.]{0,80}(does not exist|not found|is not a valid model|not supported)|(unknown|invalid) model\b/i.test(words)
  );
}

function isContextOverflow(named: string, words: string): boolean {
  return (
    /context_length_exceeded|exceed_context_size|context_window_exceeded/.test(named) ||
    /(maximum|max|exceed\w*|beyond|larger than|longer than)[^.]{0,60}\bcontext (length|window|size)|context (length|window|size)[^.]{0,40}exceed|prompt is too long|input is too long|request too large|too many (input )?tokens|reduce the length of the messages/i.test(
      words,
    )
  );
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EPIPE: "connection reset",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host's name could not be resolved",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ETIMEDOUT: "connecting timed out",
  UND_ERR_CONNECT_TIMEOUT: "connecting timed out",
  UND_ERR_SOCKET: "the connection was closed",
};

function judgeConnection(thrown: unknown, { origin, secrets }: Endpoint): Failure {
  const { code, message } = rootOf(thrown);
  const reason = (code && REASONS[code]) ?? redact(message, secrets).slice(0, 300);
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code ?? "");
  return {
    code: "model-unreachable",
    message: `could not reach the model at ${origin}: ${reason}`,
    hint: certificate ? "Name the certificate authority in NODE_EXTRA_CA_CERTS, or check OPENAI_BASE_URL." : "Check OPENAI_BASE_URL.",
    cause: thrown,
    worth: certificate ? 1 : ALWAYS,
  };
}

/** The system's own error below the wrappers of fetch and library. */
function rootOf(thrown: unknown): { readonly code: string | undefined; readonly message: string } {
  let error = thrown;
  let code: string | undefined;
  for (let depth = 0; depth < 6 && error instanceof Error; depth++) {
    if ("code" in error && typeof error.code === "string") code = error.code;
    if (!(error.cause instanceof Error)) break;
    error = error.cause;
  }
  return { code, message: messageOf(error) };
}
