import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { buildGraph } from "../src/graph/build-graph.ts";
import type { SourceFile } from "../src/graph/graph.ts";
import { rates, scoreCalls } from "./score-calls.ts";
import type { Site } from "./score-calls.ts";

/**
 * How well the graph resolves calls: `node scripts/measure-graph.ts FOLDER TRUTH.json`. The truth is a list of places where a
 * name is used, each with the places that declare it (none for what lies outside): from an indexer that knows the language,
 * or checked by hand. Counted are call sites, by what kind of declaration they lead to; calls of a function that a parameter or a
 * variable holds stand apart, since the truth names the holder there. A place that leads into the repository and that the graph sees no
 * call at is missed. What only a name speaks for is counted apart. SALLYPORT_MEASURE_SHOW=20 lists as many of the failures of each kind.
 */
const [folder, truthFile] = process.argv.slice(2);
if (folder === undefined || truthFile === undefined) {
  process.stderr.write("usage: node scripts/measure-graph.ts FOLDER TRUTH.json\n");
  process.exit(2);
}
const started = process.cpuUsage();
const { graph } = await buildGraph({ files: filesIn(folder, folder) });
const spent = process.cpuUsage(started);
const scores = scoreCalls(graph, JSON.parse(readFileSync(truthFile, "utf8")) as Site[]);
process.stdout.write(
  `${graph.files.length} files, ${graph.symbols.length} symbols, ${((spent.user + spent.system) / 1e6).toFixed(2)} s of processor time\n`,
);
const shown = Number(process.env["SALLYPORT_MEASURE_SHOW"] ?? 0);
for (const [kind, score] of scores) {
  const { precision, recall, f1 } = rates(score);
  const { right, wrong, missed, byName } = score;
  process.stdout.write(
    `${kind}: precision ${precision.toFixed(3)} recall ${recall.toFixed(3)} F1 ${f1.toFixed(3)} (${right} right, ${wrong} wrong, ${missed} missed), ` +
      `with ${byName.right + byName.wrong} by name alone (${byName.right} right) F1 ${rates(score, true).f1.toFixed(3)}\n`,
  );
  for (const failure of score.failures.slice(0, shown)) process.stdout.write(`  ${failure}\n`);
}

function filesIn(top: string, at: string): SourceFile[] {
  return readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
    const path = join(at, entry.name);
    if (entry.isDirectory()) return entry.name === ".git" || entry.name === "node_modules" ? [] : filesIn(top, path);
    return entry.isFile() ? [{ path: relative(top, path), blob: path, size: statSync(path).size, bytes: () => readFileSync(path) }] : [];
  });
}
