import { execFile, execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SnapshotEntry } from "../../src/core/journal.ts";
import { checkOut } from "../../src/workspace/check-out.ts";
import { openGit } from "../../src/workspace/git.ts";
import { openStores } from "../../src/workspace/store.ts";
import type { Remote, Store } from "../../src/workspace/store.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { startHost } from "../unit/workspace/git-host.ts";
import type { TestHost } from "../unit/workspace/git-host.ts";
import { measureGroups, rowOf } from "./bench.ts";
import type { BenchGroup, Groups, Target } from "./bench.ts";

/** Repositories by their number of files and their bytes, made the same on every machine. */
const SIZES = { "2400 files, 31 MB": [2400, 31e6], "10 000 files": [10_000, 20e6], "100 000 files": [100_000, 50e6] } as const;
type Size = keyof typeof SIZES;

const ENV = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
const EDITS = 50;

interface Ground {
  readonly folder: string;
  readonly commit: string;
  readonly host: TestHost;
  readonly store: Store;
  readonly remote: Remote;
}

/** Check-out, list, change set and snapshot, beside `git clone --depth 1` of the same repository from the same host. */
export function workspaceGroups(): readonly BenchGroup[] {
  // In memory where there is room, as an operator would mount the folder of workspaces: a disk measures the disk.
  const memory = "/dev/shm";
  const isRoomy = existsSync(memory) && ((stats) => stats.bavail * stats.bsize)(statfsSync(memory)) > 1.5e9;
  const root = mkdtempSync(join(isRoomy ? memory : tmpdir(), "bench-workspace-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  return (Object.keys(SIZES) as Size[]).map((size) => groupOf(root, size));
}

function groupOf(root: string, size: Size): BenchGroup {
  const [files, bytes] = SIZES[size];
  let ground: Promise<Ground> | undefined;
  let edited: Promise<Workspace> | undefined;
  let count = 0;
  const lay = (): Promise<Ground> => (ground ??= layGround(join(root, size.replace(/\W+/g, "-")), files, bytes));
  const fresh = async (): Promise<Workspace> => {
    const { folder, store, remote, commit } = await lay();
    return checkOut({ store, remote, commit, directory: join(folder, `workspace-${(count += 1)}`) });
  };
  const withEdits = (): Promise<Workspace> => (edited ??= fresh().then((workspace) => edit(workspace, files)));
  return {
    name: size,
    cases: [
      {
        name: "git clone --depth 1",
        bytes,
        async run() {
          const { folder, host } = await lay();
          const target = join(folder, `clone-${(count += 1)}`);
          await promisify(execFile)("git", ["clone", "--quiet", "--depth=1", host.url, target], { env: ENV });
          rmSync(target, { recursive: true, force: true });
        },
      },
      {
        name: "cold: fetch and unpack",
        bytes,
        async run() {
          const { folder, remote, commit } = await lay();
          const store = await openStores({
            git: openGit({ path: ENV.PATH }),
            folder: join(folder, `cold-${(count += 1)}`),
            path: ENV.PATH,
          }).open(1);
          const workspace = await checkOut({ store, remote, commit, directory: join(folder, `workspace-${count}`) });
          await workspace.dispose();
          rmSync(join(store.gitDir, ".."), { recursive: true, force: true });
        },
      },
      { name: "warm: unpack and remove", bytes, run: async () => (await fresh()).dispose() },
      {
        name: "warm, with the history for commands",
        bytes,
        async run() {
          const workspace = await fresh();
          if ((await workspace.history({ isAsked: false })) === undefined) throw new Error("no history was made");
          await workspace.dispose();
        },
      },
      { name: `change set of ${EDITS} edits`, bytes, run: async () => expectEdits(await (await withEdits()).changeSet()) },
      { name: "list, 3 folders deep", bytes, run: async () => (await withEdits()).list("", 3) },
      {
        name: "restore a snapshot",
        bytes,
        async run() {
          const workspace = await withEdits();
          const { changes, blobs } = await workspace.changeSet();
          const entries = changes.map(({ path, after }): SnapshotEntry => (after ? { path, mode: after.mode, blob: after.sha } : { path }));
          await workspace.restore(entries, (sha) => Promise.resolve(blobs.get(sha)));
        },
      },
    ],
  };
}

function expectEdits({ changes }: { readonly changes: readonly unknown[] }): void {
  if (changes.length !== EDITS) throw new Error(`${changes.length} changes were seen, not ${EDITS}`);
}

async function edit(workspace: Workspace, files: number): Promise<Workspace> {
  for (let index = 0; index < EDITS; index += 1)
    await workspace.write(pathOf(Math.floor((index * files) / EDITS)), Buffer.from(`edit ${index}\n`));
  return workspace;
}

const pathOf = (index: number): string => `packages/p${index % 40}/src/m${Math.floor(index / 40) % 25}/file-${index}.ts`;

async function layGround(folder: string, files: number, bytes: number): Promise<Ground> {
  const gitDir = join(folder, "origin");
  mkdirSync(folder);
  execFileSync("git", ["init", "--quiet", "--bare", "-b", "main", gitDir], { env: ENV });
  execFileSync("git", [`--git-dir=${gitDir}`, "config", "uploadpack.allowAnySHA1InWant", "true"], { env: ENV });
  const stream = join(folder, "stream");
  writeFileSync(stream, "");
  const each = Math.floor(bytes / files);
  let batch = "commit refs/heads/main\ncommitter A <a@example.test> 1700000000 +0000\ndata 4\nmade\n";
  for (let index = 0; index < files; index += 1) {
    const text = textOf(index, each);
    batch += `M 100644 inline ${pathOf(index)}\ndata ${text.length}\n${text}\n`;
    if (batch.length < 4e6) continue;
    appendFileSync(stream, batch);
    batch = "";
  }
  appendFileSync(stream, `${batch}\n`);
  execFileSync("sh", ["-c", 'git --git-dir="$1" fast-import --quiet < "$2"', "sh", gitDir, stream], { env: ENV });
  rmSync(stream);
  const git = (args: readonly string[]): Buffer => execFileSync("git", [`--git-dir=${gitDir}`, ...args], { env: ENV });
  const commit = git(["rev-parse", "main"]).toString().trim();
  const host = await startHost({ gitDir, git, text: (args) => git(args).toString().trim(), commit: () => commit });
  host.unref();
  const store = await openStores({ git: openGit({ path: ENV.PATH }), folder: join(folder, "stores"), path: ENV.PATH }).open(1);
  const remote = { url: host.url, token: () => Promise.resolve(undefined) };
  await store.fetchCommit({ remote, sha: commit });
  return { folder, commit, host, store, remote };
}

/** Text of about so many bytes that packs about as source code does. */
function textOf(seed: number, bytes: number): string {
  const lines: string[] = [];
  let state = seed + 1;
  for (let size = 0; size < bytes;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    const line = `export const value${state % 9973} = ${state} + value${state % 97}; // of file ${seed}\n`;
    lines.push(line);
    size += line.length;
  }
  return lines.join("").slice(0, bytes);
}

export const bench = () => measureGroups(workspaceGroups());
export const targets: readonly Target<Groups>[] = [
  {
    name: "a warm workspace of 2400 files",
    unit: "ms",
    atMost: 400,
    figure: (groups) => rowOf(groups, "2400 files", "warm: unpack")?.medianMs,
  },
  {
    name: `the change set of ${EDITS} edits in 10 000 files`,
    unit: "ms",
    atMost: 500,
    figure: (groups) => rowOf(groups, "10 000 files", "change set")?.medianMs,
  },
];
