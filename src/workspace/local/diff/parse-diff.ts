import type { FileMode } from "../../../core/change-set.ts";
import { DiffError, quoted } from "./diff-error.ts";
import { type DiffLines, diffLines, unexpected } from "./diff-lines.ts";
import type { FilePatch, WrittenSide } from "./file-patch.ts";
import { parseBinary } from "./parse-binary.ts";
import { parseHunks } from "./parse-hunks.ts";
import { unquoteName } from "./quoted-name.ts";

/**
 * Reads a diff of any tool, strictly: every line has a meaning that is known here, or the whole diff is refused. What another program
 * would take from a line that this one passes over would not have been judged. Source of the format: git-diff(1), "GENERATING PATCH TEXT".
 * @param text raw, one character a byte
 * @throws {DiffError} for a line that is no part of a diff, a hunk that is cut short, contents that are left out, or a diff without a file.
 */
export function parseDiff(text: string): readonly FilePatch[] {
  const lines = diffLines(text);
  const patches: FilePatch[] = [];
  for (let line = lines.header(); line !== undefined; line = lines.header()) {
    if (line.startsWith("diff --git ")) patches.push(parseGit(lines));
    else if (line.startsWith("--- ") && lines.next()?.startsWith("+++ ") === true) patches.push(parsePlain(lines));
    else if (!passOver(lines, patches.length === 0)) throw unexpected(lines);
  }
  if (patches.length === 0) throw new DiffError(text.trim() === "" ? "is empty" : "changes no file");
  return patches;
}

/** Passes over what stands between patches; false for what has no place there. */
function passOver(lines: DiffLines, isBeforeAll: boolean): boolean {
  const line = lines.header() ?? "";
  refuseLeftOut(lines);
  if (line === "" || /^Index: |^={67}$|^diff (?!--)/.test(line)) {
    lines.step();
    return true;
  }
  // `git diff --stat --patch`.
  if (isBeforeAll && /^ .* \| +(?:\d|Bin\b)|^ \d+ files? changed\b/.test(line)) {
    lines.step();
    return true;
  }
  // The end of a mail of `git format-patch`.
  if (line === "-- ") {
    lines.step();
    if (/^\d[\w.() -]*$/.test(lines.header() ?? "")) lines.step();
    return true;
  }
  return isBeforeAll && passOverMessage(lines);
}

/** The message of a mail or of `git show`: words, in which nothing may look like a part of a diff. */
function passOverMessage(lines: DiffLines): boolean {
  if (!/^(?:From|commit) [0-9a-f]{40}\b/.test(lines.header() ?? "")) return false;
  for (let line = lines.header(); line !== undefined && !line.startsWith("diff --git "); line = lines.header()) {
    refuseLeftOut(lines);
    if (/^(?:@@|\+\+\+ |--- \S|\*\*\* |Index: |diff )/.test(line)) throw unexpected(lines);
    lines.step();
  }
  return true;
}

/** What says that something has changed and does not say how. */
function refuseLeftOut(lines: DiffLines): void {
  const line = lines.header() ?? "";
  const at = { line: lines.number };
  if (/^diff --(?:cc|combined) /.test(line)) throw new DiffError("is that of a merge, which shows only a part of the change", at);
  if (/^(?:Binary files|Files) .* differ$|^Cannot display: file marked as a binary type/.test(line)) {
    throw new DiffError("leaves the content of a binary file out", at);
  }
  if (line.startsWith("Only in ")) throw new DiffError(`leaves a file out: ${quoted(line)}`, { ...at, hint: "Make it with diff -N." });
  if (line.startsWith("Property changes on: ")) throw new DiffError("changes properties, which git knows nothing of", at);
}

/** A patch whose headers are still being read. */
type Draft = { -readonly [key in keyof Omit<FilePatch, "hunks">]: FilePatch[key] };

/** Extended headers, and what each of them says. */
const EXTENDED: readonly (readonly [pattern: RegExp, take: (draft: Draft, value: string, line: number) => void])[] = [
  [/^old mode (\d{6})$/, () => undefined],
  [/^new mode (\d{6})$/, (draft, value, line) => void (draft.newMode = modeOf(value, line))],
  [/^new file mode (\d{6})$/, (draft, value, line) => Object.assign(draft, { action: "create", newMode: modeOf(value, line) })],
  [/^deleted file mode (\d{6})$/, (draft) => void (draft.action = "delete")],
  [/^rename (?:from|old) (.+)$/, (draft, value, line) => Object.assign(draft, { action: "rename", source: nameOf(value, line) })],
  [/^rename (?:to|new) (.+)$/, (draft, value, line) => void (draft.target = nameOf(value, line))],
  [/^copy from (.+)$/, (draft, value, line) => Object.assign(draft, { action: "copy", source: nameOf(value, line) })],
  [/^copy to (.+)$/, (draft, value, line) => void (draft.target = nameOf(value, line))],
  [/^(?:dis)?similarity index \d{1,3}%$/, () => undefined],
  [
    /^index ([0-9a-f]{4,64}\.\.[0-9a-f]{4,64})(?: \d{6})?$/,
    (draft, value) => {
      const [before = "", after = ""] = value.split("..");
      draft.index = { before, after };
    },
  ],
];

function parseGit(lines: DiffLines): FilePatch {
  const line = lines.number;
  const draft: Draft = { line, header: headerPairs((lines.header() ?? "").slice("diff --git ".length)), action: "change" };
  lines.step();
  const seen = new Set<RegExp>();
  for (let text = lines.header(); text !== undefined; text = lines.header()) {
    const [pattern, take] = EXTENDED.find(([known]) => known.test(text)) ?? [];
    if (pattern === undefined || take === undefined) break;
    if (seen.has(pattern)) throw new DiffError("says one thing about a file twice", { line: lines.number });
    seen.add(pattern);
    take(draft, pattern.exec(text)?.[1] ?? "", lines.number);
    lines.step();
  }
  if ((draft.source === undefined) !== (draft.target === undefined)) throw new DiffError("names only one side of a rename", { line });
  refuseLeftOut(lines);
  if (lines.header() === "GIT binary patch") {
    lines.step();
    return { ...draft, hunks: [], binary: parseBinary(lines) };
  }
  return lines.header()?.startsWith("--- ") === true ? { ...draft, ...parseBody(lines) } : { ...draft, hunks: [] };
}

function parsePlain(lines: DiffLines): FilePatch {
  const line = lines.number;
  const body = parseBody(lines);
  const action = body.minus?.isNothing === true ? "create" : body.plus?.isNothing === true ? "delete" : "change";
  return { line, action, ...body };
}

/** The lines `---` and `+++` and the hunks below them, of which there is at least one. */
function parseBody(lines: DiffLines): Pick<FilePatch, "minus" | "plus" | "hunks"> {
  const line = lines.number;
  const minus = sideOf(lines, "--- ");
  const plus = sideOf(lines, "+++ ");
  const hunks = parseHunks(lines);
  if (hunks.length === 0) throw new DiffError("names a file and shows no change to it", { line });
  if (minus.isNothing && plus.isNothing) throw new DiffError("names no file on either side", { line });
  return { minus, plus, hunks };
}

function sideOf(lines: DiffLines, mark: string): WrittenSide {
  const text = lines.header() ?? "";
  if (!text.startsWith(mark)) throw unexpected(lines);
  const rest = text.slice(mark.length);
  // Behind a tab stands a time, or nothing where git marks the end of a name with blanks.
  const end = rest.startsWith('"') ? rest.lastIndexOf('"') + 1 : rest.indexOf("\t");
  const name = end <= 0 ? rest : rest.slice(0, end);
  const note = end <= 0 ? "" : rest.slice(end).trim();
  const side = name === "/dev/null" ? { isNothing: true } : { name: nameOf(name, lines.number), isNothing: saysNothing(note) };
  lines.step();
  return side;
}

/** How GNU diff -N and Subversion say that there is no file on a side: by the epoch as its time, and in words. */
function saysNothing(note: string): boolean {
  const [, day, time, hours, minutes] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.0+)? ([+-]\d\d)(\d\d)$/.exec(note) ?? [];
  return note === "(nonexistent)" || (day !== undefined && Date.parse(`${day}T${time}${hours}:${minutes}`) === 0);
}

function nameOf(text: string, line: number): string {
  const name = unquoteName(text);
  if (name === undefined || name === "") throw new DiffError(`has a file name that cannot be read: ${quoted(text)}`, { line });
  return name;
}

/** Every way to read `a/x b/x` as two names: which one is meant shows when the prefixes are known. */
function headerPairs(text: string): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) {
    const from = unquoteName(text.slice(0, at));
    const to = unquoteName(text.slice(at + 1));
    if (from !== undefined && from !== "" && to !== undefined && to !== "") pairs.push([from, to]);
  }
  return pairs;
}

function modeOf(text: string, line: number): FileMode {
  if (text === "100644" || text === "100755" || text === "120000" || text === "160000") return text;
  throw new DiffError(`sets the mode ${text}, which git does not keep`, { line });
}
