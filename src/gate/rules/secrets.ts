import type { Finding } from "../../core/result.ts";
import { filesOf, textsAndSources } from "../contents.ts";
import type { JudgedFile } from "../contents.ts";
import { lineOf } from "../lines.ts";
import type { GateRule } from "../rule.ts";
import { findAssignments } from "../secrets/assignments.ts";
import { readEscapes } from "../secrets/escapes.ts";
import type { SecretMatch } from "../secrets/match.ts";
import { loadSecretlint } from "../secrets/secretlint.ts";
import type { ScanText } from "../secrets/secretlint.ts";
import { findShapes } from "../secrets/shapes.ts";
import { unpack, unpackBudget } from "../secrets/unpack.ts";
import type { UnpackBudget, UnpackResult } from "../secrets/unpack.ts";

const NAME = "secrets";
const FIX = "Take it out and read it from the environment instead; if it is real, revoke it.";
/** Findings that are listed for one file or text; more would only bury them. */
const MOST_LISTED = 10;

/**
 * No credential is published, in a file or in a text, plain or packed. It goes by shape, so it needs no list of secrets; plain stand-ins are
 * let through. What is at the base already is reported and not blocked. No path and no comment exempts a shape.
 */
export function secretsRule({ load = loadSecretlint }: { readonly load?: () => Promise<ScanText> } = {}): GateRule {
  // Loaded at the first question, not at the start of the process. A failure holds what is judged and is not remembered.
  let loading: Promise<ScanText> | undefined;
  const plain: ScanText = async (path, text) => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    const secretlint = await loading;
    return distinct([...findShapes(text), ...(await secretlint(path, text)), ...findAssignments(path, text)]);
  };
  return {
    name: NAME,
    applies: ["workspace-write", "open-pull-request", "commit", "comment", "edit-own-comment", "check-run"],
    async check(judged) {
      const findings: Finding[] = [];
      const [now, before] = [unpackBudget(), unpackBudget()];
      const scan: Scan = (path, bytes) => scanBytes(path, bytes, plain, now);
      const scanBefore: Scan = (path, bytes) => scanBytes(path, bytes, plain, before);
      for (const { field, text } of textsAndSources(judged)) {
        const { matches } = await scan(field, Buffer.from(text));
        for (const { kind, severity = "block" } of matches.slice(0, MOST_LISTED))
          findings.push(finding(severity, `the ${field} holds what looks like a ${kind}`));
      }
      const files = filesOf(judged);
      for (const { path } of files) {
        for (const { kind } of await plain("name", path)) findings.push(finding("block", `a file name holds what looks like a ${kind}`));
      }
      let known: Promise<ReadonlySet<string>> | undefined;
      const knownBefore = (): Promise<ReadonlySet<string>> => (known ??= valuesBefore(files, scanBefore));
      for (const file of files) findings.push(...(await judgeFile(file, knownBefore, scan)));
      return findings;
    },
  };
}

interface Scanned extends Pick<UnpackResult, "unread"> {
  readonly matches: readonly SecretMatch[];
}
type Scan = (path: string, bytes: Uint8Array) => Promise<Scanned>;

async function judgeFile(
  { path, after, before }: JudgedFile,
  knownBefore: () => Promise<ReadonlySet<string>>,
  scan: Scan,
): Promise<readonly Finding[]> {
  if (after?.bytes === undefined || (after.ref !== undefined && after.ref.sha === before?.ref?.sha)) return [];
  const { matches, unread } = await scan(path, after.bytes);
  const unseen = unread === undefined ? [] : [{ ...UNREAD[unread], where: { path } }];
  if (matches.length === 0) return unseen;
  const known = await knownBefore();
  const text = latin1(after.bytes);
  const listed = matches
    .toSorted((a, b) => Number(known.has(a.value)) - Number(known.has(b.value)))
    .slice(0, MOST_LISTED)
    .map(({ kind, value, index, severity = "block" }) => {
      const where = { path, line: lineOf(text, index) };
      if (known.has(value)) return { ...finding("info", `the file holds what looks like a ${kind}, as it did before`), where };
      return { ...finding(severity, `the file would hold what looks like a ${kind}`), where };
    });
  return [...listed, ...unseen];
}

const UNREAD: Readonly<Record<NonNullable<UnpackResult["unread"]>, Finding>> = {
  "too large": {
    rule: NAME,
    severity: "ask",
    why: "what is packed in the file is too large to be looked through",
    fix: "Leave the archive out, or let a person look into it.",
  },
  "unknown packing": {
    rule: NAME,
    severity: "warn",
    why: "the file is packed in a way that cannot be looked into",
    fix: "Check what it holds.",
  },
};

/** The values in everything that the change replaces, moved files included. */
async function valuesBefore(files: readonly JudgedFile[], scan: Scan): Promise<ReadonlySet<string>> {
  const values = new Set<string>();
  for (const { path, before } of files) {
    if (before?.bytes === undefined) continue;
    for (const { value } of (await scan(path, before.bytes)).matches) values.add(value);
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

function finding(severity: Finding["severity"], why: string): Finding {
  return { rule: NAME, severity, why, fix: FIX };
}
