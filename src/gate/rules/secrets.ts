import type { Finding } from "../../core/result.ts";
import { filesOf, textsOf } from "../contents.ts";
import type { JudgedFile } from "../contents.ts";
import { lineOf } from "../lines.ts";
import type { GateRule } from "../rule.ts";
import type { SecretMatch } from "../secrets/match.ts";
import { loadSecretlint } from "../secrets/secretlint.ts";
import type { ScanText } from "../secrets/secretlint.ts";
import { findShapes } from "../secrets/shapes.ts";

const NAME = "secrets";
const FIX = "Take it out and read it from the environment instead; if it is real, revoke it.";
/** Findings that are listed for one file or text; more would only bury them. */
const MOST_LISTED = 10;

/**
 * No credential is published, in a file or in a text. It goes by shape, so it needs no list of secrets; plain stand-ins are let through.
 * What is at the base already is reported and not blocked. No path and no comment exempts anything.
 */
export function secretsRule(): GateRule {
  // Loaded at the first question, not at the start of the process.
  let loading: Promise<ScanText> | undefined;
  const scan = async (path: string, text: string): Promise<readonly SecretMatch[]> => {
    loading ??= loadSecretlint();
    const secretlint = await loading;
    return distinct([...findShapes(text), ...(await secretlint(path, text))]);
  };
  return {
    name: NAME,
    applies: ["workspace-write", "open-pull-request", "commit", "comment", "edit-own-comment"],
    async check(judged) {
      const findings: Finding[] = [];
      for (const { field, text } of textsOf(judged)) {
        for (const { kind } of (await scan(field, text)).slice(0, MOST_LISTED))
          findings.push(finding("block", `the ${field} holds what looks like a ${kind}`));
      }
      const files = filesOf(judged);
      for (const { path } of files) {
        for (const { kind } of await scan("name", path)) findings.push(finding("block", `a file name holds what looks like a ${kind}`));
      }
      let known: Promise<ReadonlySet<string>> | undefined;
      const knownBefore = (): Promise<ReadonlySet<string>> => (known ??= valuesBefore(files, scan));
      for (const file of files) findings.push(...(await judgeFile(file, knownBefore, scan)));
      return findings;
    },
  };
}

async function judgeFile(
  { path, after, before }: JudgedFile,
  knownBefore: () => Promise<ReadonlySet<string>>,
  scan: ScanText,
): Promise<readonly Finding[]> {
  if (after?.bytes === undefined || (after.ref !== undefined && after.ref.sha === before?.ref?.sha)) return [];
  const found = new Map<string, { readonly match: SecretMatch; readonly text: string }>();
  for (const text of textForms(after.bytes)) {
    for (const match of await scan(path, text)) if (!found.has(match.value)) found.set(match.value, { match, text });
  }
  if (found.size === 0) return [];
  const known = await knownBefore();
  const isOld = ({ match }: { readonly match: SecretMatch }): boolean => known.has(match.value);
  return [...found.values()]
    .toSorted((a, b) => Number(isOld(a)) - Number(isOld(b)))
    .slice(0, MOST_LISTED)
    .map((one) => {
      const where = { path, line: lineOf(one.text, one.match.index) };
      if (isOld(one)) return { ...finding("info", `the file holds what looks like a ${one.match.kind}, as it did before`), where };
      return { ...finding("block", `the file would hold what looks like a ${one.match.kind}`), where };
    });
}

/** The values in everything that the change replaces, moved files included. */
async function valuesBefore(files: readonly JudgedFile[], scan: ScanText): Promise<ReadonlySet<string>> {
  const values = new Set<string>();
  for (const { path, before } of files) {
    for (const text of before?.bytes === undefined ? [] : textForms(before.bytes)) {
      for (const { value } of await scan(path, text)) values.add(value);
    }
  }
  return values;
}

/** A file byte by byte, and without its zero bytes: so UTF-16 of either order reads as the ASCII that it holds. */
function textForms(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.includes("\0") ? [text, text.replaceAll("\0", "")] : [text];
}

/** One match for each value: two checks often see the same token. */
function distinct(matches: readonly SecretMatch[]): readonly SecretMatch[] {
  return [...new Map(matches.toReversed().map((match) => [match.value, match])).values()].reverse();
}

function finding(severity: Finding["severity"], why: string): Finding {
  return { rule: NAME, severity, why, fix: FIX };
}
