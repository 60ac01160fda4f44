import { z } from "zod";
import { judgePath } from "../../core/repository-path.ts";
import { type ToolResult, failed, ok } from "../../core/result.ts";
import type { AskableGraph } from "../../graph/query/askable.ts";
import { findTarget, type Target } from "../../graph/query/find-target.ts";
import { whyNoTarget } from "../../graph/show/words.ts";
import { keepLines } from "../bounds.ts";
import { canonicalPath } from "../repo/find-target.ts";
import { pathText, text } from "../tool-arguments.ts";
import type { ReadContext } from "../tool.ts";

const NO_GRAPH = "There is no code graph here; grep and read_file show what there is.";

/** The arguments of questions about one symbol. */
export const symbolText = text(500, "The symbol: its name, or Class.method where several have that name.").min(1);
export const fileText = pathText(
  "The file that declares it, relative to the repository root; needed where several files have the name.",
).optional();
export const depthNumber = (description: string) => z.int().min(1).max(20).optional().describe(description);

/** Answers from the graph of the workspace as it stands, or says why there is none. */
export async function withGraph(
  { graph }: ReadContext,
  answer: (asked: AskableGraph) => ToolResult | Promise<ToolResult>,
): Promise<ToolResult> {
  return graph === undefined ? failed(NO_GRAPH) : answer(await graph());
}

/** The same for a question about one symbol; what it may mean, when that is not clear, is an error that says how to ask. */
export async function withTarget(
  context: ReadContext,
  { symbol, file }: { readonly symbol: string; readonly file?: string | undefined },
  answer: (asked: AskableGraph, target: Target) => ToolResult | Promise<ToolResult>,
): Promise<ToolResult> {
  return withGraph(context, (asked) => {
    const place = file === undefined ? undefined : graphPath(asked, file);
    if (place?.ok === false) return place.result;
    const found = findTarget(asked, symbol, place?.path);
    return found.status === "found" ? answer(asked, found.target) : failed(whyNoTarget(found));
  });
}

type GraphPath = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly result: ToolResult };

/** A path as the graph spells it: dots are taken out, and another Unicode form finds the file that it looks like. */
export function graphPath({ graph }: AskableGraph, raw: string): GraphPath {
  const path = canonicalPath(raw).replace(/(?<=[^/])\/$/, "");
  if (path === "") return { ok: true, path };
  const judged = judgePath(path);
  if (!judged.ok) return { ok: false, result: failed(`The path ${judged.why}.`) };
  if (graph.file(path) !== undefined || /^[\x20-\x7e]*$/.test(path)) return { ok: true, path };
  const form = path.normalize("NFC");
  return { ok: true, path: graph.files.find((file) => file.path.normalize("NFC") === form)?.path ?? path };
}

/** An answer within what a result may hold. */
export function answered(lines: string): ToolResult {
  const { text: kept, shown, total } = keepLines(lines);
  return ok(shown < total ? `${kept}[${shown} of ${total} lines shown; ask about less]` : lines);
}
