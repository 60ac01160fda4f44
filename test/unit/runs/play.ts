import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { callTo } from "../agent/doubles.ts";
import { FILES, openBench, REPOSITORY, type Bench, type BenchOptions } from "./bench.ts";

export const edit = (old_string = "a - b", new_string = "a + b", id = "edit") =>
  callTo("edit_file", { path: "src/sum.js", old_string, new_string }, id);
export const open = (id = "open", more = {}) => callTo("gh_create_pr", { title: "Make sum add", body: "It subtracted.", ...more }, id);
export const commit = (id = "commit") => callTo("gh_commit_changes", { message: "Add" }, id);
export const shell = (command = "x", id = "shell") => callTo("run_shell", { command }, id);
export const FIXED = FILES["src/sum.js"].replace("a - b", "a + b");
export const ownPulls = ({ github }: Bench) => github.pulls(REPOSITORY).filter(({ user }) => user === github.botLogin);
export const ownBranches = ({ github }: Bench) => github.branches(REPOSITORY).filter((name) => name.startsWith("sallyport/"));

/** Plays one run of alice's and answers what is left of it; `prepare` may name the pull request that it is asked on. */
export async function play(options: BenchOptions, prepare?: (bench: Bench) => number | void) {
  const bench = await openBench(options);
  const run = bench.ask("fix this", prepare?.(bench) ?? undefined);
  const journal = memoryJournal();
  const end = await bench.attempt(run, { journal });
  const [comment = "", ...more] = bench.comments(run);
  return { bench, run, journal, end, comment, more, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}
