import type { Finding } from "../../core/result.ts";
import { filesOf } from "../contents.ts";
import type { GateRule } from "../rule.ts";
import { fold } from "../names.ts";

const NAME = "git-internals";

/** File names that git itself reads from a work tree, at any depth; why each is out of bounds. (`.git` is containment's.) */
const NAMES: ReadonlyMap<string, string> = new Map([
  [".gitmodules", "git fetches and checks out what it names (CVE-2018-17456, CVE-2024-32002)"],
  [".gitattributes", "it can run filters and drivers, and hide files from the diff that people review"],
  [".mailmap", "it rewrites who is shown as the author of commits"],
  [".gitconfig", "it can be included as configuration, which names programs to run"],
  [".lfsconfig", "git-lfs sends credentials to the server it names"],
  [".git-blame-ignore-revs", "it hides commits from blame"],
  [".gitreview", "it names the server that changes are sent to"],
  ["head", "a folder with a HEAD is taken for a repository, whose configuration runs programs (CVE-2022-24765)"],
]);
/** Folders whose files git runs as hooks once a developer has pointed `core.hooksPath` there. */
const HOOK_FOLDERS: ReadonlySet<string> = new Set([".githooks", ".git-hooks", ".hooks"]);

/** What git takes orders from, inside the tree. No policy loosens it: these files act on the machine that checks them out. */
export function gitInternalsRule(): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    check: (judged) => filesOf(judged).flatMap(({ path }) => judge(path)),
  };
}

function judge(path: string): readonly Finding[] {
  const segments = path.split("/");
  const last = segments.at(-1) ?? "";
  const name = fold(last);
  // Only the capital spelling is a repository's HEAD; `head` in lower case is an ordinary name.
  const reason = name === "head" && last !== "HEAD" ? undefined : NAMES.get(name);
  const why =
    reason ??
    (segments.slice(0, -1).some((segment) => HOOK_FOLDERS.has(fold(segment))) ? "git runs the files of a hooks folder" : undefined);
  if (why === undefined) return [];
  return [{ rule: NAME, severity: "block", where: { path }, why, fix: "Leave this file as it is; a person changes it." }];
}
