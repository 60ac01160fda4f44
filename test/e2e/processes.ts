import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startEmbeddedGitHub, startScriptedModel, type EmbeddedGitHub, type Script, type ScriptedModel } from "../../src/testing/index.ts";
import { REPOSITORY } from "./stage.ts";

const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
/** No tests of its own: what is tried here are the bot's processes. */
const FILES = { "README.md": "# Widgets\n", "src/sum.js": "export const sum = (a, b) => a - b\n" };

/** A real process of the product. */
export interface Process {
  readonly url: string;
  /** What it has logged so far, a line of JSON each. */
  readonly log: readonly string[];
  /** Kill -9; resolves once it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit status once it is gone. */
  terminate(): Promise<number | null>;
  /** Resolves once it is gone, whoever ended it. */
  readonly gone: Promise<number | null>;
}

export interface Theatre extends AsyncDisposable {
  /** What holds the data folders, by their names. */
  readonly folder: string;
  readonly github: EmbeddedGitHub;
  readonly model: ScriptedModel;
  /** Starts `sallyport serve` on the data folder of that name and waits until it takes webhooks; they go to it from then on. */
  start(options?: {
    readonly role?: "web" | "worker";
    readonly data?: string;
    readonly databaseUrl?: string;
    readonly withoutModel?: boolean;
  }): Promise<Process>;
  /** The bot's comments on a thread. */
  comments(number: number): readonly string[];
}

/** An embedded GitHub and a scripted model with real processes of the product between them. */
export async function openTheatre(script: Script): Promise<Theatre> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-processes-"));
  const github = await startEmbeddedGitHub({ directory: join(folder, "github") });
  const model = await startScriptedModel(script);
  github.addRepository(REPOSITORY, { files: FILES, permissions: { alice: "write" } });
  const started: Process[] = [];
  return {
    folder,
    github,
    model,
    async start({ role, data = "data", databaseUrl, withoutModel = false } = {}) {
      const asked = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: "sk-processes-0123456789abcdef", SALLYPORT_MODEL: "scripted" };
      const child = spawn(process.execPath, [CLI, "serve", ...(role === undefined ? [] : ["--role", role])], {
        stdio: ["ignore", "pipe", "inherit"],
        env: {
          PATH: process.env["PATH"],
          ...github.environment,
          LOG_FORMAT: "json",
          ...(withoutModel ? {} : asked),
          SALLYPORT_DATA_DIR: join(folder, data),
          ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
        },
      });
      const gone = once(child, "exit").then(([code]) => code as number | null);
      const log: string[] = [];
      const url = await Promise.race([
        addressIn(child.stdout, log),
        gone.then((code) => Promise.reject(new Error(`it ended with ${code}`))),
      ]);
      if (role !== "worker") github.webhookTarget = `${url}/api/github/webhooks`;
      const end = async (signal: NodeJS.Signals): Promise<number | null> => {
        child.kill(signal);
        return gone;
      };
      const running: Process = { url, log, gone, kill: async () => void (await end("SIGKILL")), terminate: () => end("SIGTERM") };
      started.push(running);
      return running;
    },
    comments: (number) =>
      github
        .comments(REPOSITORY, number)
        .filter(({ user }) => user === github.botLogin)
        .map(({ body }) => body),
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((each) => each.kill()));
      await github.stop();
      await model.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The address that a process logs once it is ready. Its output is read to the end, or the process would wait for a reader. */
function addressIn(output: NodeJS.ReadableStream, log: string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  createInterface({ input: output }).on("line", (line) => {
    log.push(line);
    const [, url] = /"url":"(http:[^"]+)"/.exec(line) ?? [];
    if (url !== undefined && line.includes("ready for webhooks")) resolve(url);
  });
  return promise;
}
