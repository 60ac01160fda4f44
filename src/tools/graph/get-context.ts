import { z } from "zod";
import { failed } from "../../core/result.ts";
import type { AskableGraph } from "../../graph/query/askable.ts";
import { contextOf } from "../../graph/query/context.ts";
import { findFile, findTarget } from "../../graph/query/find-target.ts";
import { whyNoTarget } from "../../graph/show/words.ts";
import { defineTool } from "../define-tool.ts";
import type { ReadContext } from "../tool.ts";
import { answered, fileText, graphPath, symbolText, withGraph } from "./ask-graph.ts";

const DEFAULT_TOKENS = 4000;
/** Within what a tool shows at once. */
const MOST_TOKENS = 9500;

export const getContext = defineTool({
  name: "cp_get_context",
  description:
    "Shows the code around a symbol or a file, nearest first by the code graph: its own text, what calls it, what it calls and what stands beside it, within a budget of tokens. Without a symbol and a file: what the repository leans on most.",
  effect: "read",
  parameters: z.object({
    symbol: symbolText.optional(),
    file: fileText,
    budget_tokens: z.int().min(50).max(MOST_TOKENS).optional().describe(`Tokens that the answer may have. Default: ${DEFAULT_TOKENS}.`),
  }),
  handler: ({ symbol, file, budget_tokens: budgetTokens = DEFAULT_TOKENS }, context) =>
    withGraph(context, async (asked) => {
      const place = file === undefined ? undefined : graphPath(asked, file);
      if (place?.ok === false) return place.result;
      const wanted = wantedOf(asked, symbol, place?.path);
      if ("why" in wanted) return failed(wanted.why);
      const { text } = await contextOf(asked, { ...wanted, budgetTokens, read: (path) => readText(context, path) });
      return answered(text === "" ? "The code graph knows nothing that stands near it." : text);
    }),
});

type Wanted = { readonly symbols: readonly number[]; readonly files: readonly string[] };

function wantedOf(asked: AskableGraph, symbol: string | undefined, file: string | undefined): Wanted | { readonly why: string } {
  if (symbol !== undefined) {
    const found = findTarget(asked, symbol, file);
    if (found.status !== "found") return { why: whyNoTarget(found) };
    const { main, ids } = found.target;
    return main.kind === "module" ? { symbols: [], files: [main.path] } : { symbols: ids, files: [] };
  }
  if (file === undefined || file === "") return { symbols: [], files: [] };
  const found = findFile(asked, file);
  return found.status === "found" ? { symbols: [], files: [file] } : { why: whyNoTarget(found) };
}

async function readText({ workspace }: Pick<ReadContext, "workspace">, path: string): Promise<string | undefined> {
  const read = await workspace.read(path);
  return read.status === "file" ? new TextDecoder().decode(read.bytes) : undefined;
}
