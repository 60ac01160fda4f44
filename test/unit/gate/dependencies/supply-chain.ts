import type { AdvisorySource } from "../../../../src/core/advisory.ts";
import type { Finding, Severity } from "../../../../src/core/result.ts";
import { defaultPolicy, type GatePolicy } from "../../../../src/gate/policy.ts";
import { builtInRules } from "../../../../src/gate/rules.ts";
import { ask, commit, scope, type Side } from "../fixtures.ts";

const RULES: ReadonlySet<string> = new Set([
  "lifecycle-scripts",
  "manifests",
  "registries",
  "lockfiles",
  "dependencies",
  "vulnerabilities",
]);

/** Knows no vulnerability of anything. */
const clean: AdvisorySource = { affecting: () => Promise.resolve({ status: "known", advisories: [] }) };

export interface World {
  /** Files at the base, by path. */
  readonly base?: Readonly<Record<string, string>>;
  /** What the change makes of files; undefined deletes. */
  readonly change: Readonly<Record<string, string | Uint8Array | undefined>>;
  readonly advisories?: AdvisorySource | undefined;
  readonly policy?: Partial<GatePolicy>;
}

/** What all rules about dependencies find in a change, at the outer door. */
export async function judgeChange({ base = {}, change, policy = {}, ...rest }: World): Promise<readonly Finding[]> {
  const advisories = "advisories" in rest ? rest.advisories : clean;
  const rules = builtInRules({
    policy: { ...defaultPolicy, ...policy },
    scope: () => scope,
    basePaths: () => Object.keys(base),
    baseFile: (_, path) => (base[path] === undefined ? undefined : Buffer.from(base[path])),
    advisories: () => advisories,
  }).filter(({ name }) => RULES.has(name));
  const sides: Record<string, Side> = {};
  for (const [path, after] of Object.entries(change)) {
    sides[path] = { ...(base[path] !== undefined && { before: base[path] }), ...(after !== undefined && { after }) };
  }
  const operation = commit(sides);
  const findings: Finding[] = [];
  for (const rule of rules) findings.push(...(await ask(rule, operation)));
  return findings;
}

const ORDER: readonly Severity[] = ["info", "warn", "ask", "block"];

/** The worst of some findings; `allow` when there is nothing that people would be shown. */
export function verdictOf(findings: readonly Finding[]): "allow" | "warn" | "ask" | "block" {
  const worst = Math.max(0, ...findings.map(({ severity }) => ORDER.indexOf(severity)));
  return (["allow", "warn", "ask", "block"] as const)[worst] ?? "block";
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
/** A copy of JSON text with something done to it. */
export function edited(text: string, change: (value: Record<string, never>) => void): string {
  const value = JSON.parse(text) as Record<string, never>;
  change(value);
  return json(value);
}
export const hash = (letter: string): string => `sha512-${letter.repeat(86)}==`;
