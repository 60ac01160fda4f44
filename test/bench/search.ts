import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { grep } from "../../src/tools/repo/grep.ts";
import type { WriteContext } from "../../src/tools/tool.ts";
import { ripgrepSearch } from "../../src/workspace/search/ripgrep.ts";
import { scanSearch } from "../../src/workspace/search/scan.ts";
import { measureGroups, rowOf } from "./bench.ts";
import type { BenchGroup, Groups, Target } from "./bench.ts";

const FILES = 3500;
const LINES = 120;
const RARE = "theOneThatIsLookedFor";

/** The tool `grep` over a repository of 3500 files, beside ripgrep itself with the same question. */
export function searchGroups(): readonly BenchGroup[] {
  const directory = mkdtempSync(join(tmpdir(), "bench-search-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const paths = Array.from({ length: FILES }, (_, n) => `src/part${n % 70}/file${n}.ts`);
  let bytes = 0;
  for (const [n, path] of paths.entries()) {
    const lines = Array.from({ length: LINES }, (_, line) => `export const value${line} = compute(${n}, ${line}) // in file ${n}`);
    if (n % 500 === 0) lines[60] = `export function ${RARE}() {}`;
    const text = `${lines.join("\n")}\n`;
    bytes += text.length;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const calling = { workspace: { directory, basePaths: () => paths }, signal: new AbortController().signal } as unknown as WriteContext;
  const ask = (search: Parameters<typeof grep>[0], pattern: string) => async (): Promise<void> => {
    const { status, text } = await grep(search).call({ pattern }, calling);
    if (status !== "ok" || text === "No matches.") throw new Error(`grep found nothing: ${text}`);
  };
  return [
    { name: "few matches", pattern: `function ${RARE}` },
    { name: "a match on every line", pattern: "compute\\(" },
  ].map(({ name, pattern }) => ({
    name: `${name} in ${FILES} files`,
    cases: [
      {
        name: "reference: ripgrep",
        bytes,
        run: () => execFileSync(rgPath, ["--no-config", "--json", "--regexp", pattern, "."], { cwd: directory, maxBuffer: 1 << 30 }),
      },
      { name: "grep with ripgrep", bytes, run: ask(ripgrepSearch({ binary: rgPath }), pattern) },
      { name: "grep without ripgrep", bytes, run: ask(scanSearch(), pattern) },
    ],
  }));
}

export const bench = () => measureGroups(searchGroups());
export const targets: readonly Target<Groups>[] = ["few matches", "a match on every line"].map((group) => ({
  name: `grep in ${FILES} files, ${group}, beside ripgrep`,
  unit: "×",
  atMost: 1.5,
  figure: (groups) => rowOf(groups, group, "grep with ripgrep")?.ratio,
}));
