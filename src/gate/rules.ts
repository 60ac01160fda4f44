import { createDependencyReader } from "./dependencies/dependency-change.ts";
import { DEFAULT_LINKS } from "./outgoing.ts";
import type { GatePolicy, PerRun } from "./policy.ts";
import type { GateRule } from "./rule.ts";
import type { RuleSources } from "./rule-sources.ts";
import { ciFilesRule } from "./rules/ci-files.ts";
import { containmentRule } from "./rules/containment.ts";
import { dependenciesRule } from "./rules/dependencies.ts";
import { dumpsRule } from "./rules/dumps.ts";
import { fileNamesRule } from "./rules/file-names.ts";
import { gitInternalsRule } from "./rules/git-internals.ts";
import { heldSecretsRule } from "./rules/held-secrets.ts";
import { impactRule } from "./rules/impact.ts";
import { lifecycleScriptsRule } from "./rules/lifecycle-scripts.ts";
import { lockfilesRule } from "./rules/lockfiles.ts";
import { manifestsRule } from "./rules/manifests.ts";
import { operationsRule } from "./rules/operations.ts";
import { outputRule } from "./rules/output.ts";
import { protectedPathsRule } from "./rules/protected-paths.ts";
import { registriesRule } from "./rules/registries.ts";
import { secretsRule } from "./rules/secrets.ts";
import { sizeRule } from "./rules/size.ts";
import { unicodeRule } from "./rules/unicode.ts";
import { vendoredCodeRule } from "./rules/vendored-code.ts";
import { vulnerabilitiesRule } from "./rules/vulnerabilities.ts";
import { sameThreadScanner } from "./secrets/scanner.ts";

/** The gate's own rules, in the order in which they are asked. */
export function builtInRules({
  policy,
  scope,
  heldSecrets = () => [],
  basePaths = () => undefined,
  baseFile = () => undefined,
  advisories = () => undefined,
  storedAdvisories = () => undefined,
  reachOf = () => undefined,
  webUrl = DEFAULT_LINKS.origin,
  approvalsUrl,
  isOwnMarker = () => false,
  scanner = sameThreadScanner(),
}: RuleSources): readonly GateRule[] {
  const read = createDependencyReader({ basePaths, baseFile });
  const of = <T extends object>(pick: (policy: GatePolicy) => T): PerRun<T> =>
    typeof policy === "function" ? (run) => pick(policy(run)) : pick(policy);
  const limits = of((one) => one.limits);
  return [
    containmentRule(),
    gitInternalsRule(),
    fileNamesRule({ basePaths }),
    operationsRule({ scope, limits }),
    sizeRule({ limits, basePaths }),
    protectedPathsRule({ policy }),
    ciFilesRule(),
    dumpsRule(),
    unicodeRule(),
    lifecycleScriptsRule({ read, basePaths }),
    vendoredCodeRule(),
    manifestsRule({ read }),
    registriesRule({ read }),
    lockfilesRule({ read }),
    dependenciesRule({ read, policy: of((one) => one.dependencies) }),
    vulnerabilitiesRule({
      read,
      policy: of((one) => ({ ...one.vulnerabilities, isOnline: one.advisories === "online" })),
      advisories,
      stored: storedAdvisories,
    }),
    // Where nobody has set a threshold, nothing is measured.
    ...(typeof policy === "function" || Object.values(policy.impact).some((limit) => limit !== undefined)
      ? [impactRule({ thresholds: of((one) => one.impact), reachOf })]
      : []),
    heldSecretsRule({ heldSecrets, scanner }),
    outputRule({ scope, links: of(({ hosts }) => ({ origin: webUrl, hosts, approvals: approvalsUrl })), isOwnMarker }),
    secretsRule({ scanner }),
  ];
}
