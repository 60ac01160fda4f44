import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureGroups, rowOf } from "./bench.ts";
import type { BenchGroup, Groups, Target } from "./bench.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const FILES = 1000;
const LINES = 60;

/** The command as people call it, from its start to its exit status, on a change of a thousand files. Its limit is 3 s. */
export function gateCommandGroups(): readonly BenchGroup[] {
  const { folder, diff } = changedCheckout();
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
  const gate = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(process.execPath, [cli, "gate", ...args, "--cwd", folder], { env, encoding: "utf8" });
    // Nothing in it is forbidden; that it is many files is asked about.
    if (status !== 0 && status !== 1 && status !== 2) throw new Error(`the gate did not judge: ${stderr}`);
  };
  const bytes = Buffer.byteLength(diff.text);
  return [
    {
      name: `a diff of ${FILES} files and ${Math.round(bytes / 1000)} kB`,
      cases: [
        { name: "git diff", bytes, run: () => spawnSync("git", ["diff", "HEAD~1", "HEAD"], { cwd: folder, env }) },
        { name: "sallyport gate --diff", bytes, run: () => gate("--diff", diff.file, "--base", "HEAD~1") },
        { name: "sallyport gate HEAD~1..HEAD --format sarif", bytes, run: () => gate("HEAD~1..HEAD", "--format", "sarif") },
      ],
    },
  ];
}

/** A checkout whose last commit has changed a few lines of each of its files. */
function changedCheckout(): { readonly folder: string; readonly diff: { readonly file: string; readonly text: string } } {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-bench-"));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1e9,
    });
  const write = (change: (line: number) => string): void => {
    for (let file = 0; file < FILES; file += 1) {
      const path = join(folder, `src/part${file % 40}/file${file}.ts`);
      mkdirSync(dirname(path), { recursive: true });
      const lines = Array.from(
        { length: LINES },
        (_, line) => `export const value${file}_${line} = (a: number) => a * ${file} + ${change(line)};`,
      );
      writeFileSync(path, `${lines.join("\n")}\n`);
    }
  };
  git("init", "--quiet", "--initial-branch", "main");
  write(String);
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
  write((line) => (line % 20 === 7 ? `${line} + 1` : String(line)));
  git("add", "--all");
  git("commit", "--quiet", "--message", "Change");
  const text = git("diff", "HEAD~1", "HEAD");
  const file = join(folder, "..", `${folder.split("/").at(-1)}.diff`);
  writeFileSync(file, text);
  return { folder, diff: { file, text } };
}

export const bench = () => measureGroups(gateCommandGroups());
export const targets: readonly Target<Groups>[] = [
  {
    name: `sallyport gate --diff on ${FILES} files`,
    unit: "ms",
    atMost: 3000,
    figure: (groups) => rowOf(groups, "a diff of", "sallyport gate --diff")?.medianMs,
  },
];
