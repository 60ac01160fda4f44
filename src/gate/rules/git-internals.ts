import type { Finding } from "../../core/result.ts";
import { filesOf } from "../contents.ts";
import type { JudgedFile } from "../contents.ts";
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
    check: (judged) => filesOf(judged).flatMap(judge),
  };
}

/** Objects of a repository, by the names that git gives them. Source: gitrepository-layout(5). */
const OBJECT =
  /(?:^|\/)objects\/(?:info\/(?:packs|alternates|http-alternates|commit-graph)|pack\/(?:pack|multi-pack-index)[^/]*|[0-9a-f]{2}\/[0-9a-f]{38})$/i;
const REFERENCE = /(?:^|\/)(?:refs\/(?:heads|tags|remotes)\/.+|packed-refs|FETCH_HEAD|ORIG_HEAD|MERGE_HEAD)$/i;
const REFERENCE_TEXT = /^(?:[0-9a-f]{40}(?:[0-9a-f]{24})?\b|ref: |# pack-refs )/;
/** Settings that make a file `config` git's own, whatever else it holds: other programs have a section `core` as well. */
const SETTING =
  /(?:^|\])[ \t]*(?:repositoryformatversion|bare|worktree|fsmonitor|hookspath|sshcommand|gitproxy|askpass|editor|pager|attributesfile|textconv|command|process|smudge|clean|insteadof|helper)[ \t]*(?:=|$)/im;
const SECTION =
  /^[ \t]*\[(?:core|include|includeif|alias|credential|filter|diff|merge|url|remote|submodule|extensions|gpg)\b[^\]\n]{0,200}\]/im;

/** Why a file would make its folder a repository: git runs what the configuration of one names, also of one that stands in a work tree. */
function bareRepository({ path, after }: JudgedFile): string | undefined {
  if (after?.bytes === undefined) return undefined;
  if (OBJECT.test(path)) return "it makes the folder a repository, whose configuration runs programs";
  const bytes = Buffer.from(after.bytes.buffer, after.bytes.byteOffset, after.bytes.byteLength);
  if (REFERENCE.test(path) && REFERENCE_TEXT.test(bytes.toString("latin1", 0, 100)))
    return "it makes the folder a repository, whose configuration runs programs";
  if (!/^config(?:\.worktree)?$/.test(fold(path.split("/").at(-1) ?? ""))) return undefined;
  const text = bytes.toString("latin1");
  return SECTION.test(text) && SETTING.test(text) ? "it is a repository's configuration, which runs programs" : undefined;
}

function judge(file: JudgedFile): readonly Finding[] {
  const { path } = file;
  const segments = path.split("/");
  const last = segments.at(-1) ?? "";
  const name = fold(last);
  // Only the capital spelling is a repository's HEAD; `head` in lower case is an ordinary name.
  const reason = name === "head" && last !== "HEAD" ? undefined : NAMES.get(name);
  const why =
    reason ??
    (segments.slice(0, -1).some((segment) => HOOK_FOLDERS.has(fold(segment))) ? "git runs the files of a hooks folder" : undefined) ??
    bareRepository(file);
  if (why === undefined) return [];
  return [{ rule: NAME, severity: "block", where: { path }, why, fix: "Leave this file as it is; a person changes it." }];
}
