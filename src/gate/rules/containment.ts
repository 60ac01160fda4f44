import { judgePath } from "../../core/repository-path.ts";
import type { Finding } from "../../core/result.ts";
import { filesOf } from "../contents.ts";
import type { JudgedFile } from "../contents.ts";
import { FIRST_RULE } from "../judge-rules.ts";
import type { GateRule } from "../rule.ts";

/**
 * Nothing leaves the repository's own tree, and only regular files change. A link or a submodule makes other bytes appear under a path
 * that was judged (CWE-59; the checkouts behind CVE-2021-21300 and CVE-2024-32002), so a new or changed one is refused, wherever it points.
 */
export function containmentRule(): GateRule {
  return {
    name: FIRST_RULE,
    applies: ["workspace-write", "commit", "open-pull-request"],
    check: (judged) => filesOf(judged).flatMap(judgeFile),
  };
}

function judgeFile({ path, before, after, movedFrom }: JudgedFile): readonly Finding[] {
  for (const name of [path, movedFrom]) {
    const verdict = name === undefined ? undefined : judgePath(name);
    if (verdict?.ok === false) return [block(undefined, verdict.why, "Name a plain path relative to the repository root.")];
  }
  if (after?.ref === undefined) return [];
  const { mode, sha } = after.ref;
  if (mode === "120000") return [block(path, "it would be a symbolic link", "Write a regular file instead.")];
  if (mode === "160000") return [block(path, "it would be a submodule", "A person adds submodules; leave it as it is.")];
  if (after.bytes === undefined && before?.ref?.sha !== sha) {
    return [block(path, "its new bytes are not at hand, so nobody can judge them", "Write the file again.")];
  }
  return [];
}

function block(path: string | undefined, why: string, fix: string): Finding {
  return { rule: FIRST_RULE, severity: "block", why, fix, ...(path !== undefined && { where: { path } }) };
}
