import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Logger } from "./core/log.ts";
import { startSallyport, type Sallyport } from "./start-sallyport.ts";
import {
  say,
  startEmbeddedGitHub,
  startScriptedModel,
  type EmbeddedGitHub,
  type RepositoryOptions,
  type Script,
  type ScriptedModel,
  type Turn,
} from "./testing/index.ts";

export interface ExtensionStageOptions {
  /** What the operator would name: file URLs (`import.meta.resolve`, `new URL`), paths, folders with a `package.json`. */
  readonly modules: readonly (string | URL)[];
  /** What the model does; it says `Done.` when left out. */
  readonly script?: readonly Turn[] | Script;
  /** The server's file, by its own keys: `{ extensions: { config: { … } }, tools: { … } }`. */
  readonly server?: Staged<Readonly<Record<string, unknown>> & { readonly extensions?: Readonly<Record<string, unknown>> }>;
  /** Environment variables of the product; secrets that an extension asks for by name are found here, and nowhere else. */
  readonly variables?: Staged<Readonly<Record<string, string | undefined>>>;
  /** The repository that the bot works on; a README and nothing else when left out. `alice` may write, `maria` approve, `mallory` read. */
  readonly repository?: RepositoryOptions;
}

/** What is known beforehand, or follows from the embedded GitHub: its addresses, a token that `addToken` makes. */
export type Staged<T> = T | ((github: EmbeddedGitHub) => T);

/** What came of something that was said to the bot. */
export interface Asked {
  /** The issue or pull request. */
  readonly number: number;
  /** The bot's comments there as they stand now, oldest first: the last one ends with how its run ended. */
  readonly comments: readonly string[];
  /** How the newest run of the thread ended: `done`, `blocked`, `waiting`, `failed`, `cancelled`, `out-of-budget`; undefined without one. */
  readonly state: string | undefined;
  /** What tools answered in the conversation that came of it, in the order of the calls; empty where the model was not asked. */
  readonly results: readonly string[];
}

/** The whole product with an extension, between an embedded GitHub and a scripted model; nothing leaves the loopback interface. */
export interface ExtensionStage extends AsyncDisposable {
  /** Reads and writes what no person could in a test: `github.pulls(repository)`, `github.fileAt(repository, "main", "README.md")` … */
  readonly github: EmbeddedGitHub;
  /** Holds each request: the tools and words that the model was given. */
  readonly model: ScriptedModel;
  readonly sallyport: Sallyport;
  /** Its `owner/name`. */
  readonly repository: string;
  /** Warnings and errors of the log so far, one line each. */
  readonly warnings: readonly string[];
  /** Says something to the bot, on a new issue unless `number` names one, and waits until nothing is left to do. */
  ask(text: string, options?: { readonly number?: number; readonly user?: string }): Promise<Asked>;
  /** Asks the dashboard's server for a path such as `/x/deploy/status`. */
  get(path: string): Promise<Response>;
}

const REPOSITORY = "acme/widgets";
const FILES = { "README.md": "# Widgets\n" };
const PEOPLE = { alice: "write", maria: "maintain", mallory: "read" } as const;
const STATE = /<!-- sallyport run=\S+ state=([a-z-]+) /;

/**
 * Starts it; `await using` ends it and removes what it left.
 * @throws {ConfigurationError} for an extension that cannot be loaded, in the words that the operator would read.
 */
export async function stageExtension({
  modules,
  script = [say("Done.")],
  server = {},
  variables = {},
  repository = {},
}: ExtensionStageOptions): Promise<ExtensionStage> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-extension-"));
  const github = await startEmbeddedGitHub({ directory: join(folder, "github") });
  const model = await startScriptedModel(script);
  const warnings: string[] = [];
  github.addRepository(REPOSITORY, { files: FILES, permissions: PEOPLE, ...repository });
  let sallyport: Sallyport | undefined;
  const close = async (): Promise<void> => {
    await sallyport?.stop({ graceMs: 2000 });
    await Promise.all([github.stop(), model.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { extensions, ...rest } = of(server, github);
    const configFile = join(folder, "server.yml");
    await writeFile(configFile, JSON.stringify({ ...rest, extensions: { ...extensions, modules: modules.map(placed) } }));
    sallyport = await startSallyport(
      {
        PATH: process.env["PATH"],
        ...github.environment,
        OPENAI_BASE_URL: model.baseUrl,
        SALLYPORT_MODEL: "scripted",
        SALLYPORT_DATA_DIR: join(folder, "data"),
        SALLYPORT_CONFIG: configFile,
        ...of(variables, github),
      },
      { log: keeping(warnings) },
    );
  } catch (error) {
    await close();
    throw error;
  }
  const running = sallyport;
  github.webhookTarget = running.webhookUrl;
  return {
    github,
    model,
    sallyport: running,
    repository: REPOSITORY,
    warnings,
    async ask(text, { user = "alice", ...where } = {}) {
      const number = where.number ?? github.addIssue(REPOSITORY, { title: "A request", user }).number;
      const before = model.requests.length;
      const { delivery } = await github.say(REPOSITORY, number, text, user);
      if (delivery.status >= 300) throw new Error(`the webhook was answered ${delivery.status}`);
      await running.idle();
      await github.settled();
      const comments = github.comments(REPOSITORY, number).flatMap(({ user: by, body }) => (by === github.botLogin ? [body] : []));
      return {
        number,
        comments,
        state: comments.flatMap((body) => STATE.exec(body)?.[1] ?? []).at(-1),
        results: model.requests.slice(before).at(-1)?.results ?? [],
      };
    },
    get: (path) => fetch(new URL(path, running.url)),
    [Symbol.asyncDispose]: close,
  };
}

function of<T extends object>(given: Staged<T>, github: EmbeddedGitHub): T {
  return typeof given === "function" ? given(github) : given;
}

/** As the server's file may name it: what is relative starts from the working folder. */
function placed(module: string | URL): string {
  if (module instanceof URL) return module.href;
  return /^\.{1,2}(?:[/\\]|$)/.test(module) ? resolve(module) : module;
}

function keeping(lines: string[]): Logger {
  const keep = (fields: object, message: string): void => void lines.push(`${message}: ${JSON.stringify(fields)}`);
  const log: Logger = { debug() {}, info() {}, warn: keep, error: keep, child: () => log };
  return log;
}
