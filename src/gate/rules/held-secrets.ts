import type { RunView } from "../../core/run.ts";
import type { Finding } from "../../core/result.ts";
import { filesOf, textsAndSources } from "../contents.ts";
import type { Judged } from "../judged.ts";
import type { GateRule } from "../rule.ts";
import { createHeldMatcher } from "../secrets/held-values.ts";
import type { HeldMatcher } from "../secrets/held-values.ts";
import { createPieceMemory } from "../secrets/pieces.ts";
import type { PieceMemory } from "../secrets/pieces.ts";
import { unpack, unpackBudget } from "../secrets/unpack.ts";
import type { UnpackBudget } from "../secrets/unpack.ts";

const NAME = "held-secrets";
const FIX = "Take the value out in every form; never write what a credential is, only its name.";

/**
 * Nothing that leaves holds a run of a secret of this process, in any text, name or file, however it is written or packed, nor pieces of one
 * over all that a run writes. Unlike shapes, this blocks also what stands at the base already: the value is in use.
 */
export function heldSecretsRule({ heldSecrets }: { readonly heldSecrets: () => readonly string[] }): GateRule {
  const matcher = createHeldMatcher();
  const memory = createPieceMemory();
  return {
    name: NAME,
    applies: ["workspace-write", "open-pull-request", "commit", "comment", "edit-own-comment", "check-run"],
    check(judged, run) {
      const values = heldSecrets();
      return values.length === 0 ? [] : judge(judged, run, values, matcher(values), memory);
    },
  };
}

async function judge(
  judged: Judged,
  run: RunView,
  values: readonly string[],
  holds: HeldMatcher,
  memory: PieceMemory,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const seen: string[] = [];
  const budget = unpackBudget();
  for (const { field, text } of textsAndSources(judged)) {
    const forms = [text, ...(await packedIn(Buffer.from(text), budget))];
    if (forms.some(holds)) findings.push(finding(`the ${field} holds a part of a secret of this server`));
    else seen.push(...forms);
  }
  for (const { path, after } of filesOf(judged)) {
    // A name that holds the secret must not be repeated.
    if (holds(path)) {
      findings.push(finding("a file name holds a part of a secret of this server"));
      continue;
    }
    seen.push(path);
    if (after?.bytes === undefined) continue;
    const forms = [new TextDecoder().decode(after.bytes), ...(await packedIn(after.bytes, budget))];
    if (forms.some(holds)) findings.push({ ...finding("the file holds a part of a secret of this server"), where: { path } });
    else seen.push(...forms);
  }
  if (memory.revealsTooMuch(run.id, values, seen)) {
    findings.push(finding("with what this run wrote before, it shows a secret of this server in pieces"));
  }
  return findings;
}

/** What came out of archives and encodings, as text. Plain base64 is known to the matcher itself. */
async function packedIn(bytes: Uint8Array, budget: UnpackBudget): Promise<readonly string[]> {
  const { found } = await unpack(bytes, budget);
  return found.filter(({ isTelling }) => isTelling).map(({ bytes: inner }) => Buffer.from(inner).toString("latin1"));
}

function finding(why: string): Finding {
  return { rule: NAME, severity: "block", why, fix: FIX };
}
