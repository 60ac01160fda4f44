import type { Finding } from "../../core/result.ts";
import { filesOf, textsOf } from "../contents.ts";
import type { GateRule } from "../rule.ts";
import { createHeldMatcher } from "../secrets/held-values.ts";

const NAME = "held-secrets";
const FIX = "Take the value out in every form; never write what a credential is, only its name.";

/**
 * Nothing that leaves holds a run of a secret of this process, in any text, name or file, however it is written. Unlike shapes, this
 * blocks also what stands at the base already: the value is in use.
 */
export function heldSecretsRule({ heldSecrets }: { readonly heldSecrets: () => readonly string[] }): GateRule {
  const matcher = createHeldMatcher();
  return {
    name: NAME,
    applies: ["workspace-write", "open-pull-request", "commit", "comment", "edit-own-comment"],
    check(judged) {
      const holds = matcher(heldSecrets());
      const findings: Finding[] = textsOf(judged)
        .filter(({ text }) => holds(text))
        .map(({ field }) => finding(`the ${field} holds a part of a secret of this server`));
      for (const { path, after } of filesOf(judged)) {
        // A name that holds the secret must not be repeated.
        if (holds(path)) findings.push(finding("a file name holds a part of a secret of this server"));
        else if (after?.bytes !== undefined && holds(new TextDecoder().decode(after.bytes))) {
          findings.push({ ...finding("the file holds a part of a secret of this server"), where: { path } });
        }
      }
      return findings;
    },
  };
}

function finding(why: string): Finding {
  return { rule: NAME, severity: "block", why, fix: FIX };
}
