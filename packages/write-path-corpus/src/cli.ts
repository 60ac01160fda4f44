#!/usr/bin/env node
import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Adapter } from "./adapter.ts";
import { corpusCases } from "./cases.ts";
import { runCorpus } from "./run-corpus.ts";
import { scorecardOf, scorecardText } from "./scorecard.ts";

/*
 * Plays the corpus on a bot. Exit status: 0 when nothing was missed, 1 when something was, 2 when it could not be played.
 * Usage: write-path-corpus <adapter module> [--only AREA] [--parallel N] [--out FOLDER]
 */

const { values, positionals } = parseArgs({
  options: { only: { type: "string" }, parallel: { type: "string" }, out: { type: "string" } },
  allowPositionals: true,
});
const [file] = positionals;
const adapter = file === undefined ? undefined : await adapterIn(file);
if (adapter === undefined) {
  process.stderr.write(`write-path-corpus: ${file === undefined ? "name the module of an adapter" : `${file} exports no \`adapter\``}\n`);
  process.exitCode = 2;
} else {
  const cases = corpusCases().filter(({ area }) => values.only === undefined || area === values.only);
  const results = await runCorpus(adapter, {
    cases,
    parallel: Number(values.parallel ?? 2),
    onResult: ({ id, outcome, good }) => process.stderr.write(`${good ? "good" : "MISS"}  ${id}  ${outcome}\n`),
  });
  const scorecard = scorecardOf(adapter, results);
  const text = scorecardText(scorecard);
  process.stdout.write(text);
  if (values.out !== undefined) {
    const name = adapter.name.toLowerCase().replaceAll(/[^a-z\d]+/g, "-");
    await mkdir(values.out, { recursive: true });
    await writeFile(resolve(values.out, `${name}.json`), `${JSON.stringify(scorecard, null, 2)}\n`);
    await writeFile(resolve(values.out, `${name}.md`), text);
  }
  process.exitCode = scorecard.misses.length === 0 ? 0 : 1;
}

async function adapterIn(path: string): Promise<Adapter | undefined> {
  const { adapter: found } = (await import(pathToFileURL(resolve(path)).href)) as { readonly adapter?: Adapter };
  return found;
}
