import { SallyportError } from "../core/errors.ts";
import type { Git } from "./git.ts";
import { bytesOf } from "./tree.ts";

/**
 * Which paths the repository ignores, asked of git itself. The rules are those of the workspace as it stands, as `git add` would read
 * them after the change: a tool that leaves a self-ignoring cache (`.pytest_cache/.gitignore`) is heard, a rule that the change adds
 * counts at once, and the rule's own change is in the change set for everybody to see. Nothing tracked can be hidden by a rule,
 * since only untracked paths are asked about.
 */
export interface IgnoreRules extends Disposable {
  /** Those of the raw paths that are ignored. One batch at a time. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

const TIMEOUT_MS = 120_000;
/** In front of each path, since `check-ignore` knows no literal pathspecs: after it nothing is read as pathspec magic. */
const HERE = "./";

/** Starts git on the first question. It reads `.gitignore` files only: no index, no configuration and no attributes of the workspace. */
export function openIgnoreRules({
  git,
  gitDir,
  directory,
}: {
  readonly git: Git;
  readonly gitDir: string;
  readonly directory: string;
}): IgnoreRules {
  let check: ReturnType<typeof startCheck> | undefined;
  return {
    async ignored(paths) {
      if (paths.length === 0) return new Set();
      check ??= startCheck(git, gitDir, directory);
      return check.ask(paths);
    },
    [Symbol.dispose]: () => check?.end(),
  };
}

function startCheck(git: Git, gitDir: string, directory: string) {
  const args = ["check-ignore", "--no-index", "--stdin", "-z", "--verbose", "--non-matching"];
  // 0 when something was ignored, 1 when nothing was.
  const child = git.start(args, {
    gitDir,
    workTree: directory,
    env: { GIT_FLUSH: "1", GIT_LITERAL_PATHSPECS: "0" },
    exitCodes: [0, 1],
    timeoutMs: TIMEOUT_MS,
  });
  const chunks = (child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let rest = "";
  let fields: string[] = [];
  return {
    /** Each answer is `<source> NUL <line> NUL <pattern> NUL <path> NUL`; source and pattern are empty where no rule matches. */
    async ask(paths: readonly string[]): Promise<ReadonlySet<string>> {
      child.stdin.write(Buffer.concat(paths.map((path) => bytesOf(`${HERE}${path}\0`))));
      while (fields.length < paths.length * 4) {
        const { done, value } = await chunks.next();
        if (done === true) {
          await child.done;
          throw new SallyportError("git stopped answering which paths are ignored.", { code: "ignore-rules" });
        }
        const parts = (rest + value.toString("latin1")).split("\0");
        rest = parts.pop() ?? "";
        fields.push(...parts);
      }
      const ignored = new Set<string>();
      for (let at = 0; at < fields.length; at += 4) {
        const pattern = fields[at + 2] ?? "";
        // The last rule that matches is named even when it is one that takes back (`!keep`).
        if (pattern !== "" && !pattern.startsWith("!")) ignored.add((fields[at + 3] ?? "").slice(HERE.length));
      }
      fields = [];
      return ignored;
    },
    end: () => child.kill(),
  };
}
