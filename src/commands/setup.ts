import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { faultsOf, readGitHub, readListening, readWebhookPath } from "../config/environment.ts";
import { appVariables, clientVariables, keepApp, keptAppFile, prepareFolder, withKeptApp } from "../config/kept-app.ts";
import { countArrivals } from "../core/arrivals.ts";
import { ConfigurationError, messageOf } from "../core/errors.ts";
import { silent } from "../core/log.ts";
import { createLedger } from "../gate/mint.ts";
import { convertManifest } from "../github/convert-manifest.ts";
import { createSetupPages } from "../web/setup/setup-pages.ts";
import type { CreatedApp, Progress } from "../web/setup/progress.ts";
import { keepServing, type KeepServingOptions } from "./keep-serving.ts";
import { listenHere } from "./setup/listen-here.ts";
import { manifestOf } from "./setup/manifest.ts";
import { localOrigin, publicOrigin } from "./setup/origins.ts";

/** Milliseconds in which the page can still tell that the server did not start. */
const TELL_FOR = 5_000;

export interface SetupOptions {
  /** Of the page, on 127.0.0.1; 0 takes any free one. */
  readonly port: number;
}

export interface SetupWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly complain: (line: string) => void;
  /** Ends the wait for an App. */
  readonly signal?: AbortSignal;
  /** Serves with the new App until told to stop; for tests. */
  readonly serve?: (variables: SetupWorld["variables"], options: KeepServingOptions) => Promise<number>;
}

/**
 * `sallyport setup`: serves a page, on this machine alone, that creates a GitHub App by manifest, keeps its credentials, and goes on to serve with
 * it, while the page shows the first delivery arrive. Answers the exit status of what it went on to.
 * @throws {ConfigurationError} when variables name an App, which would win, and for one that a start would stop at.
 */
export async function setup(
  { port }: SetupOptions,
  { variables, cwd, complain, signal, serve = keepServing }: SetupWorld,
): Promise<number> {
  const [set] = [...appVariables(variables), ...clientVariables(variables)];
  if (set !== undefined) {
    throw new ConfigurationError(`${set} is set, and would win over the App that setup creates.`, {
      code: "bad-environment",
      hint: "Take the App's variables out (APP_ID, PRIVATE_KEY, WEBHOOK_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET) to set up another one.",
    });
  }
  const [fault] = faultsOf(variables, { isWithoutApp: true });
  if (fault !== undefined) throw fault;
  const file = keptAppFile(variables, cwd);
  prepareFolder(file);
  const gitHub = readGitHub(variables);
  const webhookPath = readWebhookPath(variables);
  const here = await localOrigin(readListening(variables));
  const arrivals = countArrivals();
  const { promise: isCreated, resolve: setCreated } = Promise.withResolvers<void>();
  let app: CreatedApp | undefined;
  let server: Progress["server"] = { state: "starting" };
  const told = new AbortController();

  const key = randomBytes(18).toString("base64url");
  const pages = createSetupPages({
    key,
    gitHub: gitHub.webUrl,
    webhookPath,
    given: { name: `sallyport-${randomBytes(2).toString("hex")}`, proxy: variables["WEBHOOK_PROXY_URL"]?.trim() ?? "" },
    ...(existsSync(file) ? { replaces: file } : {}),
    manifestOf: (wish, redirectUrl) => manifestOf(wish, redirectUrl, publicOrigin(wish, webhookPath) ?? here),
    async create(code, wish) {
      const pages = publicOrigin(wish, webhookPath);
      const made = await convertManifest(code, { baseUrl: gitHub.apiUrl, ledger: createLedger(), log: silent });
      keepApp(file, {
        APP_ID: String(made.id),
        PRIVATE_KEY: made.privateKey,
        WEBHOOK_SECRET: made.webhookSecret,
        ...(made.client === undefined ? {} : { GITHUB_CLIENT_ID: made.client.id, GITHUB_CLIENT_SECRET: made.client.secret }),
        ...(wish.hook.kind === "proxy" ? { WEBHOOK_PROXY_URL: wish.hook.url } : {}),
        ...(pages === undefined ? {} : { SALLYPORT_PUBLIC_URL: pages }),
        ...kept(variables, ["GHE_HOST", "GHE_PROTOCOL"]),
      });
      app = { name: made.name, slug: made.slug, htmlUrl: made.htmlUrl, file, hook: wish.hook };
      complain(`The App ${made.name} was created; its credentials are kept in ${file}. Starting.`);
      setCreated();
    },
    progress() {
      if (app === undefined) return undefined;
      if (server.state === "failed") told.abort();
      const [first, last] = [arrivals.first(), arrivals.last()];
      return { app, server, isInstalled: last !== undefined && last.event !== "ping", ...(first === undefined ? {} : { first }) };
    },
    log: { ...silent, warn: (fields, message) => complain(`setup: ${message}${"why" in fields ? `: ${String(fields.why)}` : ""}`) },
  });
  await using page = await listenHere(pages, port);
  complain(
    `No GitHub App is set up here yet. Open this page to create one:\n\n  ${page.url}/setup-${key}\n\nIt answers this machine alone. Ctrl-C ends it.`,
  );
  signal?.addEventListener("abort", () => setCreated());
  await isCreated;
  if (app === undefined) return 1;
  try {
    return await serve(withKeptApp(variables, cwd).variables, {
      role: "all",
      arrivals,
      onReady: ({ url }) => void (server = { state: "ready", url }),
    });
  } catch (error) {
    server = { state: "failed", why: messageOf(error) };
    // Whoever sits in front of the page should read it there too.
    await sleep(TELL_FOR, undefined, { signal: told.signal }).catch(() => undefined);
    throw error;
  }
}

function kept<const T extends string>(variables: SetupWorld["variables"], names: readonly T[]): Partial<Record<T, string>> {
  const found: Partial<Record<T, string>> = {};
  for (const name of names) {
    const value = variables[name]?.trim() ?? "";
    if (value !== "") found[name] = value;
  }
  return found;
}
