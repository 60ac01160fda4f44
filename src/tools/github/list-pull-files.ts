import { z } from "zod";
import type { ChangedFile, PullFiles } from "../../core/pull-details.ts";
import { failed, ok } from "../../core/result.ts";
import { keepLines, SHOWN_BYTES } from "../bounds.ts";
import { defineTool } from "../define-tool.ts";
import { searchRoot } from "../repo/find-target.ts";
import { showPath } from "../show-path.ts";
import { pathText } from "../tool-arguments.ts";
import { envelope } from "./envelope.ts";

const PAGE_SIZE = 100;
/** GitHub lists no more. */
const MOST_LISTED = 3000;
/** Room for a note at the end. */
const NOTE_BYTES = 400;

export const listPullFiles = defineTool({
  name: "gh_list_pr_files",
  description:
    "Lists the files that a pull request changes, with the differences as far as they fit: all files of a page first, then their patches. Name a path to see the patches of one file or folder.",
  effect: "read",
  parameters: z.object({
    number: z.int().min(1).describe("The number of the pull request."),
    path: pathText("Only this file, or the files of this folder, relative to the repository root, of all pages.").optional(),
    page: z
      .int()
      .min(1)
      .max(MOST_LISTED / PAGE_SIZE)
      .optional()
      .describe(`Which ${PAGE_SIZE} files. Default: 1.`),
  }),
  async handler({ number, path, page = 1 }, { github }) {
    const root = searchRoot(path);
    if (!root.ok) return root.result;
    const wanted = root.path === "" ? {} : { path: root.path };
    const found = await github.pullFiles({ number, page, ...wanted });
    if (found === undefined) return failed(`There is no pull request #${number} in this repository.`);
    if (found.files.length === 0 && found.changedFiles > 0) return failed(nothingThere(found, page, root.path));
    return ok(showFiles(number, found, { page, path: root.path }));
  },
});

function nothingThere({ changedFiles, pages }: PullFiles, page: number, path: string): string {
  if (path !== "") return `The pull request changes nothing at ${showPath(path)}; without a path its files are listed.`;
  return `There is no page ${page}: the pull request changes ${changedFiles} files, ${pages} pages.`;
}

function showFiles(number: number, found: PullFiles, { page, path }: { readonly page: number; readonly path: string }): string {
  const { files, changedFiles, pages } = found;
  const part = path !== "" ? `, ${files.length} of them at ${showPath(path)}` : pages > 1 ? `; page ${page} of ${pages}` : "";
  const head = `Pull request #${number} changes ${changedFiles} files${part}.`;
  const unlisted =
    changedFiles > MOST_LISTED ? [`[GitHub lists only ${MOST_LISTED} of ${changedFiles} files; git_diff shows the others]`] : [];
  const next = path === "" && page < pages ? [`[page ${page + 1} shows the next files]`] : [];
  const list = keepLines(files.map((file) => fileLine(file)).join("\n"), SHOWN_BYTES / 2);
  const cut = list.shown < list.total ? [`[${list.total - list.shown} more files of this page are not listed: name a folder as path]`] : [];
  const frame = [head, list.text, ...cut, ...unlisted, ...next].join("\n");
  const { shown, left } = patches(files, SHOWN_BYTES - NOTE_BYTES - Buffer.byteLength(frame));
  const rest = left === 0 ? [] : [`[the patches of ${left} files are left out or cut: name one as path to see more of it]`];
  const wrapped = shown.length === 0 ? [] : [envelope({ kind: "diff", number, trust: "thread" }, shown.join("\n"))];
  return [head, list.text, ...cut, ...wrapped, ...rest, ...unlisted, ...next].filter((line) => line !== "").join("\n");
}

function fileLine({ path, previousPath, status, additions, deletions, patch }: ChangedFile): string {
  const from = previousPath === undefined ? "" : ` (was ${showPath(previousPath)})`;
  const none = patch === undefined && additions + deletions > 0 ? " (GitHub gives no patch: too large)" : "";
  return `${status} ${showPath(path)}${from} +${additions} -${deletions}${none}`;
}

/** Patches in order while they fit; a first one that is too long is cut at a line. */
function patches(files: readonly ChangedFile[], room: number): { readonly shown: readonly string[]; readonly left: number } {
  const shown: string[] = [];
  const withPatch = files.filter(({ patch }) => patch !== undefined);
  let open = room;
  for (const { path, patch = "" } of withPatch) {
    const whole = `--- ${showPath(path)}\n${patch}`;
    const size = Buffer.byteLength(whole) + 1;
    if (size > open && shown.length > 0) break;
    if (size > open) {
      const kept = keepLines(whole, Math.max(0, open));
      return { shown: [`${kept.text.trimEnd()}\n[${kept.total - kept.shown} more lines of this patch]`], left: withPatch.length };
    }
    open -= size;
    shown.push(whole);
  }
  return { shown, left: withPatch.length - shown.length };
}
