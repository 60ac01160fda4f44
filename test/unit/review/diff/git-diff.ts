import type { GitDiff } from "../../../../src/review/diff/parse-diff.ts";
import type { TestRepository, TestTree } from "../../workspace/git-host.ts";

/** What git says about two trees, as the product asks it. */
export function gitDiff(
  repository: TestRepository,
  before: TestTree,
  after: TestTree,
): GitDiff & { readonly from: string; readonly to: string } {
  const from = repository.commit(before);
  const to = repository.commit(after, { parent: from });
  const ask = (...args: readonly string[]): string =>
    repository.git(["diff-tree", "-r", "-M", "--no-ext-diff", "--full-index", ...args, from, to]).toString("utf8");
  return { raw: ask("--raw", "-z"), patch: ask("-p", "--no-textconv"), from, to };
}
