import { lineOf } from "../lines.ts";
import { findAssignments } from "./assignments.ts";
import { readEscapes } from "./escapes.ts";
import type { SecretMatch } from "./match.ts";
import type { ScanInput } from "./scan-input.ts";
import type { ScanText } from "./secretlint.ts";
import { findShapes } from "./shapes.ts";
import { unpack, unpackBudget } from "./unpack.ts";
import type { UnpackBudget, UnpackResult } from "./unpack.ts";

/** Something that has the shape of a secret; what it is, is not said. */
export interface ShapeMatch {
  /** What it looks like, for people: `GitHub token`. */
  readonly kind: string;
  readonly severity: "block" | "warn";
}
/** What was found of secrets by shape, by place. No value is in it. */
export interface ShapeReport {
  readonly texts: readonly ({ readonly field: string; readonly matches: readonly ShapeMatch[] } & Pick<UnpackResult, "unread">)[];
  /** In names of files, which are not repeated. */
  readonly names: readonly ShapeMatch[];
  readonly files: readonly ({
    readonly path: string;
    /** What is new comes first. */
    readonly matches: readonly (ShapeMatch & { readonly line: number; /** It stood there before. */ readonly isOld: boolean })[];
  } & Pick<UnpackResult, "unread">)[];
}

interface Scanned extends Pick<UnpackResult, "unread"> {
  readonly matches: readonly SecretMatch[];
}
type Scan = (path: string, bytes: Uint8Array) => Promise<Scanned>;

/** Looks through everything, plain and packed, with secretlint and the shapes and assignments that it does not know. */
export async function lookForShapes({ texts, files }: ScanInput, secretlint: ScanText): Promise<ShapeReport> {
  const plain: ScanText = async (path, text) =>
    distinct([...findShapes(text), ...(await secretlint(path, text)), ...findAssignments(path, text)]);
  const [now, before] = [unpackBudget(), unpackBudget()];
  const scan: Scan = (path, bytes) => scanBytes(path, bytes, plain, now);
  const report = { texts: [] as ShapeReport["texts"][number][], names: [] as ShapeMatch[], files: [] as ShapeReport["files"][number][] };
  for (const { field, text } of texts) {
    const { matches, unread } = await scan(field, Buffer.from(text));
    if (matches.length > 0 || unread !== undefined)
      report.texts.push({ field, matches: matches.map(shown), ...(unread !== undefined && { unread }) });
  }
  for (const { path } of files) report.names.push(...(await plain("name", path)).map(shown));
  let known: Promise<ReadonlySet<string>> | undefined;
  for (const { path, after, isSame } of files) {
    if (after === undefined || isSame) continue;
    const { matches, unread } = await scan(path, after);
    if (matches.length === 0 && unread === undefined) continue;
    if (matches.length > 0) known ??= valuesBefore(files, (name, bytes) => scanBytes(name, bytes, plain, before));
    const old = (await known) ?? new Set();
    const text = latin1(after);
    const listed = matches
      .map((match) => ({ ...shown(match), line: lineOf(text, match.index), isOld: old.has(match.value) }))
      .toSorted((a, b) => Number(a.isOld) - Number(b.isOld));
    report.files.push({ path, matches: listed, ...(unread !== undefined && { unread }) });
  }
  return report;
}

function shown({ kind, severity = "block" }: SecretMatch): ShapeMatch {
  return { kind, severity };
}

/** The values in everything that the change replaces, moved files included. */
async function valuesBefore(files: ScanInput["files"], scan: Scan): Promise<ReadonlySet<string>> {
  const values = new Set<string>();
  for (const { path, before } of files) {
    if (before === undefined) continue;
    for (const { value } of (await scan(path, before)).matches) values.add(value);
  }
  return values;
}

/** Everything that bytes hold: byte by byte, with escapes read, and what is packed or encoded in them. */
async function scanBytes(path: string, bytes: Uint8Array, plain: ScanText, budget: UnpackBudget): Promise<Scanned> {
  const matches: SecretMatch[] = [];
  for (const text of forms(latin1(bytes))) matches.push(...(await plain(path, text)));
  const { found, unread } = await unpack(bytes, budget);
  for (const { bytes: inner, index, isTelling } of found) {
    const text = latin1(inner);
    for (const form of isTelling ? forms(text) : [text]) for (const match of findShapes(form)) matches.push({ ...match, index });
  }
  return { matches: distinct(matches), ...(unread !== undefined && { unread }) };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** A text as it stands, without its zero bytes (so UTF-16 of either order reads as the ASCII that it holds), and with its escapes read. */
function forms(text: string): readonly string[] {
  const read = readEscapes(text);
  return [text, ...(text.includes("\0") ? [text.replaceAll("\0", "")] : []), ...(read === text ? [] : [read])];
}

/** One match for each value: two checks often see the same token. */
function distinct(matches: readonly SecretMatch[]): readonly SecretMatch[] {
  return [...new Map(matches.toReversed().map((match) => [match.value, match])).values()].reverse();
}
