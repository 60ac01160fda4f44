import type { Facts, Requirement, Setting } from "./facts.ts";
import { readPep508 } from "./python-spec.ts";

const LISTS = /\b(install_requires|setup_requires|tests_require|extras_require|dependency_links)\b/;
/** Longest list that is read, in characters. */
const LONGEST = 20_000;

/**
 * setup.py and setup.cfg, as far as they list requirements in plain text: what a program computes is not seen here, and that they are
 * programs is another rule's. Every string behind the name of a list counts, up to the list's end.
 */
export function readSetup(text: string): Facts {
  const requirements: Requirement[] = [];
  const settings: Setting[] = [];
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const section = /^\s*#/.test(line) ? undefined : LISTS.exec(line.slice(0, 1_000))?.[1];
    if (section === undefined) continue;
    for (const entry of entriesOf(lines, index)) {
      if (section === "dependency_links" || /^[a-z+]+:\/\//i.test(entry)) {
        settings.push({ kind: "source", key: section, value: entry, why: "it decides where packages come from" });
        continue;
      }
      const requirement = readPep508(entry, section);
      if (requirement !== undefined) requirements.push(requirement);
    }
  }
  return { requirements, settings, locked: [] };
}

/** Strings of a Python list, or the indented lines of a configuration value. */
function entriesOf(lines: readonly string[], start: number): readonly string[] {
  const first = lines[start] ?? "";
  const value = first.slice(first.search(LISTS)).replace(/^\w+["']?\s*[=:]\s*/, "");
  if (/^[[({]/.test(value)) {
    const rest = [value, ...lines.slice(start + 1, start + 200)].join("\n").slice(0, LONGEST);
    const end = rest.search(/[\])}]\s*(?:,|\)|$)/m);
    return [...rest.slice(0, end < 0 ? rest.length : end).matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(
      ([, double, single]) => double ?? single ?? "",
    );
  }
  const more: string[] = [];
  for (let index = start + 1; /^\s+\S/.test(lines[index] ?? ""); index++) more.push((lines[index] ?? "").trim());
  return [value.trim(), ...more].filter((entry) => entry !== "" && !entry.startsWith("#"));
}
