import { spawn } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSign } from "node:crypto";
import { afterEach } from "vitest";
import { startEmbeddedGitHub, type EmbeddedGitHub, type EmbeddedGitHubOptions } from "../../../../src/testing/index.ts";

const FILES = { "README.md": "# Widgets\n", "src/sum.ts": "export const sum = (a, b) => a - b;\n" };
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-testing-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A GitHub that ends with its test. */
export async function github(options: Omit<EmbeddedGitHubOptions, "directory"> = {}): Promise<EmbeddedGitHub> {
  const started = await startEmbeddedGitHub({ directory: join(temporaryFolder(), "github"), ...options });
  cleanUps.push(() => started.stop());
  return started;
}

/** As `github`, with acme/widgets: alice may write, mallory only read, issue 1 is open. */
export async function widgets(options: { isPrivate?: boolean; archived?: boolean } = {}): Promise<EmbeddedGitHub> {
  const started = await github();
  started.addRepository("acme/widgets", { files: FILES, permissions: { alice: "write", mallory: "read" }, ...options });
  started.addIssue("acme/widgets", { title: "sum subtracts", user: "alice" });
  return started;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // The tests look into answers whose shape the schemas check.
  readonly body: { readonly [name: string]: unknown } & { readonly message?: string };
  readonly list: readonly Record<string, unknown>[];
  readonly text: string;
}

/** Sends one request to the API. `line` is `POST /repos/acme/widgets/issues/1/comments`. */
export async function api(
  from: EmbeddedGitHub,
  line: string,
  { token, body, accept, authorization }: { token?: string; body?: unknown; accept?: string; authorization?: string } = {},
): Promise<ApiAnswer> {
  const [method = "GET", path = "/"] = line.split(" ");
  const credential = authorization ?? (token === undefined ? undefined : `Bearer ${token}`);
  const response = await fetch(path === "/graphql" ? `${from.origin}/api/graphql` : from.apiUrl + path, {
    method,
    redirect: "manual",
    headers: {
      "content-type": "application/json",
      accept: accept ?? "application/vnd.github+json",
      ...(credential === undefined ? {} : { authorization: credential }),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed: unknown = response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : undefined;
  const { status, headers } = response;
  return { status, headers, text, body: (parsed ?? {}) as ApiAnswer["body"], list: (parsed ?? []) as ApiAnswer["list"] };
}

/** An App's own token. Seconds are relative to now. */
export function appToken(
  from: EmbeddedGitHub,
  { issued = -30, expires = 300, issuer = from.appId, key = from.privateKey, algorithm = "RS256" } = {},
): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encode({ alg: algorithm, typ: "JWT" })}.${encode({ iat: now + issued, exp: now + expires, iss: String(issuer) })}`;
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(key).toString("base64url")}`;
}

/** Runs git without any configuration of this machine. It must not block: the server that it talks to runs in this process. */
export async function git(folder: string, ...args: string[]): Promise<{ status: number | null; out: string }> {
  const child = spawn("git", args, { cwd: folder, env: ENVIRONMENT, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const status = await new Promise<number | null>((done) => child.on("close", done));
  return { status, out };
}

export interface ReceivedWebhook {
  readonly headers: IncomingMessage["headers"];
  readonly raw: string;
  readonly payload: Record<string, unknown> & { action?: string };
}

/** An App that takes webhooks and answers them with a status. */
export async function receiver(status = 202): Promise<{ url: string; received: ReceivedWebhook[] }> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers, raw, payload: JSON.parse(raw) as ReceivedWebhook["payload"] });
      response.writeHead(status).end("thanks");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received };
}
