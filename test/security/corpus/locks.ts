import type { Operation } from "../../../src/core/operation.ts";
import type { Decision } from "../../../src/core/result.ts";
import type { GateOptions } from "../../../src/gate/create-gate.ts";
import type { Gate } from "../../../src/gate/gate.ts";
import { commit, run, write } from "../../unit/gate/fixtures.ts";
import type { MacroContext } from "../../../packages/write-path-corpus/src/expand.ts";
import { BASE } from "../../../packages/write-path-corpus/src/base.ts";
import { editsOf } from "../../../packages/write-path-corpus/src/edits.ts";

/** What a gate must know of the base that these rows build on. */
export const lockSources: Pick<GateOptions, "basePaths" | "baseFile"> = {
  basePaths: () => [...Object.keys(BASE), "README.md", ...Array.from({ length: 19 }, (_, index) => `src/${index}.ts`)],
  baseFile: (_, path) => (BASE[path] === undefined ? undefined : Buffer.from(BASE[path])),
};

/** Shows such a row to both doors: file by file, and as one commit. Undefined for other rows. */
export async function playLocks(id: string, gate: Gate, context: MacroContext): Promise<readonly Decision[] | undefined> {
  const edits = editsOf(id, context);
  if (edits === undefined) return undefined;
  const decisions: Decision[] = [];
  for (const [path, after] of Object.entries(edits)) decisions.push(await gate.judgeWrite(write(path, after, BASE[path]), run));
  const sides = Object.fromEntries(Object.entries(edits).map(([path, after]) => [path, { before: BASE[path] ?? "", after }]));
  const whole: Operation = commit(sides);
  return [...decisions, (await gate.judge(whole, run)).decision];
}
