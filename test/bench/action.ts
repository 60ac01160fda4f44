import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchGroup } from "./bench.ts";

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

/** How long the Action's process lives before it asks GitHub for the first time, beside a process that does nothing. Its limit is 300 ms. */
export function actionGroups(): readonly BenchGroup[] {
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
      ],
    },
  ];
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
