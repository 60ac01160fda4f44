import type { Finding } from "../../core/result.ts";
import { TEXT_BEARING } from "../contents.ts";
import type { GateRule } from "../rule.ts";
import { createPieceMemory } from "../secrets/pieces.ts";
import { scanInputOf } from "../secrets/scan-input.ts";
import { deadlineBehind, sameThreadScanner, type SecretScanner } from "../secrets/scanner.ts";

const NAME = "held-secrets";
const FIX = "Take the value out in every form; never write what a credential is, only its name.";

export interface HeldSecretsOptions {
  readonly heldSecrets: () => readonly string[];
  readonly scanner?: Pick<SecretScanner, "held" | "longestMs">;
}

/**
 * Nothing that leaves holds a run of a secret of this process, in any text, name or file, however it is written or packed, nor pieces of one
 * over all that a run writes. Unlike shapes, this blocks also what stands at the base already: the value is in use.
 */
export function heldSecretsRule({ heldSecrets, scanner = sameThreadScanner() }: HeldSecretsOptions): GateRule {
  const memory = createPieceMemory();
  return {
    name: NAME,
    ...deadlineBehind(scanner),
    applies: TEXT_BEARING,
    async check(judged, run) {
      const values = heldSecrets();
      if (values.length === 0) return [];
      const report = await scanner.held(scanInputOf(judged), { values, shown: memory.of(run.id) });
      memory.add(run.id, report.shown);
      return [
        ...report.fields.map((field) => finding(`the ${field} holds a part of a secret of this server`)),
        // A name that holds the secret must not be repeated.
        ...Array.from({ length: report.names }, () => finding("a file name holds a part of a secret of this server")),
        ...report.paths.map((path) => ({ ...finding("the file holds a part of a secret of this server"), where: { path } })),
        ...(report.inPieces ? [finding("with what this run wrote before, it shows a secret of this server in pieces")] : []),
      ];
    },
  };
}

function finding(why: string): Finding {
  return { rule: NAME, severity: "block", why, fix: FIX };
}
