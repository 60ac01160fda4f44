import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  startEmbeddedGitHub,
  startScriptedModel,
  type EmbeddedGitHub,
  type RecordedRequest,
  type Script,
  type ScriptedModel,
  type Turn,
  type WebhookEvent,
} from "../../src/testing/index.ts";
import { FILES, REPOSITORY } from "./stage.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
export const KEY = "sk-e2e-0123456789abcdefghijkl";
export const BOT = "github-actions[bot]";
export const WRITES = { contents: "write", issues: "write", pull_requests: "write", checks: "write", actions: "read" } as const;
export const READS = { contents: "read", issues: "read", pull_requests: "read", checks: "read", actions: "read" } as const;

/** Builds the bundle as it is committed, away from the repository: nothing beside it can help it. */
export async function buildBundle(): Promise<{ readonly folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-bundle-"));
  await promisify(execFile)(process.execPath, ["scripts/build-action.ts", folder], { cwd: root });
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** A workflow command that the runner would carry out. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

export interface StepResult {
  readonly code: number | null;
  readonly log: string;
  readonly commands: readonly WorkflowCommand[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** What was written to GITHUB_ENV, GITHUB_PATH and GITHUB_STATE. */
  readonly others: string;
  readonly requests: readonly RecordedRequest[];
  /** Requests to the model. */
  readonly asked: number;
}

export interface StepOptions {
  readonly inputs?: Readonly<Record<string, string>>;
  /** Over the runner's own; undefined takes one away. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly permissions?: typeof WRITES | typeof READS;
  /** Milliseconds after which the workflow is cancelled. */
  readonly cancelAfter?: number;
  /** What the event file holds instead. */
  readonly eventText?: string;
}

/** An embedded GitHub with one repository, a scripted model, and a runner that plays one step. */
export interface Workflow extends AsyncDisposable {
  readonly github: EmbeddedGitHub;
  readonly model: ScriptedModel;
  /** Runs the bundle on one event, as GitHub's runner does. */
  step(event: WebhookEvent, options?: StepOptions): Promise<StepResult>;
  /** The event of a new comment by alice, who may write. */
  comment(number: number, body: string, user?: string): WebhookEvent;
}

export async function openWorkflow(bundle: string, script: readonly Turn[] | Script, files: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-action-"));
  const github = await startEmbeddedGitHub({ directory: join(folder, "github") });
  const model = await startScriptedModel(script);
  github.addRepository(REPOSITORY, { files: { ...FILES, ...files }, permissions: { alice: "write", mallory: "read" } });
  return runnerAt({ bundle, folder, github, model }, () => Promise.all([github.stop(), model.stop()]));
}

/** A runner at the GitHub of a stage, where the server is at work as well. */
export async function openRunnerAt(bundle: string, { github, model }: Pick<Workflow, "github" | "model">): Promise<Workflow> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-action-"));
  return runnerAt({ bundle, folder, github, model }, () => Promise.resolve());
}

interface RunnerPlace extends Pick<Workflow, "github" | "model"> {
  readonly bundle: string;
  readonly folder: string;
}

function runnerAt({ bundle, folder, github, model }: RunnerPlace, stop: () => Promise<unknown>): Workflow {
  let steps = 0;
  const workflow: Workflow = {
    github,
    model,
    comment: (number, body, user = "alice") =>
      github.events.issueComment(REPOSITORY, github.addComment(REPOSITORY, number, { body, user })),
    async step({ name, payload }, { inputs = {}, variables = {}, permissions = WRITES, cancelAfter, eventText } = {}) {
      const place = join(folder, `step-${++steps}`);
      const workspace = join(place, "workspace");
      await mkdir(workspace, { recursive: true });
      const file = async (own: string, text = ""): Promise<string> => {
        await writeFile(join(place, own), text);
        return join(place, own);
      };
      const { installation: _, ...plain } = payload as { installation?: unknown };
      const token = github.addToken({ login: BOT, permissions, repositories: [REPOSITORY] });
      const given = { github_token: token, openai_api_key: KEY, openai_base_url: model.baseUrl, model: "scripted", ...inputs };
      const runner: Record<string, string | undefined> = {
        PATH: process.env["PATH"],
        HOME: place,
        RUNNER_TEMP: place,
        GITHUB_ACTIONS: "true",
        GITHUB_RUN_ID: String(9000 + steps),
        GITHUB_RUN_ATTEMPT: "1",
        GITHUB_ACTOR: "alice",
        GITHUB_EVENT_NAME: name,
        GITHUB_EVENT_PATH: await file("event.json", eventText ?? JSON.stringify(plain)),
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_API_URL: github.apiUrl,
        GITHUB_SERVER_URL: github.origin,
        GITHUB_GRAPHQL_URL: `${github.origin}/api/graphql`,
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: await file("output"),
        GITHUB_STEP_SUMMARY: await file("summary.md"),
        GITHUB_ENV: await file("env"),
        GITHUB_PATH: await file("path"),
        GITHUB_STATE: await file("state"),
        ...Object.fromEntries(Object.entries(given).map(([key, value]) => [`INPUT_${key.toUpperCase()}`, value])),
        ...variables,
      };
      const env = Object.fromEntries(Object.entries(runner).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
      const before = { requests: github.requests.length, asked: model.requests.length };
      const child = spawn(process.execPath, [join(bundle, "index.js")], { cwd: workspace, env, stdio: ["ignore", "pipe", "pipe"] });
      let log = "";
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (log += text));
      const timer = cancelAfter === undefined ? undefined : setTimeout(() => child.kill("SIGINT"), cancelAfter);
      const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
      clearTimeout(timer);
      const read = (own: string): Promise<string> => readFile(join(place, own), "utf8");
      return {
        code,
        log,
        commands: commandsIn(log),
        outputs: outputsIn(await read("output")),
        summary: await read("summary.md"),
        others: (await read("env")) + (await read("path")) + (await read("state")),
        requests: github.requests.slice(before.requests),
        asked: model.requests.length - before.asked,
      };
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return workflow;
}

const unescape = (text: string): string => text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");

/** Both forms of a workflow command. Source: https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs */
export function commandsIn(log: string): readonly WorkflowCommand[] {
  return log.split(/\r\n|\r|\n/).flatMap((line) => {
    const [, name, properties = "", data = ""] =
      /^\s*::([\w-]+)(?: (.*?))?::(.*)$/s.exec(line) ?? /##\[([\w-]+)(?: ([^\]]*))?\](.*)$/s.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = properties.split(",").flatMap((pair) => {
      const [key = "", ...value] = pair.split("=");
      return key === "" ? [] : [[key.trim(), unescape(value.join("=").replaceAll("%3A", ":").replaceAll("%2C", ","))]];
    });
    return [{ name, properties: Object.fromEntries(pairs) as Record<string, string>, data: unescape(data) }];
  });
}

/** GITHUB_OUTPUT as the runner reads it. @throws {Error} for a line that it would refuse */
export function outputsIn(text: string): Readonly<Record<string, string>> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line === "") continue;
    const [, name, end] = /^([^=]+?)<<(.+)$/.exec(line) ?? [];
    if (name === undefined || end === undefined) throw new Error(`no output is set by ${JSON.stringify(line)}`);
    const last = lines.indexOf(end, at + 1);
    if (last < 0) throw new Error(`the output ${name} never ends`);
    outputs[name] = lines.slice(at + 1, last).join("\n");
    at = last;
  }
  return outputs;
}
