import type { ChangeSetDiff, FileDiff } from "./file-diff.ts";

/**
 * The change set as a patch that `git apply` takes. What cannot be in it is named in its head, which git skips.
 */
export function renderPatch({ files, more, hasBase }: ChangeSetDiff, run: string): string {
  const missing = files.flatMap(({ path, body }) => (body.kind === "none" ? [`# Not in this patch: ${quoted(path)}: ${body.why}`] : []));
  const head = [
    `# The change set of run ${run}.`,
    ...(hasBase ? [] : ["# The commit that it is against is not kept on this machine: each file is given whole, as though it were new."]),
    ...missing,
    ...(more === 0 ? [] : [`# Not in this patch: ${more} more paths.`]),
  ];
  return `${head.join("\n")}\n${files.map(patchOf).join("")}`;
}

function patchOf({ path, change, before, after, body }: FileDiff): string {
  if (body.kind === "none") return "";
  const [from, to] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const lines = [`diff --git ${from} ${to}`];
  if (change === "added") lines.push(`new file mode ${after ?? "100644"}`);
  if (change === "deleted") lines.push(`deleted file mode ${before ?? "100644"}`);
  if (change === "changed" && before !== after) lines.push(`old mode ${before ?? "100644"}`, `new mode ${after ?? "100644"}`);
  lines.push(`--- ${change === "added" ? "/dev/null" : from}`, `+++ ${change === "deleted" ? "/dev/null" : to}`);
  for (const { oldStart, oldLines, newStart, newLines, lines: text } of body.hunks)
    lines.push(
      `@@ -${oldLines === 0 ? Math.max(0, oldStart - 1) : oldStart},${oldLines} +${newLines === 0 ? Math.max(0, newStart - 1) : newStart},${newLines} @@`,
      ...text,
    );
  return `${lines.join("\n")}\n`;
}

/** A name as git writes it: in quotation marks, bytes as octal numbers, where it holds anything unusual. Source: git-config(1), core.quotePath */
function quoted(name: string): string {
  if (/^[\w./@+=,:;~^%()[\]{}!#$&'*?<>|-]+( [\w./@+=,-]+)*$/.test(name)) return name;
  const bytes = [...Buffer.from(name)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === "\\") return `\\${character}`;
    return byte >= 32 && byte < 127 ? character : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${bytes.join("")}"`;
}
