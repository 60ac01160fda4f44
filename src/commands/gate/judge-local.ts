import type { GateLayer } from "../../config/gate-policy.ts";
import { readGoodLayer } from "../../config/read-layer.ts";
import { readServerFile } from "../../config/server-file.ts";
import type { AdvisorySource } from "../../core/advisory.ts";
import type { Commit } from "../../core/operation.ts";
import type { Decision } from "../../core/result.ts";
import { type GateReport, verdictOf } from "../../gate/report/gate-report.ts";
import { fileAt, type LocalChange } from "../../workspace/local/local-change.ts";
import type { Checkout } from "../../workspace/local/open-checkout.ts";
import { LOCAL_RUN, NOWHERE, openLocalGate } from "../local/local-gate.ts";

export interface LocalJudgement {
  readonly checkout: Checkout;
  readonly change: LocalChange;
  /** What is judged, as it was asked for. */
  readonly subject: string;
  /** The server's configuration file: `SALLYPORT_CONFIG`. */
  readonly serverFile?: string;
  /** Values of secrets that this process was given. */
  readonly secrets: readonly string[];
  /** Where packages are looked up; without it every change of a version asks. */
  readonly advisories?: AdvisorySource;
  /** Where they are looked up when that one does not answer. */
  readonly storedAdvisories?: AdvisorySource;
}

/** Where a repository keeps its configuration. */
const REPOSITORY_FILE = ".github/sallyport.yml";

/**
 * Judges a change of a local checkout by all rules, with the policy that stands at its base.
 * @throws {ConfigurationError} when the policy cannot be read: nobody knows what it would have asked for.
 */
export async function judgeLocal({
  checkout,
  change,
  subject,
  serverFile,
  secrets,
  advisories,
  storedAdvisories,
}: LocalJudgement): Promise<GateReport> {
  const { base, changes, problems } = change;
  const layers = [readServerFile(serverFile).gate ?? {}, await repositoryLayer(checkout, change)];
  await using gate = openLocalGate({
    checkout,
    base,
    basePaths: change.basePaths,
    layers,
    secrets,
    ...(advisories === undefined ? {} : { advisories }),
    ...(storedAdvisories === undefined ? {} : { storedAdvisories }),
  });
  const operation: Commit = { kind: "commit", repository: NOWHERE, branch: "local", message: "Judge a local change", changes };
  // A change of nothing has nothing to be judged, and the rules would rightly refuse to commit it.
  const judged: Decision =
    changes.changes.length === 0 ? { verdict: "allow", findings: [] } : (await gate.judge(operation, LOCAL_RUN)).decision;
  return {
    verdict: problems.length > 0 ? "block" : verdictOf(judged),
    subject,
    base: { commit: base.commit, tree: base.tree },
    tree: changes.tree,
    files: changes.changes.length,
    findings: [...problems, ...judged.findings],
  };
}

async function repositoryLayer(checkout: Checkout, { base }: LocalChange): Promise<GateLayer> {
  const bytes = await fileAt(checkout, base, REPOSITORY_FILE);
  if (bytes === undefined) return {};
  return readGoodLayer(Buffer.from(bytes).toString("utf8"), `${base.name}:${REPOSITORY_FILE}`, "repository").gate ?? {};
}
