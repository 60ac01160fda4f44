import type { Finding } from "../../core/result.ts";
import { filesOf } from "../contents.ts";
import type { JudgedFile } from "../contents.ts";
import { lineOf } from "../lines.ts";
import type { GateRule } from "../rule.ts";
import { findOddities } from "../unicode/characters.ts";
import type { Oddity } from "../unicode/characters.ts";
import { textOfFile } from "../unicode/file-text.ts";
import type { FileText } from "../unicode/file-text.ts";
import { findLookalikes } from "../unicode/lookalikes.ts";

const NAME = "unicode";
/** UTF-16 units on each side of a character by which it is known again. */
const CONTEXT = 12;
/** Lookalike names that are listed for one file. */
const MOST_LISTED = 5;

/**
 * A file says what it shows: no direction controls, invisible or control characters, and no names that read as another (Trojan Source,
 * CVE-2021-42574 and CVE-2021-42694). What scripts and emoji need is let through, and what stands at the base already is only reported.
 */
export function unicodeRule(): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    check: (judged) => filesOf(judged).flatMap(judgeFile),
  };
}

function judgeFile({ path, before, after }: JudgedFile): readonly Finding[] {
  if (after?.bytes === undefined || (after.ref !== undefined && after.ref.sha === before?.ref?.sha)) return [];
  const file = textOfFile(path, after.bytes);
  if (file === undefined) return [];
  const old = before?.bytes === undefined ? undefined : textOfFile(path, before.bytes);
  return [...judgeCharacters(path, file, old), ...judgeNames(path, file, old)];
}

function judgeCharacters(path: string, file: FileText, old: FileText | undefined): readonly Finding[] {
  const oddities = findOddities(file);
  if (oddities.length === 0) return [];
  const standing = new Map<string, number>();
  for (const { index } of old === undefined ? [] : findOddities(old)) {
    const key = contextOf(old?.text ?? "", index);
    standing.set(key, (standing.get(key) ?? 0) + 1);
  }
  const groups = new Map<
    string,
    { readonly first: Oddity; readonly severity: Finding["severity"]; readonly characters: Set<string>; count: number }
  >();
  for (const oddity of oddities) {
    const key = contextOf(file.text, oddity.index);
    const left = standing.get(key) ?? 0;
    if (left > 0) standing.set(key, left - 1);
    const severity = left > 0 ? "info" : oddity.severity;
    const group = groups.get(`${severity} ${oddity.what}`) ?? { first: oddity, severity, characters: new Set(), count: 0 };
    group.characters.add(oddity.character);
    group.count++;
    groups.set(`${severity} ${oddity.what}`, group);
  }
  return [...groups.values()].map(({ first, severity, characters, count }) => ({
    rule: NAME,
    severity,
    where: { path, line: lineOf(file.text, first.index) },
    why: `the file ${severity === "info" ? "holds, as it did before," : "would hold"} ${first.what}: ${namesOf(characters)}${count > 1 ? `, ${count} times` : ""}`,
    fix: "Write the text without them; where one is meant, write it as an escape such as \\u202e.",
  }));
}

function judgeNames(path: string, file: FileText, old: FileText | undefined): readonly Finding[] {
  return findLookalikes(file, old?.text ?? "")
    .slice(0, MOST_LISTED)
    .map(({ word, index, how }) => ({
      rule: NAME,
      severity: file.kind === "code" ? "block" : "warn",
      where: { path, line: lineOf(file.text, index) },
      why:
        how === "mixed"
          ? `a name mixes ASCII letters with others that look the same: ${spell(word)}`
          : `a name is written in other letters and reads as one that the file holds too: ${spell(word)}`,
      fix: "Write the name in the letters of one alphabet.",
    }));
}

/** What stands around a character on its line, by which the same place is found at the base. */
function contextOf(text: string, index: number): string {
  const before = text.slice(Math.max(0, index - CONTEXT), index);
  const [after = ""] = text.slice(index, index + CONTEXT + 1).split("\n", 1);
  return before.slice(before.lastIndexOf("\n") + 1) + after;
}

function namesOf(characters: ReadonlySet<string>): string {
  const names = [...characters].slice(0, 4).map(codeOf);
  return characters.size > names.length ? `${names.join(", ")} …` : names.join(", ");
}

/** A word with its letters outside ASCII as code points, so that it is seen for what it is. */
function spell(word: string): string {
  return Array.from(word.slice(0, 40))
    .map((letter) => (letter > "\u007f" ? `<${codeOf(letter)}>` : letter))
    .join("");
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
