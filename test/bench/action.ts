import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureGroups, rowOf } from "./bench.ts";
import type { BenchGroup, Groups, Target } from "./bench.ts";

const bundle = fileURLToPath(new URL("../../action/dist/index.js", import.meta.url));
const user = { id: 7, login: "alice", type: "User" };
const repository = { id: 9, name: "widgets", owner: { login: "acme" }, private: false, default_branch: "main" };
const EVENT = {
  action: "created",
  repository,
  sender: user,
  issue: { number: 4, title: "sum", body: "It subtracts.", user },
  comment: { id: 5, body: "@sallyport fix this", user },
};

/** What a workflow of another agent installs before it can do anything, at the release that npm has today. */
const OTHER_AGENT = "@openai/codex";

/**
 * How long the Action's process lives before it asks GitHub for the first time, beside a process that does nothing, and beside what another agent
 * takes to be there at all. Its limit is 300 ms.
 */
export async function actionGroups(): Promise<readonly BenchGroup[]> {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-bench-"));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [output, summary, event] = [file("output", ""), file("summary", ""), file("event.json", JSON.stringify(EVENT))];
  return [
    {
      name: "from the start of the process",
      cases: [
        { name: "node -e 0, to its end", bytes: 0, leastRuns: 11, run: () => ended(["-e", "0"], {}) },
        {
          name: "the Action, to its first request",
          bytes: 0,
          leastRuns: 11,
          run: () =>
            firstRequest((url) => ({
              INPUT_GITHUB_TOKEN: "ghs_none",
              INPUT_OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
              GITHUB_EVENT_NAME: "issue_comment",
              GITHUB_EVENT_PATH: event,
              GITHUB_REPOSITORY: "acme/widgets",
              GITHUB_API_URL: url,
              GITHUB_OUTPUT: output,
              GITHUB_STEP_SUMMARY: summary,
              RUNNER_TEMP: folder,
            })),
        },
        ...(await otherAgent(folder)),
      ],
    },
  ];
}

/** Installed once before it counts, so that what is measured is an installation from npm's cache: the best that a runner can have. */
async function otherAgent(folder: string): Promise<BenchGroup["cases"]> {
  let installed = 0;
  const install = async (): Promise<string | undefined> => {
    const into = join(folder, `other-${(installed += 1)}`);
    const args = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", into, `${OTHER_AGENT}@latest`];
    const status = await exitOf("npm", args);
    return status === 0 ? into : undefined;
  };
  const first = await install();
  if (first === undefined) {
    process.stdout.write(`\naction: ${OTHER_AGENT} is not measured beside it, since npm could not install it here\n`);
    return [];
  }
  const { version, bin } = JSON.parse(readFileSync(join(first, "node_modules", OTHER_AGENT, "package.json"), "utf8")) as {
    version: string;
    bin: Record<string, string>;
  };
  const [program = ""] = Object.keys(bin);
  const megabytes = Math.round(sizeOf(first) / 1e6);
  const run = async (): Promise<void> => {
    const into = await install();
    const status = into === undefined ? 1 : await exitOf(join(into, "node_modules/.bin", program), ["--version"]);
    if (status !== 0) throw new Error(`${OTHER_AGENT} could not be installed a second time, or does not say its version`);
  };
  return [{ name: `npm i ${OTHER_AGENT}@${version} (${megabytes} MB), and its --version`, bytes: 0, leastRuns: 1, run }];
}

async function exitOf(command: string, args: readonly string[]): Promise<number | null> {
  const child = spawn(command, args, { stdio: "ignore" });
  return await new Promise((resolve) => child.once("error", () => resolve(1)).once("close", resolve));
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.reduce((sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0), 0);
}

async function ended(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: "ignore", env: { PATH: process.env["PATH"], ...env } });
  await new Promise((resolve) => child.once("close", resolve));
}

async function firstRequest(variables: (url: string) => Readonly<Record<string, string>>): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const env = { PATH: process.env["PATH"], ...variables(`http://127.0.0.1:${port}`) };
  const child = spawn(process.execPath, [bundle], { stdio: "ignore", env });
  const closed = new Promise((resolve) => child.once("close", resolve));
  await Promise.race([new Promise((resolve) => server.once("request", resolve)), closed]);
  // Whatever else it begins is no part of the measure.
  child.kill("SIGKILL");
  server.closeAllConnections();
  server.close();
}

export const bench = async () => measureGroups(await actionGroups());
export const targets: readonly Target<Groups>[] = [
  {
    name: "the Action's process, to its first request",
    unit: "ms",
    atMost: 300,
    figure: (groups) => rowOf(groups, "from the start", "the Action")?.medianMs,
  },
];
