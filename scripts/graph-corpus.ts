import { readdirSync, readFileSync } from "node:fs";
import { buildGraph } from "../src/graph/build-graph.ts";
import type { CodeGraph, SourceFile } from "../src/graph/graph.ts";
import { scoreCalls } from "./score-calls.ts";
import type { Score, Site } from "./score-calls.ts";

const CORPUS = new URL("../test/fixtures/graph-corpus/", import.meta.url);
const MARK = /(?:\/\/|#)= (.+)$/u;

/** The languages of the small corpus, each a repository by itself. */
export const CORPUS_LANGUAGES = ["typescript", "python", "go", "java", "rust"] as const;

/**
 * How well the graph resolves the calls of the small corpus, by kinds of what is called.
 * @throws {Error} for a mark that names nothing, or a call that is not on its line.
 */
export async function scoreCorpus(language: (typeof CORPUS_LANGUAGES)[number]): Promise<ReadonlyMap<string, Score>> {
  const files = filesIn(new URL(`${language}/`, CORPUS));
  const { graph } = await buildGraph({ files });
  return scoreCalls(
    graph,
    files.flatMap((file) => sitesOf(graph, file)),
  );
}

type CorpusFile = SourceFile & { readonly text: string };

function filesIn(top: URL): CorpusFile[] {
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const full = `${entry.parentPath.replace(/\/$/u, "")}/${entry.name}`;
      const bytes = readFileSync(full);
      const path = full.slice(top.pathname.length);
      return { path, blob: path, size: bytes.length, bytes: () => bytes, text: bytes.toString("utf8") };
    });
}

function sitesOf(graph: CodeGraph, { path, text }: CorpusFile): Site[] {
  return text.split("\n").flatMap((line, index) =>
    (MARK.exec(line)?.[1] ?? "")
      .split("; ")
      .filter((mark) => mark !== "")
      .map((mark): Site => {
        const [kind, name = "", place = ""] = mark.split(" ");
        if (!["function", "method", "constructor", "held"].includes(kind ?? "") || !line.split(MARK)[0]?.includes(name))
          throw new Error(`${path}:${index + 1}: ${mark}`);
        const targets = place === "outside" ? [] : [declaredAt(graph, place)];
        return { path, line: index + 1, name, kind: kind as Site["kind"], targets };
      }),
  );
}

/** `path#Owner.name`, with `~2` for the second of that name; `path:line` for what a macro declares. */
function declaredAt(graph: CodeGraph, place: string): { path: string; line: number } {
  const [, path = "", qualified = "", nth = "1", line] = /^([^#:]+)(?:#([^~]+)(?:~(\d+))?|:(\d+))$/u.exec(place) ?? [];
  if (line !== undefined) return { path, line: Number(line) };
  const found = graph.symbolsOf(path).filter((symbol) => symbol.qualified === qualified && symbol.kind !== "field")[Number(nth) - 1];
  if (found === undefined) throw new Error(`The corpus has no ${place}.`);
  return found;
}
