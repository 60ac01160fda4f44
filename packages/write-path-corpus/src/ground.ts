import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Ground } from "./adapter.ts";
import { BASE } from "./base.ts";
import { context } from "./context.ts";

/** A comment that reached the server. */
export interface Posted {
  readonly path: string;
  readonly body: string;
}

/** A ground with what the runner needs to read from it, and nobody else. */
export interface OpenGround extends Ground, AsyncDisposable {
  readonly folder: string;
  readonly posted: readonly Posted[];
}

/** The longest body of a comment that GitHub takes. */
const LONGEST_COMMENT = 65_536;
const run = promisify(execFile);

/** Asks git, without the machine's own configuration. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0" };
  const identity = ["-c", "user.name=bot", "-c", "user.email=bot@example.com"];
  return (await run("git", [...identity, ...args], { cwd, env, maxBuffer: 1 << 28 })).stdout;
}

/** Lays a repository, a clone and a server in a temporary folder. */
export async function openGround(): Promise<OpenGround> {
  const folder = await mkdtemp(join(tmpdir(), "write-path-"));
  const [remote, checkout, scratch] = ["remote.git", "checkout", "scratch"].map((name) => join(folder, name)) as [string, string, string];
  await mkdir(scratch);
  await git(folder, "init", "--quiet", "--bare", "--initial-branch", "main", remote);
  await git(folder, "clone", "--quiet", remote, checkout);
  const files = { ...BASE, "README.md": "# app\n", "src/a.ts": "export const a = 1\n" };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await writeFile(join(checkout, path), text);
  }
  await git(checkout, "add", "--all");
  await git(checkout, "commit", "--quiet", "--message", "Begin");
  await git(checkout, "branch", "--force", "--move", "main");
  await git(checkout, "push", "--quiet", "origin", "main", "main:existing-human-branch");
  const posted: Posted[] = [];
  const server = await listen(posted);
  return {
    folder,
    remote,
    checkout,
    scratch,
    base: (await git(checkout, "rev-parse", "HEAD")).trim(),
    api: server.url,
    secret: context.canary,
    posted,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function listen(posted: Posted[]): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const status = take(posted, request.url ?? "", request.method ?? "", Buffer.concat(chunks).toString("utf8"));
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The status that GitHub would answer. */
function take(posted: Posted[], path: string, method: string, text: string): number {
  if (method !== "POST" || !/^\/repos\/[\w.-]+\/[\w.-]+\/issues\/\d+\/comments$/.test(path)) return 404;
  try {
    const { body } = JSON.parse(text) as { readonly body?: unknown };
    if (typeof body !== "string" || body === "" || body.length > LONGEST_COMMENT) return 422;
    posted.push({ path, body });
    return 201;
  } catch {
    return 400;
  }
}
