import type { GateRule } from "./rule.ts";
import type { RuleSources } from "./rule-sources.ts";
import { ciFilesRule } from "./rules/ci-files.ts";
import { containmentRule } from "./rules/containment.ts";
import { dumpsRule } from "./rules/dumps.ts";
import { fileNamesRule } from "./rules/file-names.ts";
import { gitInternalsRule } from "./rules/git-internals.ts";
import { heldSecretsRule } from "./rules/held-secrets.ts";
import { lifecycleScriptsRule } from "./rules/lifecycle-scripts.ts";
import { operationsRule } from "./rules/operations.ts";
import { protectedPathsRule } from "./rules/protected-paths.ts";
import { secretsRule } from "./rules/secrets.ts";
import { sizeRule } from "./rules/size.ts";
import { unicodeRule } from "./rules/unicode.ts";

/** The gate's own rules, in the order in which they are asked. */
export function builtInRules({ policy, scope, heldSecrets = () => [], basePaths = () => undefined }: RuleSources): readonly GateRule[] {
  return [
    containmentRule(),
    gitInternalsRule(),
    fileNamesRule({ basePaths }),
    operationsRule({ scope, limits: policy.limits }),
    sizeRule({ limits: policy.limits, basePaths }),
    protectedPathsRule({ policy }),
    ciFilesRule(),
    dumpsRule(),
    unicodeRule(),
    lifecycleScriptsRule(),
    heldSecretsRule({ heldSecrets }),
    secretsRule(),
  ];
}
