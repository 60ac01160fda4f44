import { DiffError, quoted } from "./diff-error.ts";
import type { FilePatch, NameStyle } from "./file-patch.ts";

/** A patch's paths, raw. `from` is absent for a new file, `to` for a deleted one. */
export interface PatchPaths {
  readonly from?: string;
  readonly to?: string;
}

/** What stands at the base, as far as names are concerned. */
export interface BaseNames {
  has(path: string): boolean;
  hasFolder(path: string): boolean;
}

/** Reads all names of a diff in one style, and looks whether the base fits. @throws {DiffError} saying why the style cannot be meant. */
export function resolveNames(patches: readonly FilePatch[], style: NameStyle, base: BaseNames): readonly PatchPaths[] {
  const all = patches.map((patch) => ({ patch, paths: pathsOf(patch, style, base) }));
  const gone = new Set(all.flatMap(({ patch, paths: { from } }) => (from !== undefined && isGone(patch) ? [from] : [])));
  for (const {
    patch: { line },
    paths: { from, to },
  } of all) {
    const at = { line, hint: "Give the commit that it was made against with --base." };
    if (from !== undefined && !base.has(from)) throw new DiffError(`changes ${quoted(from)}, which is not in the base`, at);
    if (to !== undefined && to !== from && base.has(to) && !gone.has(to)) {
      throw new DiffError(`adds ${quoted(to)}, which is in the base already`, at);
    }
  }
  return all.map(({ paths }) => paths);
}

/** Whether a patch takes its old name away. */
export function isGone({ action }: FilePatch): boolean {
  return action === "delete" || action === "rename";
}

function pathsOf(patch: FilePatch, style: NameStyle, base: BaseNames): PatchPaths {
  const { action, minus, plus, source, target, line } = patch;
  if ((action === "create" && minus?.isNothing === false) || (action === "delete" && plus?.isNothing === false)) {
    throw new DiffError("says that a file is new or deleted, and then that it is not", { line });
  }
  if (source !== undefined && target !== undefined) {
    agree(patch, style, { from: source, to: target });
    return { from: source, to: target };
  }
  const name = oneName(patch, style, base);
  agree(patch, style, { from: name, to: name });
  // A diff without git's own header says that a file is new by having nothing to take away and nothing to stand on.
  const isNew = action === "create" || (patch.header === undefined && isFromNothing(patch) && !base.has(name));
  if (isNew) return { to: name };
  return action === "delete" ? { from: name } : { from: name, to: name };
}

function isFromNothing({ hunks }: FilePatch): boolean {
  const [first, second] = hunks;
  return second === undefined && first?.oldStart === 0 && first.oldCount === 0;
}

/** The one path of a patch that renames nothing. */
function oneName({ header, minus, plus, line }: FilePatch, style: NameStyle, base: BaseNames): string {
  if (header !== undefined) {
    const names = new Set(header.flatMap(([from, to]) => (bare(from, style) === bare(to, style) ? [bare(from, style)] : [])));
    const written = [minus, plus].flatMap((side) => (side?.name === undefined ? [] : [bare(side.name, style)]));
    const [name] = [...names].filter((one) => one !== undefined && written.every((other) => other === one));
    if (name !== undefined) return name;
    throw new DiffError("has a header whose names do not agree", { line });
  }
  const [written] = [plus, minus].flatMap((side) => (side?.name === undefined ? [] : [side.name]));
  const isLone = (minus?.name === undefined) !== (plus?.name === undefined);
  // One name alone: `b/x` is git's spelling of x, where there is no folder b that it could be in.
  const [prefix = ""] = written?.split("/") ?? [];
  const name = written === undefined || (isLone && style === "whole" && isUsual(prefix, base)) ? undefined : bare(written, style);
  if (name === undefined) throw new DiffError(`has a name that cannot be told from its prefix: ${quoted(written ?? "")}`, { line });
  return name;
}

function isUsual(prefix: string, base: BaseNames): boolean {
  return /^[abciow12]$/.test(prefix) && !base.hasFolder(prefix);
}

/** What the lines `---` and `+++` say must be what is said above them. */
function agree({ minus, plus, line }: FilePatch, style: NameStyle, { from, to }: { readonly from: string; readonly to: string }): void {
  for (const [side, path] of [
    [minus, from],
    [plus, to],
  ] as const) {
    if (side?.name !== undefined && bare(side.name, style) !== path) {
      throw new DiffError(`names two files at once: ${quoted(path)} and ${quoted(side.name)}`, { line });
    }
  }
}

/** A name without its prefix, which is its first folder. Undefined for one that has none. */
function bare(name: string, style: NameStyle): string | undefined {
  if (style === "whole") return name;
  const end = name.indexOf("/");
  return end <= 0 || end === name.length - 1 ? undefined : name.slice(end + 1);
}
