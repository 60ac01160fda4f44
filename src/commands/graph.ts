import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { messageOf, SallyportError } from "../core/errors.ts";
import { buildGraph } from "../graph/build-graph.ts";
import { openPackFile, type PackFile } from "../graph/cache/pack-file.ts";
import { FACTS_VERSION } from "../graph/facts.ts";
import { MAX_FILE_BYTES } from "../graph/extract/extract.ts";
import { isModuleConfiguration } from "../graph/link/modules/configuration.ts";
import { languageOf } from "../graph/parse/languages.ts";
import { askable, type AskableGraph } from "../graph/query/askable.ts";
import { nearest } from "../text/nearest.ts";
import { openGit } from "../workspace/git.ts";
import { openCheckout, type Checkout } from "../workspace/local/open-checkout.ts";
import { workTreeSources } from "../workspace/local/work-tree.ts";
import { answerOverview, QUESTIONS, type GraphAnswer, type GraphWish } from "./graph/questions.ts";

export interface GraphCommandOptions extends Omit<GraphWish, "words" | "read"> {
  /** The question and what it is about, as they were given. */
  readonly words: readonly string[];
  readonly json: boolean;
  /** The folder that the command works in, absolute. */
  readonly cwd: string;
}

export interface GraphCommandWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
  readonly complain: (line: string) => void;
}

/**
 * `sallyport graph`: answers from the code graph of a checkout as it stands, without a model. `graph <question> <symbol or path>`, or a name alone.
 * Exit status 0 answered, 1 not found or not readable, 2 called wrongly.
 */
export async function graph(options: GraphCommandOptions, world: GraphCommandWorld): Promise<number> {
  const { words, json, cwd } = options;
  const wish = wishOf(words);
  if ("why" in wish) {
    world.complain(`sallyport graph: ${wish.why}`);
    return 2;
  }
  try {
    const { PATH: path = "" } = world.variables;
    const checkout = await openCheckout(openGit({ path }), cwd);
    const pack = packOf(checkout, cwd, world.variables);
    const asked = await graphOf(checkout, pack);
    const read = (file: string): Promise<string | undefined> => readFile(join(checkout.root, file), "utf8").catch(() => undefined);
    const answer = await wish.answer(asked, { ...options, words: wish.about, read });
    await pack?.save();
    if (!answer.ok) {
      world.complain(`sallyport graph: ${forTerminal(answer.text)}`);
      return 1;
    }
    world.write(json ? `${JSON.stringify(answer.data, plainly, 2)}\n` : `${answer.text}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof SallyportError)) throw error;
    world.complain(`sallyport graph: ${messageOf(error)}${error.hint === undefined ? "" : ` ${error.hint}`}`);
    return 1;
  }
}

interface Wish {
  readonly answer: (asked: AskableGraph, wish: GraphWish) => GraphAnswer | Promise<GraphAnswer>;
  readonly about: readonly string[];
}

/** `callers sum` is a question; `sum` alone asks where it is and who uses it. */
function wishOf(words: readonly string[]): Wish | { readonly why: string } {
  const names = Object.keys(QUESTIONS);
  const [first, ...rest] = words;
  if (first === undefined) return { why: `it needs something to look for: graph <name>, or graph <${names.join(" | ")}> <name or path>` };
  const question = Object.hasOwn(QUESTIONS, first) ? QUESTIONS[first] : undefined;
  if (question === undefined) {
    if (rest.length === 0) return { answer: answerOverview, about: words };
    const likely = nearest(first, names);
    return {
      why: `there is no question ${JSON.stringify(first)}${likely === undefined ? "" : `; did you mean ${likely}?`} (${names.join(", ")})`,
    };
  }
  if (rest.length === 0 && question.needs !== undefined)
    return { why: `${first} needs ${question.needs}: graph ${first} <${question.needs}>` };
  if (rest.length > 1) return { why: `${first} takes one ${question.needs ?? "path"}, and not ${rest.length}: ${rest.join(" ")}` };
  return { answer: question.answer, about: rest };
}

async function graphOf(checkout: Checkout, pack: PackFile | undefined): Promise<AskableGraph> {
  const isWanted = (path: string): boolean => languageOf(path) !== undefined || isModuleConfiguration(path);
  const files = await workTreeSources({ checkout, isWanted, largest: MAX_FILE_BYTES });
  const { graph } = await buildGraph({ files, ...(pack === undefined ? {} : { cache: pack.cache, kept: pack.kept }) });
  return askable(graph);
}

/** Where facts are kept between calls: in the data folder, when one is named, else in the user's cache; never in the checkout by itself. */
function packOf(
  { root }: Checkout,
  cwd: string,
  { SALLYPORT_DATA_DIR: data = "", XDG_CACHE_HOME: cache = "", HOME: home = "" }: GraphCommandWorld["variables"],
): PackFile | undefined {
  const folder =
    data.trim() !== ""
      ? join(resolve(cwd, data.trim()), "graph")
      : cache !== ""
        ? join(cache, "sallyport", "graph")
        : home !== ""
          ? join(home, ".cache", "sallyport", "graph")
          : undefined;
  if (folder === undefined) return undefined;
  const name = createHash("sha256").update(root).digest("hex").slice(0, 20);
  return openPackFile(join(folder, `${name}-${FACTS_VERSION}.pack`));
}

/** What is said to models names their tools and arguments; people have options and words. */
function forTerminal(text: string): string {
  return text
    .replace(
      / Say which, by Class\.method and by file, such as symbol .+ with file (.+):$/m,
      " Say which, by Class.method or such as --file $1:",
    )
    .replace(/ cp_search_symbol searches by parts of names\.$/m, " sallyport graph search <part> searches by parts of names.");
}

/** Maps become objects in JSON. */
function plainly(_: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}
