import ts from "typescript";
import { buildGraph } from "../../src/graph/build-graph.ts";
import { encodedCache } from "../../src/graph/cache/encoded-cache.ts";
import type { CodeGraph, SourceFile } from "../../src/graph/graph.ts";
import { askable } from "../../src/graph/query/askable.ts";
import { contextOf } from "../../src/graph/query/context.ts";
import { createReach } from "../../src/graph/query/reach.ts";
import { measureGroups, rowOf } from "./bench.ts";
import type { BenchGroup, Groups, Target } from "./bench.ts";

const FILES = 600;
const QUERIES = 10_000;
const DEPTH = 3;
const RUNS = 8;

/** A class, an interface and functions that lean on other files of the repository by imports, receivers and results. */
function textOf(n: number, salt = ""): string {
  const others = [1, 7, 31].map((step) => (n * 3 + step) % FILES);
  const imports = others.map((other) => `import { Service${other}, make${other}, type Port${other} } from "./file${other}.ts"`);
  const methods = others.map(
    (other, at) =>
      `  use${at}(port: Port${other}): string {\n    const made = make${other}(String(this.count))\n    port.send(made.describe())\n    return made.describe() + this.describe()\n  }`,
  );
  const fillers = Array.from(
    { length: 8 },
    (_, at) =>
      `function helper${at}(value: number): number {\n  // ${"words ".repeat(6)}\n  return value > ${at} ? helper${(at + 1) % 8}(value - 1) : value\n}`,
  );
  return `${imports.join("\n")}
export interface Port${n} {
  send(text: string): void
}
export class Service${n} implements Port${n} {
  private readonly count = ${n}
  constructor(private readonly name: string) {}
  send(text: string): void {
    helper0(text.length)
  }
  describe(): string {
    return this.name${salt === "" ? "" : ` + "${salt}"`}
  }
${methods.join("\n")}
}
export function make${n}(name: string): Service${n} {
  return new Service${n}(name)
}
${fillers.join("\n")}
`;
}

/** The code graph of a made repository, beside the parsing alone, and many questions beside the plainest way to answer them. */
export async function graphGroups(): Promise<readonly BenchGroup[]> {
  const texts = Array.from({ length: FILES }, (_, n) => textOf(n));
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  const source = (n: number, text: string, blob = `${n}`): SourceFile => ({
    path: `src/file${n}.ts`,
    blob,
    size: text.length,
    bytes: () => Buffer.from(text),
  });
  const files = texts.map((text, n) => source(n, text));
  const rows = new Map<string, Uint8Array>();
  const cache = encodedCache({
    read: (keys) => Promise.resolve(new Map(keys.flatMap((key) => (rows.has(key) ? [[key, rows.get(key) as Uint8Array]] : [])))),
    write: (entries) => Promise.resolve(entries.forEach((packed, key) => rows.set(key, packed))),
  });
  // As the extractor asks for it: without what it has no use for, comments and ways to parents.
  const how = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const parse = () => texts.map((text, n) => ts.createSourceFile(`${n}.ts`, text, how, false));
  // What is measured first would pay for compiling the parser, and the other would find it compiled.
  for (let run = 0; run < RUNS; run += 1) {
    parse();
    await buildGraph({ files });
  }
  const live = await buildGraph({ files, cache });
  const asked = askable(live.graph);
  const reach = createReach(asked.relations, live.graph.symbols.length);
  const targets = Array.from({ length: QUERIES }, (_, n) => (n * 7919) % live.graph.symbols.length);
  let turn = 0;
  return [
    {
      name: `indexing ${FILES} files of TypeScript`,
      cases: [
        {
          name: "reference: parsing alone",
          bytes,
          leastRuns: RUNS,
          run: parse,
        },
        { name: "cold: parse, extract, link", bytes, leastRuns: RUNS, run: () => buildGraph({ files }) },
        { name: "warm: kept facts, link", bytes, run: () => buildGraph({ files, cache }) },
        {
          name: "one changed file",
          bytes: texts[0]?.length ?? 0,
          run: () => live.update({ changed: [source(5, textOf(5, `${turn++}`), `changed ${turn}`)] }),
        },
      ],
    },
    {
      name: `${QUERIES} impacts of ${DEPTH} steps in ${live.graph.symbols.length} symbols`,
      cases: [
        {
          name: "reference: sets over edges",
          bytes: 0,
          run: () => targets.map((id) => plainReach(live.graph, id)),
        },
        { name: "compressed rows, through bases as well", bytes: 0, run: () => targets.map((id) => reach([id], DEPTH).length) },
        { name: "the rows themselves", bytes: 0, run: () => askable(live.graph).relations.users.of(0) },
        {
          name: "one context of 4000 tokens",
          bytes: 0,
          run: () =>
            contextOf(asked, {
              symbols: [targets[1] ?? 0],
              budgetTokens: 4000,
              read: (path) => Promise.resolve(texts[Number(/\d+/.exec(path)?.[0])]),
            }),
        },
      ],
    },
  ];
}

function plainReach(graph: CodeGraph, start: number): number {
  const seen = new Set([start]);
  let level = [start];
  for (let depth = 0; depth < DEPTH; depth++) {
    const next: number[] = [];
    for (const id of level) {
      for (const { from } of graph.edgesTo(id)) {
        if (seen.has(from)) continue;
        seen.add(from);
        next.push(from);
      }
    }
    level = next;
  }
  return seen.size;
}

export const bench = async () => measureGroups(await graphGroups());
const INDEXING = `indexing ${FILES} files`;
export const targets: readonly Target<Groups>[] = [
  {
    // Of processor time, all threads with it: a compiler's or a collector's that runs beside is not free. Code is warm in both.
    name: "processor time of a cold index, beside parsing alone",
    unit: "×",
    atMost: 1.5,
    figure: (groups) => {
      const [cold, parsing] = [rowOf(groups, INDEXING, "cold"), rowOf(groups, INDEXING, "reference")];
      return cold === undefined || parsing === undefined ? undefined : cold.cpuMs / parsing.cpuMs;
    },
  },
  { name: "an index with one changed file", unit: "ms", atMost: 100, figure: (groups) => rowOf(groups, INDEXING, "one changed")?.medianMs },
  {
    name: `${QUERIES} questions for an impact`,
    unit: "ms",
    atMost: 100,
    figure: (groups) => rowOf(groups, `${QUERIES} impacts`, "compressed rows")?.medianMs,
  },
];
