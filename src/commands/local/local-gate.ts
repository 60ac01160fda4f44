import { gateSettings, type GateLayer } from "../../config/gate-policy.ts";
import type { AdvisorySource } from "../../core/advisory.ts";
import { silent } from "../../core/log.ts";
import type { RunView } from "../../core/run.ts";
import { createGate } from "../../gate/create-gate.ts";
import type { Gate } from "../../gate/gate.ts";
import { createLedger } from "../../gate/mint.ts";
import { policyOf } from "../../gate/policy-of.ts";
import type { GateRule } from "../../gate/rule.ts";
import { workerScanner } from "../../gate/secrets/worker-scanner.ts";
import type { RunScope } from "../../gate/scope.ts";
import { localReach } from "./local-reach.ts";
import { regularFileAt } from "../../workspace/local/local-change.ts";
import type { Checkout, Revision } from "../../workspace/local/open-checkout.ts";

/** A local change is on no thread and goes nowhere: it is judged as a commit that is addressed to this place, and never performed. */
export const NOWHERE = { id: 0, owner: "local", name: "checkout" };
export const LOCAL_RUN: RunView = { id: "local", repository: NOWHERE, trigger: "gate" };
const SCOPE: RunScope = {
  repository: NOWHERE,
  threads: [],
  ownComments: [],
  reactions: [],
  isOwnBranch: (branch) => branch === "local",
  heads: [],
  bases: [],
  made: { pullRequests: 0, comments: 0 },
};

export interface LocalGateOptions {
  readonly checkout: Checkout;
  readonly base: Revision;
  /** All paths of the base's tree. */
  readonly basePaths: readonly string[];
  /** What the layers of the configuration say about the gate, the server's first. */
  readonly layers: readonly GateLayer[];
  /** Values of secrets that this process was given. */
  readonly secrets: readonly string[];
  /** What extensions add. */
  readonly extraRules?: readonly GateRule[];
  /** Where packages are looked up; without it every change of a version asks. */
  readonly advisories?: AdvisorySource;
  /** Where they are looked up when that one does not answer. */
  readonly storedAdvisories?: AdvisorySource;
}

/** Both doors over a checkout of this machine, by all rules. */
export function openLocalGate(options: LocalGateOptions): Gate & AsyncDisposable {
  const { checkout, base, basePaths, layers, secrets, advisories, storedAdvisories } = options;
  const scanner = workerScanner();
  const gate = createGate({
    policy: policyOf(gateSettings(layers)),
    scope: () => SCOPE,
    basePaths: () => basePaths,
    // A link at the base has no bytes of its own.
    baseFile: (_, path) => regularFileAt(checkout, base, path),
    heldSecrets: () => secrets,
    advisories: () => advisories,
    storedAdvisories: () => storedAdvisories,
    reachOf: localReach(checkout, base),
    scanner,
    extraRules: options.extraRules ?? [],
    ledger: createLedger(),
    log: silent,
  });
  return { ...gate, [Symbol.asyncDispose]: () => scanner[Symbol.asyncDispose]() };
}
