import { statSync } from "node:fs";
import { runNow } from "../../../processes/run-now.ts";

/** The same for every git that is started here: nothing of the machine's or the user's own configuration reaches it. */
export const GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
  HOME: "/nonexistent",
  LANG: "C.UTF-8",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "Octo Cat",
  GIT_AUTHOR_EMAIL: "octocat@example.test",
  GIT_COMMITTER_NAME: "Octo Cat",
  GIT_COMMITTER_EMAIL: "octocat@example.test",
};

/** Answers about objects under their full names, which never change: a start of git costs more than all else of most requests. */
const ABOUT_OBJECTS: readonly string[] = ["cat-file", "rev-parse", "ls-tree", "log", "rev-list"];
const known = new Map<string, Buffer>();
const MOST_KNOWN = 500;
const LARGEST_KNOWN = 64 * 1024;

export interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs git on a bare repository; answers its output, or undefined when it exits with an error. */
export function tryGit(gitDirectory: string, args: readonly string[], options: GitOptions = {}): Buffer | undefined {
  const key = keyOf(gitDirectory, args, options);
  const before = key === undefined ? undefined : known.get(key);
  if (before !== undefined) return before;
  const result = start(gitDirectory, args, options);
  if (result.status !== 0) return undefined;
  if (key !== undefined) remember(key, result.stdout);
  return result.stdout;
}

/** Runs git on a bare repository; throws with git's own words when it fails. */
export function runGit(gitDirectory: string, args: readonly string[], options: GitOptions = {}): Buffer {
  const key = keyOf(gitDirectory, args, options);
  const before = key === undefined ? undefined : known.get(key);
  if (before !== undefined) return before;
  const result = start(gitDirectory, args, options);
  if (result.status !== 0) throw new Error(`git ${args.join(" ")} failed: ${result.error ?? result.stderr.toString()}`);
  if (key !== undefined) remember(key, result.stdout);
  return result.stdout;
}

/** As `runGit`, as text without its final line feed. */
export function gitText(gitDirectory: string, args: readonly string[], options: GitOptions = {}): string {
  return runGit(gitDirectory, args, options).toString().replace(/\n$/, "");
}

/** The lines of git's output; none when it is empty. */
export function gitLines(gitDirectory: string, args: readonly string[]): string[] {
  return gitText(gitDirectory, args)
    .split("\n")
    .filter((line) => line !== "");
}

/** Undefined for what may be answered otherwise another time. */
function keyOf(gitDirectory: string, args: readonly string[], { input, env }: GitOptions): string | undefined {
  const isFixed = input === undefined && env === undefined && ABOUT_OBJECTS.includes(args[0] ?? "");
  if (!isFixed || !/^[0-9a-f]{40}(?:\^\{(?:commit|tree)\})?$/.test(args.at(-1) ?? "")) return undefined;
  // Another repository may stand where one was.
  return [gitDirectory, statSync(gitDirectory).ino, ...args].join("\0");
}

function remember(key: string, answer: Buffer): void {
  if (answer.length > LARGEST_KNOWN) return;
  const [oldest] = known.keys();
  if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(key, answer);
}

function start(gitDirectory: string, args: readonly string[], { input, env }: GitOptions) {
  return runNow({ program: "git", args: ["--git-dir", gitDirectory, ...args], env: { ...GIT_ENVIRONMENT, ...env }, input });
}
