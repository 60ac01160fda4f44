import type { ReadBase, TestCommand } from "./candidate.ts";
import { readable, testCommandsOf } from "./plausible.ts";

const GUIDES = [
  "AGENTS.md",
  "CLAUDE.md",
  "CONTRIBUTING.md",
  ".github/CONTRIBUTING.md",
  "docs/CONTRIBUTING.md",
  "CONTRIBUTING.rst",
  "CONTRIBUTING",
];

/** The commands that guides show: whole lines of code blocks, and code spans that are nothing but a test command. */
export async function fromGuides(read: ReadBase): Promise<TestCommand[]> {
  const found: TestCommand[] = [];
  for (const source of GUIDES) {
    const text = readable(await read(source));
    if (text === undefined) continue;
    const commands = [...blocksOf(text), ...spansOf(text)].flatMap(testCommandsOf);
    for (const command of commands) found.push({ command, source, confidence: "medium" });
  }
  return found;
}

/** The insides of fenced blocks; a fence ends with at least as many of the same character (CommonMark 4.5). */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let open: { readonly fence: string; readonly lines: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (open === undefined) {
      if (fence !== undefined) open = { fence, lines: [] };
    } else if (fence?.startsWith(open.fence) === true && line.trim() === fence) {
      blocks.push(open.lines.join("\n"));
      open = undefined;
    } else {
      open.lines.push(line);
    }
  }
  return blocks;
}

function spansOf(text: string): string[] {
  return [...text.matchAll(/(?<!`)(`{1,2})([^`\n]{2,200})\1(?!`)/g)].map(([, , inside]) => (inside ?? "").trim());
}
