import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a test repository holds: raw path → bytes (a string is UTF-8), a mode, or a submodule's commit. */
export type TestFile =
  | string
  | Uint8Array
  | { readonly mode: "100755" | "120000"; readonly bytes: string }
  | { readonly submodule: string };
export type TestTree = Readonly<Record<string, TestFile>>;

const ENV = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.test",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.test",
};

/** A repository of the test's own, written object by object, so that no attribute, filter or file system stands in between. */
export interface TestRepository {
  readonly gitDir: string;
  git(args: readonly string[], input?: Uint8Array | string): Buffer;
  text(args: readonly string[], input?: Uint8Array | string): string;
  commit(tree: TestTree, options?: { readonly parent?: string; readonly message?: string }): string;
}

export function makeRepository(folder: string): TestRepository {
  const gitDir = mkdtempSync(join(folder, "origin-"));
  const git = (args: readonly string[], input?: Uint8Array | string): Buffer =>
    execFileSync("git", [`--git-dir=${gitDir}`, ...args], { env: ENV, ...(input === undefined ? {} : { input }), maxBuffer: 1 << 28 });
  const text = (args: readonly string[], input?: Uint8Array | string): string => git(args, input).toString("utf8").trim();
  const known = new Map<string, string>();
  const blob: WriteBlob = (bytes) => {
    const key = Buffer.from(bytes as string).toString("latin1");
    const sha = known.get(key) ?? text(["hash-object", "-w", "--stdin", "--no-filters"], bytes);
    known.set(key, sha);
    return sha;
  };
  git(["init", "--quiet", "--bare", "-b", "main", gitDir]);
  git(["config", "uploadpack.allowAnySHA1InWant", "true"]);
  return {
    gitDir,
    git,
    text,
    commit(tree, { parent, message = "change" } = {}) {
      const sha = text(["commit-tree", writeTree({ text, blob }, tree), ...(parent === undefined ? [] : ["-p", parent])], message);
      git(["update-ref", "refs/heads/main", sha]);
      return sha;
    },
  };
}

/** Paths are `latin1`: one character a byte, so that any name can be written. */
type WriteBlob = (bytes: string | Uint8Array) => string;
interface Writer {
  readonly text: TestRepository["text"];
  readonly blob: WriteBlob;
}

function writeTree(writer: Writer, tree: TestTree): string {
  const folders = new Map<string, TestTree>();
  const lines: string[] = [];
  for (const [path, file] of Object.entries(tree)) {
    const slash = path.indexOf("/");
    if (slash > 0) {
      const folder = path.slice(0, slash);
      folders.set(folder, { ...folders.get(folder), [path.slice(slash + 1)]: file });
    } else {
      lines.push(entry(writer, path, file));
    }
  }
  for (const [folder, inside] of folders) lines.push(`040000 tree ${writeTree(writer, inside)}\t${folder}\0`);
  return writer.text(["mktree", "-z", "--missing"], Buffer.from(lines.join(""), "latin1"));
}

function entry({ blob }: Writer, path: string, file: TestFile): string {
  if (typeof file === "object" && "submodule" in file) return `160000 commit ${file.submodule}\t${path}\0`;
  const special = typeof file === "object" && "mode" in file;
  const sha = blob(special ? file.bytes : file);
  return `${special ? file.mode : "100644"} blob ${sha}\t${path}\0`;
}

/** A git host on loopback: smart HTTP over a repository, every request recorded; `answer` may take a request over. */
export interface TestHost extends AsyncDisposable {
  readonly url: string;
  readonly requests: { readonly method: string; readonly url: string; readonly authorization: string | undefined }[];
  answer: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Lets the process end though it listens. */
  unref(): void;
}

export async function startHost(repository: TestRepository): Promise<TestHost> {
  const requests: TestHost["requests"] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? "", url: request.url ?? "", authorization: request.headers.authorization });
    if (!host.answer(request, response)) backend(repository, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host: TestHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/owner/name.git`,
    requests,
    answer: () => false,
    unref: () => void server.unref(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return host;
}

function backend(repository: TestRepository, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "", "http://host");
  const child = spawn("git", ["http-backend"], {
    env: {
      ...ENV,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROJECT_ROOT: repository.gitDir,
      PATH_INFO: url.pathname.replace("/owner/name.git", ""),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? "",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_USER: "test",
    },
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("close", () => {
    const whole = Buffer.concat(chunks);
    const end = whole.indexOf("\r\n\r\n");
    for (const line of whole.toString("latin1", 0, end).split("\r\n")) {
      const [name = "", value = ""] = line.split(": ");
      if (name === "Status") response.statusCode = Number(value.slice(0, 3));
      else response.setHeader(name, value);
    }
    response.end(whole.subarray(end + 4));
  });
}

/** A folder that is gone when the test file ends. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "workspace-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
