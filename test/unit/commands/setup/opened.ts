import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setup, type SetupWorld } from "../../../../src/commands/setup.ts";
import type { KeepServingOptions } from "../../../../src/commands/keep-serving.ts";
import { silent } from "../../../../src/core/log.ts";
import { startEmbeddedGitHub, type EmbeddedGitHub } from "../../../../src/testing/index.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** The setup page of a machine, with a GitHub of its own, and nobody at the terminal. */
export interface OpenedSetup extends AsyncDisposable {
  readonly github: EmbeddedGitHub;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The page's address with its key, and without. */
  readonly page: string;
  readonly origin: string;
  /** What the terminal has shown. */
  readonly terminal: () => string;
  /** What the server that follows was given; resolves when it is started. */
  readonly served: Promise<{ readonly variables: SetupWorld["variables"]; readonly options: KeepServingOptions }>;
  /** Ends what follows the setup with this status, or error. */
  readonly end: (outcome: number | Error) => void;
  /** How the command ended. */
  readonly ended: Promise<number>;
  /** Fills in the form and presses GitHub's button; answers where GitHub sends the browser back to. */
  create(fields?: Readonly<Record<string, string>>): Promise<URL>;
  kept(name?: string): Promise<string>;
}

export async function openSetup(more: Readonly<Record<string, string>> = {}): Promise<OpenedSetup> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-setup-"));
  const github = await startEmbeddedGitHub({ directory: join(folder, "github") });
  const { GHE_HOST = "", GHE_PROTOCOL = "" } = github.environment;
  const variables = { GHE_HOST, GHE_PROTOCOL, SALLYPORT_DATA_DIR: join(folder, "data"), ...more };
  const lines: string[] = [];
  const shown = Promise.withResolvers<string>();
  const served = Promise.withResolvers<Awaited<OpenedSetup["served"]>>();
  const outcome = Promise.withResolvers<number>();
  const givenUp = new AbortController();
  const ended = setup(
    { port: 0 },
    {
      variables,
      cwd: folder,
      signal: givenUp.signal,
      complain(line) {
        lines.push(line);
        const [address] = /http:\S+/.exec(line) ?? [];
        if (address !== undefined) shown.resolve(address);
      },
      serve(given, options) {
        served.resolve({ variables: given, options });
        options.onReady?.({
          url: "http://127.0.0.1:3999",
          webhookUrl: "",
          log: silent,
          tools: { add: () => () => {} },
          droppedEvents: () => new Map(),
          idle: async () => {},
          stop: async () => {},
        });
        return outcome.promise;
      },
    },
  );
  ended.catch(() => undefined);
  const page = await Promise.race([shown.promise, ended.then(() => "")]);
  const { origin } = new URL(page);
  return {
    github,
    folder,
    variables,
    page,
    origin,
    terminal: () => lines.join("\n"),
    served: served.promise,
    end: (how) => (typeof how === "number" ? outcome.resolve(how) : outcome.reject(how)),
    ended,
    async create(fields = {}) {
      const confirm = await ask(`${page}/app`, { method: "POST", form: { name: "Acme bot", ...fields } });
      const [, action = ""] = /<form method="post" action="([^"]+)"/.exec(confirm.text) ?? [];
      const [, manifest = ""] = /name="manifest" value="([^"]*)"/.exec(confirm.text) ?? [];
      const sent = await ask(action.replaceAll("&amp;", "&"), { method: "POST", form: { manifest: manifest.replaceAll("&quot;", '"') } });
      return new URL(String(sent.headers["location"]));
    },
    kept: (name = "app.env") => readFile(join(folder, "data", name), "utf8"),
    async [Symbol.asyncDispose]() {
      givenUp.abort();
      outcome.resolve(0);
      await ended.catch(() => undefined);
      await github.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One request, as it stands; redirects are answers. */
export function ask(
  address: string | URL,
  {
    method = "GET",
    form,
    headers = {},
  }: { method?: string; form?: Readonly<Record<string, string>>; headers?: Readonly<Record<string, string>> } = {},
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const type = form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
  const sent = httpRequest(address, { method, agent: false, headers: { ...type, ...headers } }, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
  });
  sent.once("error", reject);
  sent.end(form === undefined ? undefined : new URLSearchParams(form).toString());
  return promise;
}
