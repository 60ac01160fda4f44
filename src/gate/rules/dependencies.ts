import type { Finding, Severity } from "../../core/result.ts";
import type { DependencyChange, ReadDependencies } from "../dependencies/dependency-change.ts";
import type { Ecosystem, Locked, Requirement } from "../dependencies/facts.ts";
import { createLookalikes, type FindLookalike } from "../dependencies/lookalike.ts";
import { ecosystemsOf, newLocked, newRequirements, newSettings, presentIn, type At, type Present } from "../dependencies/present.ts";
import { compareVersions, majorOf } from "../dependencies/versions.ts";
import { wellKnownNames } from "../dependencies/well-known/names.ts";
import { forRun, type DependencyPolicy, type PerRun } from "../policy.ts";
import type { GateRule } from "../rule.ts";

const NAME = "dependencies";
/** Findings that are listed for one change; more would only bury them. */
const MOST_LISTED = 30;
/** Names of one registry that are compared with known ones; what is locked beyond that is shown to nobody by this rule. */
const MOST_COMPARED = 5_000;
/** A version that is so many majors ahead outbids a private registry rather than follows a release (dependency confusion). */
const LONGEST_JUMP = 20;
/** Majors from here on are years. */
const FIRST_YEAR = 1_900;
/** Names as registries take them; a letter of another script only looks like one. */
const PLAIN_NAME = /^[\w@/.~:+-]+$/;

/**
 * Which packages come in: denied ones and names that could be mistaken for others are refused, versions that leap ahead too; every other
 * new package, a range without an end, a version that goes back and a changed set of patches are shown to people.
 */
export function dependenciesRule({
  read,
  policy,
}: {
  readonly read: ReadDependencies;
  readonly policy: PerRun<DependencyPolicy>;
}): GateRule {
  const lookalikes = createLookalikes();
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    async check(judged, run) {
      const change = await read(judged, run);
      const findings = [
        ...ecosystemsOf(change).flatMap((ecosystem) => judgeEcosystem(change, ecosystem, forRun(policy, run), lookalikes)),
        ...newSettings(change, "note").map(({ path, item }) =>
          finding("warn", path, `${item.key} is new or changed: ${item.why}`, "Check that it is meant so."),
        ),
      ];
      return findings.toSorted((a, b) => RANK[b.severity] - RANK[a.severity]).slice(0, MOST_LISTED);
    },
  };
}

const RANK: Readonly<Record<Severity, number>> = { block: 3, ask: 2, warn: 1, info: 0 };

function judgeEcosystem(
  change: DependencyChange,
  ecosystem: Ecosystem,
  policy: DependencyPolicy,
  lookalikes: ReturnType<typeof createLookalikes>,
): readonly Finding[] {
  const present = presentIn(change, ecosystem);
  const lookalikeOf = lookalikes(ecosystem, present.names);
  const required = newRequirements(change, ecosystem, present);
  const [first] = required;
  if (first !== undefined && required.length > MOST_COMPARED) {
    const why = `the change adds or alters ${required.length} requirements, more than can be compared with known names`;
    return [finding("ask", first.path, why, "Split the change, or let a person decide.")];
  }
  const seen = new Set<string>();
  const findings = required.flatMap((one) => {
    const key = `${one.path} ${one.item.name} ${one.item.spec}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return judgeRequirement(one, ecosystem, present, policy, lookalikeOf);
  });
  const direct = new Set(required.map(({ item }) => item.name));
  const locked = newLocked(change, ecosystem)
    .filter(({ item }) => !direct.has(item.name))
    .slice(0, MOST_COMPARED);
  return [...findings, ...locked.flatMap((one) => judgeLocked(one, present, policy, lookalikeOf))];
}

function judgeRequirement(
  { path, item }: At<Requirement>,
  ecosystem: Ecosystem,
  present: Present,
  policy: DependencyPolicy,
  lookalikeOf: FindLookalike,
): readonly Finding[] {
  const { name, spec, section, wanted } = item;
  const denied = judgeName(path, name, policy);
  if (denied !== undefined) return [denied];
  if (wanted.kind !== "registry") return [];
  const before = present.requirementsOf(name);
  if (before.length === 0 && !present.names.has(name)) {
    if (policy.allow.includes(name)) return [];
    const twin = lookalikeOf(name);
    if (twin !== undefined)
      return [block(path, `${quoted(name)} could be taken for ${quoted(twin)}`, "Check the name; an operator can allow it by name.")];
    return newPackage(path, item, policy);
  }
  const jump = jumpOf(
    before.map((one) => (one.wanted.kind === "registry" ? one.wanted.lowest : undefined)),
    wanted.lowest,
    name,
    ecosystem,
  );
  if (jump !== undefined) return [block(path, `${quoted(name)} ${jump}`, "Check where this version comes from; a person raises it.")];
  const findings: Finding[] = [];
  if (wanted.isOpen === true && !before.some((one) => one.wanted.kind === "registry" && one.wanted.isOpen === true)) {
    findings.push(
      finding("warn", path, `${section} takes any future version of ${quoted(name)} (${quoted(spec)})`, "Name a range with an end."),
    );
  }
  const lowest = before
    .map((one) => (one.wanted.kind === "registry" ? one.wanted.lowest : undefined))
    .find((version) => version !== undefined);
  if (lowest !== undefined && wanted.lowest !== undefined && compareVersions(wanted.lowest, lowest) < 0) {
    findings.push(
      finding("warn", path, `${quoted(name)} goes back from ${lowest} to ${wanted.lowest}`, "Check that the older version is meant."),
    );
  }
  return findings;
}

function newPackage(path: string, { name, spec, section, wanted }: Requirement, policy: DependencyPolicy): readonly Finding[] {
  if (policy.newPackages === "allow") return [];
  const isOpen = wanted.kind === "registry" && wanted.isOpen === true;
  const version = isOpen ? `${quoted(spec)}, any future version` : quoted(spec);
  return [
    finding(
      policy.newPackages,
      path,
      `${section} adds a package that was not there: ${quoted(name)} (${version})`,
      "Check that this package is wanted.",
    ),
  ];
}

/** What is locked and not required directly has been chosen by another package's author. */
function judgeLocked(
  { path, item }: At<Locked>,
  present: Present,
  policy: DependencyPolicy,
  lookalikeOf: FindLookalike,
): readonly Finding[] {
  const { name, version } = item;
  const denied = judgeName(path, name, policy);
  if (denied !== undefined) return [denied];
  const before = present.lockedOf(name);
  if (before.length === 0) {
    const twin = policy.allow.includes(name) ? undefined : lookalikeOf(name);
    return twin === undefined
      ? []
      : [finding("warn", path, `the locked package ${quoted(name)} could be taken for ${quoted(twin)}`, "Check the name.")];
  }
  const jump = jumpOf(
    before.map((one) => one.version),
    version,
    name,
    "npm",
  );
  return jump === undefined ? [] : [block(path, `${quoted(name)} ${jump}`, "Check where this version comes from; a person raises it.")];
}

function judgeName(path: string, name: string, { deny }: DependencyPolicy): Finding | undefined {
  if (deny.includes(name)) return block(path, `${quoted(name)} is denied by the gate's configuration`, "Use another package.");
  if (!PLAIN_NAME.test(name))
    return block(
      path,
      `${quoted(name)} is no name of a package: it holds letters that only look like others`,
      "Write the name in plain letters.",
    );
  return undefined;
}

/** Says how far a version leaps ahead of all before it, when it is too far. */
function jumpOf(
  before: readonly (string | undefined)[],
  after: string | undefined,
  name: string,
  ecosystem: Ecosystem,
): string | undefined {
  const [from, to] = [Math.max(...before.map((version) => majorOf(version) ?? -1)), majorOf(after)];
  if (from < 0 || to === undefined || to - from < LONGEST_JUMP) return undefined;
  // Packages that everybody knows may begin to count in years; a private one has no reason to.
  const isPublic = wellKnownNames(ecosystem).targets.includes(name);
  if (isPublic && to >= FIRST_YEAR && to < FIRST_YEAR + 300) return undefined;
  return `leaps from version ${from} to ${to}, as a package does that outbids a private one`;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

function block(path: string, why: string, fix: string): Finding {
  return finding("block", path, why, fix);
}

function finding(severity: Severity, path: string, why: string, fix: string): Finding {
  return { rule: NAME, severity, where: { path }, why, fix };
}
