import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvironment } from "../../src/config/environment.ts";
import { silent } from "../../src/core/log.ts";
import { holdSecrets, type HeldSecrets } from "../../src/core/secrets.ts";
import { workerScanner } from "../../src/gate/secrets/worker-scanner.ts";
import { createLogger } from "../../src/log.ts";
import { openLauncher } from "../../src/processes/launcher.ts";
import { startProduct } from "../../src/product.ts";
import type { Product, ProductOptions } from "../../src/product-options.ts";
import type { RunEvent } from "../../src/runs/run-context.ts";
import {
  startEmbeddedGitHub,
  startScriptedModel,
  type EmbeddedGitHub,
  type EmbeddedGitHubOptions,
  type RepositoryOptions,
  type Script,
  type ScriptedModel,
  type Turn,
} from "../../src/testing/index.ts";
import { openSandbox } from "../../src/workspace/sandbox/open-sandbox.ts";
import { lendDatabase } from "./stage-database.ts";

export const REPOSITORY = "acme/widgets";
export const FILES = {
  "README.md": "# Widgets\n",
  "package.json": manifest({}),
  "src/sum.js": "export function sum(a, b) {\n  return a - b\n}\n",
  "test/sum.test.js":
    "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { sum } from '../src/sum.js'\n\ntest('adds', () => {\n  assert.equal(sum(1, 2), 3)\n})\n",
};

/** The same with a command for its tests, which every run that changes something then waits for. */
export const TESTED = { ...FILES, "package.json": manifest({ scripts: { test: "node --test" } }) };

function manifest(more: object): string {
  return `${JSON.stringify({ name: "widgets", type: "module", ...more }, null, 2)}\n`;
}

/** Sandboxes by what was asked for: what this machine can do stays the same, and to find it out takes longer than a whole run. */
const probes = new Map<string, ReturnType<typeof openSandbox>>();
const threads = workerScanner();
const { start } = await openLauncher({ log: silent });
const shared: NonNullable<ProductOptions["shared"]> = {
  // No product may end them.
  launching: Promise.resolve({ start, [Symbol.asyncDispose]: () => Promise.resolve() }),
  scanner: { longestMs: threads.longestMs ?? 90_000, shapes: threads.shapes, held: threads.held },
  openSandbox(wish, request) {
    const key = JSON.stringify([wish, request.path]);
    const known = probes.get(key) ?? openSandbox(wish, request);
    probes.set(key, known);
    return known;
  },
};

export interface StageOptions {
  readonly script: readonly Turn[] | Script;
  readonly files?: Readonly<Record<string, string>>;
  readonly repository?: Partial<RepositoryOptions>;
  /** Over the usual environment; undefined takes a variable away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly startProduct?: boolean;
  /** How GitHub is waited for. */
  readonly patience?: ProductOptions["patience"];
  /** What the installation grants, where that is not what the manifest asks for. */
  readonly permissions?: EmbeddedGitHubOptions["permissions"];
}

/** An embedded GitHub with one repository, a scripted model, and the whole product between them. */
export interface Stage extends AsyncDisposable {
  readonly github: EmbeddedGitHub;
  readonly model: ScriptedModel;
  readonly secrets: HeldSecrets;
  readonly events: RunEvent[];
  /** Starts the product on the stage's data folder, as a process would be started again. */
  start(): Promise<Product>;
  stop(): Promise<void>;
  /** Says something on a thread as alice (who may write), and waits until nothing is left to do. */
  say(number: number, text: string, user?: string): Promise<void>;
  idle(): Promise<void>;
  /** The bot's comments on a thread, as they stand now. */
  comments(number: number): readonly string[];
}

export async function openStage({
  script,
  files = FILES,
  repository,
  environment = {},
  startProduct: starts = true,
  patience,
  permissions,
}: StageOptions): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-e2e-"));
  const github = await startEmbeddedGitHub({
    directory: join(folder, "github"),
    start,
    ...(permissions === undefined ? {} : { permissions }),
  });
  const model = await startScriptedModel(script);
  const secrets = holdSecrets();
  const events: RunEvent[] = [];
  github.addRepository(REPOSITORY, { files, permissions: { alice: "write", maria: "maintain", mallory: "read" }, ...repository });
  // Who names another folder, or another database, means to look at it.
  const isOwn = "SALLYPORT_DATA_DIR" in environment || "DATABASE_URL" in environment;
  const database = isOwn ? undefined : await lendDatabase();
  let product: Product | undefined;
  const stage: Stage = {
    github,
    model,
    secrets,
    events,
    async start() {
      product = await startProduct({
        environment: readEnvironment({
          ...github.environment,
          OPENAI_BASE_URL: model.baseUrl,
          OPENAI_API_KEY: "sk-e2e-0123456789abcdefghijkl",
          SALLYPORT_MODEL: "scripted",
          SALLYPORT_DATA_DIR: join(folder, "data"),
          ...environment,
        }),
        path: process.env["PATH"] ?? "",
        variables: environment,
        secrets,
        log:
          process.env["LOG_LEVEL"] === undefined
            ? silent
            : createLogger({ level: process.env["LOG_LEVEL"], format: "json", mask: secrets.mask }),
        observe: (event) => events.push(event),
        shared: database === undefined ? shared : { ...shared, openDatabase: database.open },
        patience: { lastGapMs: 0, ...patience },
      });
      github.webhookTarget = product.webhookUrl;
      return product;
    },
    async stop() {
      await product?.stop({ graceMs: 2000 });
      product = undefined;
    },
    async say(number, text, user = "alice") {
      const { delivery } = await github.say(REPOSITORY, number, text, user);
      if (delivery.status >= 300) throw new Error(`the webhook was answered ${delivery.status}`);
      await stage.idle();
    },
    async idle() {
      await product?.idle();
      await github.settled();
    },
    comments: (number) =>
      github
        .comments(REPOSITORY, number)
        .filter(({ user }) => user === github.botLogin)
        .map(({ body }) => body),
    async [Symbol.asyncDispose]() {
      await stage.stop();
      await github.stop();
      await model.stop();
      await database?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
  if (starts) await stage.start();
  return stage;
}
