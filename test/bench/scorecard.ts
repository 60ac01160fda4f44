import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Measured, Target } from "./bench.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const FILES = ["gate-corpus", "sandbox-corpus", "escapes"].map((name) => `test/security/${name}.test.ts`);

interface Count {
  readonly held: number;
  readonly tried: number;
  /** Rows that need what this machine lacks. */
  readonly skipped: number;
}
type Scorecard = Readonly<Record<string, Count>>;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly ancestorTitles: readonly string[]; readonly status: string }[];
  }[];
}

/** Plays the hostile corpus, its lookalikes and the escapes, as the tests do, and counts. */
export async function bench(): Promise<Measured<Scorecard>> {
  const folder = mkdtempSync(join(tmpdir(), "bench-scorecard-"));
  try {
    const file = join(folder, "report.json");
    const args = ["run", ...FILES, "--typecheck=false", "--reporter=json", `--outputFile=${file}`];
    const child = spawn(join(root, "node_modules/.bin/vitest"), args, { cwd: root, stdio: "ignore" });
    await new Promise((resolve) => child.once("close", resolve));
    const result = countIn(JSON.parse(readFileSync(file, "utf8")) as Report);
    const text = Object.entries(result).map(
      ([name, { held, tried, skipped }]) => `${name}: ${held} of ${tried}, ${skipped} not tried here`,
    );
    return { result, text: text.join("\n") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countIn({ testResults }: Report): Scorecard {
  const counts: Record<string, { held: number; tried: number; skipped: number }> = {};
  for (const { name, assertionResults } of testResults) {
    for (const { ancestorTitles, status } of assertionResults) {
      const key = `${basename(name, ".test.ts")}: ${ancestorTitles.at(-1) ?? ""}`;
      const count = (counts[key] ??= { held: 0, tried: 0, skipped: 0 });
      if (status === "skipped" || status === "pending") count.skipped += 1;
      else {
        count.tried += 1;
        if (status === "passed") count.held += 1;
      }
    }
  }
  return counts;
}

/** The share of what was tried, in percent, of all groups whose names match. */
const share = (names: RegExp) => (card: Scorecard) => {
  const found = Object.entries(card).flatMap(([name, count]) => (names.test(name) ? [count] : []));
  const tried = found.reduce((sum, count) => sum + count.tried, 0);
  return tried === 0 ? undefined : (100 * found.reduce((sum, count) => sum + count.held, 0)) / tried;
};
export const targets: readonly Target<Scorecard>[] = [
  { name: "attacks of the corpus that are held", unit: "%", atLeast: 100, figure: share(/corpus: .*attack/) },
  { name: "what looks like an attack and passes", unit: "%", atLeast: 100, figure: share(/corpus: .*pass/) },
  { name: "escapes from the sandbox that are held", unit: "%", atLeast: 100, figure: share(/^escapes: .* contains$/) },
];
