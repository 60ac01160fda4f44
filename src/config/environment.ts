import { readFileSync } from "node:fs";
import { ConfigurationError, messageOf } from "../core/errors.ts";
import { nearest } from "../text/nearest.ts";
import { readPrivateKey } from "./private-key.ts";

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const LOG_FORMATS = ["json", "pretty"] as const;

/** Everything that the process is told by its environment: read once, by a composition root, and passed on. */
export interface Environment {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  /** At least one, newest first. */
  readonly webhookSecrets: readonly string[];
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** Starts with a slash, ends without. */
  readonly webhookPath: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly logFormat: (typeof LOG_FORMATS)[number];
  /** Without a final slash. */
  readonly github: { readonly apiUrl: string; readonly webUrl: string };
  /** `names` are tried in their order; empty when none is set. */
  readonly model: {
    readonly apiKey?: string;
    readonly baseUrl?: string;
    readonly names: readonly string[];
    readonly api: "chat" | "responses";
  };
  /** PostgreSQL; without it the embedded database under `dataDir` is used. */
  readonly databaseUrl?: string;
  readonly dataDir: string;
  /** The server's own layer of the configuration. */
  readonly configFile?: string;
  /** Runs at a time in this process. */
  readonly concurrency: number;
  readonly dashboardToken?: string;
  /** Where people find this server's pages, an origin: texts on GitHub link there. */
  readonly publicUrl?: string;
  /** The App's own client, by which people sign in to the dashboard. */
  readonly signIn?: { readonly clientId: string; readonly clientSecret: string };
  /** PEM: with what receipts are signed, and older keys beside it. A file of the data folder when left out. */
  readonly receiptKey?: string;
  /** Modules that the operator loads, as they were named. */
  readonly extensions: readonly string[];
  /** A channel of a webhook proxy, smee.io or one like it, from which deliveries are fetched. */
  readonly webhookProxyUrl?: string;
  readonly isProduction: boolean;
  /** What was set and does nothing, a line each, for the log. */
  readonly warnings: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

const OWN = [
  "SALLYPORT_MODEL",
  "SALLYPORT_MODEL_API",
  "SALLYPORT_DATA_DIR",
  "SALLYPORT_CONCURRENCY",
  "SALLYPORT_DASHBOARD_TOKEN",
  "SALLYPORT_PUBLIC_URL",
  "SALLYPORT_EXTENSIONS",
  "SALLYPORT_CONFIG",
  "SALLYPORT_RECEIPT_KEY",
];
const APP_PAGE = "the App's settings page (Settings, Developer settings, GitHub Apps, Edit)";

/**
 * Reads and validates the whole environment. An empty value counts as a missing one.
 * @throws {ConfigurationError} for the first variable that is missing or malformed: the message names it and what was expected, the hint says
 * where to find it, and neither holds any part of a secret.
 */
export function readEnvironment(variables: Variables): Environment {
  const databaseUrl = READERS.databaseUrl(variables);
  const dashboardToken = value(variables, "SALLYPORT_DASHBOARD_TOKEN");
  const configFile = value(variables, "SALLYPORT_CONFIG");
  const webhookProxyUrl = READERS.webhookProxyUrl(variables);
  const signIn = READERS.signIn(variables);
  const publicUrl = READERS.publicUrl(variables);
  const receiptKey = value(variables, "SALLYPORT_RECEIPT_KEY");
  return {
    appId: READERS.appId(variables),
    privateKey: READERS.privateKey(variables),
    webhookSecrets: READERS.webhookSecrets(variables),
    port: READERS.port(variables),
    host: readHost(variables),
    webhookPath: READERS.webhookPath(variables),
    logLevel: READERS.logLevel(variables),
    logFormat: READERS.logFormat(variables),
    github: READERS.github(variables),
    model: READERS.model(variables),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    dataDir: value(variables, "SALLYPORT_DATA_DIR") ?? "./.sallyport",
    ...(configFile === undefined ? {} : { configFile }),
    concurrency: READERS.concurrency(variables),
    ...(dashboardToken === undefined ? {} : { dashboardToken }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(signIn === undefined ? {} : { signIn }),
    ...(receiptKey === undefined ? {} : { receiptKey }),
    extensions: readExtensions(variables),
    ...(webhookProxyUrl === undefined ? {} : { webhookProxyUrl }),
    isProduction: isProduction(variables),
    warnings: warningsOf(variables),
  };
}

/**
 * All that `readEnvironment` would throw for, one after the other, when each were mended in turn; empty when it can be read. `isWithoutApp`: the
 * App's own variables are not looked at.
 */
export function faultsOf(variables: Variables, { isWithoutApp = false } = {}): readonly ConfigurationError[] {
  const { appId, privateKey, webhookSecrets, ...others } = READERS;
  return Object.values(isWithoutApp ? others : { appId, privateKey, webhookSecrets, ...others }).flatMap(
    (read: (from: Variables) => unknown) => {
      try {
        read(variables);
        return [];
      } catch (error) {
        if (error instanceof ConfigurationError) return [error];
        throw error;
      }
    },
  );
}

const isProduction = (variables: Variables): boolean => variables["NODE_ENV"] === "production";

/** What can be missing or malformed, the App's own variables first. */
const READERS = {
  appId: readAppId,
  privateKey: readKey,
  webhookSecrets: readSecrets,
  port: readPort,
  webhookPath: readWebhookPath,
  logLevel: (variables: Variables) => readOneOf(variables, "LOG_LEVEL", LOG_LEVELS, "info"),
  logFormat: (variables: Variables) => readOneOf(variables, "LOG_FORMAT", LOG_FORMATS, isProduction(variables) ? "json" : "pretty"),
  github: readGitHub,
  model: readModel,
  databaseUrl: readDatabaseUrl,
  webhookProxyUrl: readWebhookProxy,
  signIn: readSignIn,
  publicUrl: readPublicUrl,
  concurrency: (variables: Variables) => readWhole(variables, "SALLYPORT_CONCURRENCY", { least: 1, most: 256, otherwise: 4 }),
};

/** The values that must never be seen outside this process, by the variable that holds them. */
export function secretsOf(environment: Environment): { readonly name: string; readonly value: string }[] {
  const { privateKey, webhookSecrets, model, databaseUrl, dashboardToken, signIn, webhookProxyUrl, receiptKey } = environment;
  const held = [{ name: "PRIVATE_KEY", value: privateKey }, ...webhookSecrets.map((secret) => ({ name: "WEBHOOK_SECRET", value: secret }))];
  const optional = {
    OPENAI_API_KEY: model.apiKey,
    DATABASE_URL: databaseUrl,
    SALLYPORT_DASHBOARD_TOKEN: dashboardToken,
    GITHUB_CLIENT_SECRET: signIn?.clientSecret,
    // Whoever knows a channel reads along.
    WEBHOOK_PROXY_URL: webhookProxyUrl,
    SALLYPORT_RECEIPT_KEY: receiptKey,
  };
  for (const [name, secret] of Object.entries(optional)) if (secret !== undefined) held.push({ name, value: secret });
  return held;
}

function value(variables: Variables, name: string): string | undefined {
  const raw = variables[name]?.trim();
  return raw === "" ? undefined : raw;
}

function wrong(name: string, expected: string, hint: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`${name} ${expected}`, { code: "bad-environment", hint, cause });
}

/** Probot's own names. One without the other signs nobody in. */
function readSignIn(variables: Variables): Environment["signIn"] {
  const [clientId, clientSecret] = [value(variables, "GITHUB_CLIENT_ID"), value(variables, "GITHUB_CLIENT_SECRET")];
  if (clientId === undefined && clientSecret === undefined) return undefined;
  const hint = `Client id and client secret stand on ${APP_PAGE}; set both, or neither.`;
  if (clientId === undefined) throw wrong("GITHUB_CLIENT_ID", "is missing, and GITHUB_CLIENT_SECRET is set.", hint);
  if (clientSecret === undefined) throw wrong("GITHUB_CLIENT_SECRET", "is missing, and GITHUB_CLIENT_ID is set.", hint);
  if (!/^[\w.-]{1,100}$/.test(clientId)) throw wrong("GITHUB_CLIENT_ID", "is none: expected the App's client id.", hint);
  return { clientId, clientSecret };
}

function readAppId(variables: Variables): number {
  const raw = value(variables, "APP_ID");
  const hint = `It is the App ID on ${APP_PAGE}.`;
  if (raw === undefined) throw wrong("APP_ID", "is missing: expected the numeric id of the GitHub App.", hint);
  const id = Number(raw);
  if (!/^\d{1,15}$/.test(raw) || id === 0) throw wrong("APP_ID", `is ${JSON.stringify(raw.slice(0, 40))}: expected a whole number.`, hint);
  return id;
}

function readKey(variables: Variables): string {
  const hint = `Generate one under "Private keys" on ${APP_PAGE}; PEM, PEM with \\n for its line ends, and base64 are taken.`;
  const inline = value(variables, "PRIVATE_KEY");
  const path = value(variables, "PRIVATE_KEY_PATH");
  if (inline === undefined && path === undefined) {
    throw wrong(
      "PRIVATE_KEY",
      "is missing: expected the private key of the GitHub App, or the path of its file in the variable with _PATH behind.",
      hint,
    );
  }
  const name = inline === undefined ? "PRIVATE_KEY_PATH" : "PRIVATE_KEY";
  const key = readPrivateKey(inline ?? readKeyFile(path ?? ""));
  if (key === undefined)
    throw wrong(name, "holds no RSA private key that can be read: expected the App's key file in whole, without a passphrase.", hint);
  return key;
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw wrong(
      "PRIVATE_KEY_PATH",
      `names a file that cannot be read: ${messageOf(error)}.`,
      "Give the path of the App's key file.",
      error,
    );
  }
}

function readSecrets(variables: Variables): string[] {
  const secrets = (variables["WEBHOOK_SECRET"] ?? "")
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
  if (secrets.length > 0) return secrets;
  const hint = `It is the "Webhook secret" on ${APP_PAGE}; while it is changed, give the new and the old, separated by a comma.`;
  throw wrong("WEBHOOK_SECRET", "is missing: expected the secret with which GitHub signs its deliveries.", hint);
}

function readWhole(
  variables: Variables,
  name: string,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  const raw = value(variables, name);
  if (raw === undefined) return otherwise;
  const number = Number(raw);
  if (/^\d{1,9}$/.test(raw) && number >= least && number <= most) return number;
  throw wrong(
    name,
    `is ${JSON.stringify(raw.slice(0, 40))}: expected a whole number from ${least} to ${most}.`,
    `Leave it out for ${otherwise}.`,
  );
}

function readOneOf<const T extends string>(variables: Variables, name: string, known: readonly T[], otherwise: T): T {
  const raw = value(variables, name)?.toLowerCase();
  if (raw === undefined) return otherwise;
  const found = known.find((word) => word === raw);
  if (found !== undefined) return found;
  throw wrong(name, `is ${JSON.stringify(raw.slice(0, 40))}: expected one of ${known.join(", ")}.`, `Leave it out for ${otherwise}.`);
}

function readPort(variables: Variables): number {
  return readWhole(variables, "PORT", { least: 0, most: 65_535, otherwise: 3000 });
}

function readHost(variables: Variables): string {
  return value(variables, "HOST") ?? "localhost";
}

/** Where the server listens. @throws {ConfigurationError} */
export function readListening(variables: Variables): Pick<Environment, "host" | "port"> {
  return { host: readHost(variables), port: readPort(variables) };
}

/** Pages stand at the paths that this server gives them, so there is nothing behind the host. */
function readPublicUrl(variables: Variables): string | undefined {
  const raw = value(variables, "SALLYPORT_PUBLIC_URL");
  if (raw === undefined) return undefined;
  const url = URL.parse(raw);
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) return url.origin;
  throw wrong(
    "SALLYPORT_PUBLIC_URL",
    "is no address of a server: expected one such as https://bot.example.com, without a path.",
    "Give the address at which people open /sallyport, or leave it out.",
  );
}

/** Where webhooks arrive. @throws {ConfigurationError} */
export function readWebhookPath(variables: Variables): string {
  const raw = value(variables, "WEBHOOK_PATH") ?? "/api/github/webhooks";
  const path = raw.replace(/\/+$/, "");
  if (/^(?:\/[\w.~-]+)+$/.test(path) && !["/healthz", "/readyz", "/metrics", "/sallyport"].includes(path)) return path;
  throw wrong(
    "WEBHOOK_PATH",
    `is ${JSON.stringify(raw.slice(0, 80))}: expected a path such as /api/github/webhooks.`,
    `It is the end of the "Webhook URL" on ${APP_PAGE}.`,
  );
}

/** Where GitHub is: github.com, unless `GHE_HOST` says otherwise. @throws {ConfigurationError} */
export function readGitHub(variables: Variables): Environment["github"] {
  const host = value(variables, "GHE_HOST");
  const protocol = readOneOf(variables, "GHE_PROTOCOL", ["https", "http"], "https");
  if (host === undefined) return { apiUrl: "https://api.github.com", webUrl: "https://github.com" };
  const webUrl = `${protocol}://${host}`;
  if (!/^(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?$/i.test(host) || !URL.canParse(webUrl)) {
    throw wrong(
      "GHE_HOST",
      "is no host: expected a name such as git.example.com, with a port where it has one.",
      "Give it without https:// and without a path.",
    );
  }
  // Data residency serves its API from a host of its own. Source: https://docs.github.com/enterprise-cloud@latest/admin/data-residency
  return { webUrl, apiUrl: host.toLowerCase().endsWith(".ghe.com") ? `${protocol}://api.${host}` : `${webUrl}/api/v3` };
}

/** Modules of extensions, in their order. */
export function readExtensions(variables: Variables): readonly string[] {
  const named = (value(variables, "SALLYPORT_EXTENSIONS") ?? "").split(",");
  return named.map((name) => name.trim()).filter((name) => name !== "");
}

/** The model that the variables name. @throws {ConfigurationError} for a base URL that is none. */
export function readModel(variables: Variables): Environment["model"] {
  const apiKey = value(variables, "OPENAI_API_KEY");
  const baseUrl = value(variables, "OPENAI_BASE_URL");
  const names = (value(variables, "SALLYPORT_MODEL") ?? "").split(",").map((name) => name.trim());
  if (baseUrl !== undefined && !isWebUrl(baseUrl)) {
    throw wrong(
      "OPENAI_BASE_URL",
      "is no URL: expected one that starts with http:// or https://.",
      "Give the address under which the server answers /chat/completions.",
    );
  }
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.replace(/\/+$/, "") }),
    names: names.filter((name) => name !== ""),
    api: readOneOf(variables, "SALLYPORT_MODEL_API", ["chat", "responses"], "chat"),
  };
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function readDatabaseUrl(variables: Variables): string | undefined {
  const raw = value(variables, "DATABASE_URL");
  if (raw === undefined || /^postgres(?:ql)?:\/\/./.test(raw)) return raw;
  throw wrong(
    "DATABASE_URL",
    "is no PostgreSQL address: expected postgres://user:password@host:port/database.",
    "Leave it out for the embedded database.",
  );
}

function readWebhookProxy(variables: Variables): string | undefined {
  const raw = value(variables, "WEBHOOK_PROXY_URL");
  if (raw === undefined || isWebUrl(raw)) return raw;
  throw wrong(
    "WEBHOOK_PROXY_URL",
    "is no URL: expected the address of a channel, such as https://smee.io/ and what stands behind it.",
    "Leave it out where GitHub reaches this server by itself.",
  );
}

function warningsOf(variables: Variables): string[] {
  const set = Object.keys(variables).filter((name) => value(variables, name) !== undefined);
  const unknown = set.filter((name) => name.startsWith("SALLYPORT_") && !OWN.includes(name));
  return unknown.map((name) => {
    const meant = nearest(name, OWN);
    return `${name} is not known and does nothing${meant === undefined ? "." : `; did you mean ${meant}?`}`;
  });
}
