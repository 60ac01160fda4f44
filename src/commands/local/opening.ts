import { wrapPieces, type Piece } from "../../agent/envelope.ts";
import { REVIEW_1 } from "../../agent/prompts/review-1.ts";
import type { Message } from "../../core/conversation.ts";
import { readGuidance } from "../../runs/guidance.ts";
import type { CommitFiles } from "../../workspace/commit-files.ts";
import { LOCAL_RUN } from "./local-gate.ts";

/** What the model is told first of a task on a local checkout. */
export async function taskOpening(system: string, base: CommitFiles, task: string): Promise<readonly Message[]> {
  const guidance = await guidancePieces(base);
  const [request = "", ...known] = wrapPieces(LOCAL_RUN.id, [{ origin: "request", trust: "asker", text: task }, ...guidance]);
  return say(system, [...known, "The request, by the person at this machine. Do what it asks:", request]);
}

/** What the model is told first of a range to review. */
export async function rangeOpening(
  system: string,
  base: CommitFiles,
  { range, parts }: { readonly range: string; readonly parts: readonly string[] },
): Promise<readonly Message[]> {
  const difference: Piece = { origin: `difference of ${range}, part 1 of ${parts.length}`, trust: "thread", text: parts[0] ?? "" };
  const wrapped = wrapPieces(LOCAL_RUN.id, [...(await guidancePieces(base)), difference]);
  return say(system, [
    `Review the range ${JSON.stringify(range)}; the workspace is its end.`,
    REVIEW_1.diff,
    ...wrapped,
    ...(parts.length > 1 ? [REVIEW_1.parts] : []),
  ]);
}

async function guidancePieces(base: CommitFiles): Promise<readonly Piece[]> {
  const { files } = await readGuidance(base);
  return files.map(({ path, text }): Piece => ({ origin: `${path} on the base`, trust: "repository", text }));
}

function say(system: string, parts: readonly string[]): readonly Message[] {
  return [
    { role: "system", text: system },
    { role: "user", text: parts.join("\n\n") },
  ];
}
