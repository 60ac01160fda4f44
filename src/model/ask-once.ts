import type { Model } from "./model.ts";

/** Milliseconds that an answer may take. */
const WITHIN_MS = 60_000;

/** One question in one turn without tools. @throws {Error} when there is no answer, or one that was cut or refused. */
export async function askOnce(
  model: Model,
  { system, text, signal }: { readonly system: string; readonly text: string; readonly signal: AbortSignal },
): Promise<string> {
  const answer = await model.complete({
    messages: [
      { role: "system", text: system },
      { role: "user", text },
    ],
    tools: [],
    signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
  });
  if (answer.cut !== undefined || answer.refusal !== undefined) throw new Error(answer.refusal ?? "the answer was cut");
  return answer.text;
}
