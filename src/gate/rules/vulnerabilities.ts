import type { Advisory, AdvisorySource, PackageVersion } from "../../core/advisory.ts";
import type { Finding } from "../../core/result.ts";
import type { RunView } from "../../core/run.ts";
import { withFallback } from "../advisories/stored-source.ts";
import { affects, isNamed } from "../dependencies/affected.ts";
import { candidatesOf, type Candidate } from "../dependencies/candidates.ts";
import type { ReadDependencies } from "../dependencies/dependency-change.ts";
import type { Ecosystem } from "../dependencies/facts.ts";
import { ecosystemsOf } from "../dependencies/present.ts";
import { isWithin } from "../dependencies/versions.ts";
import { forRun, type PerRun, type VulnerabilityLevel, type VulnerabilityPolicy } from "../policy.ts";
import type { GateRule } from "../rule.ts";

const NAME = "vulnerabilities";
const LEVELS: readonly VulnerabilityLevel[] = ["low", "medium", "high", "critical"];
/** Versions that one change may bring; more are not looked up in time. */
const MOST_VERSIONS = 3_000;
/** Findings that are listed for one change. */
const MOST_LISTED = 25;

export interface VulnerabilityOptions {
  readonly read: ReadDependencies;
  /** `isOnline`: false where the operator has switched looking up off. */
  readonly policy: PerRun<VulnerabilityPolicy & { readonly isOnline: boolean }>;
  /** Where a run's versions are looked up; undefined where there is nothing to ask. */
  readonly advisories: (run: RunView) => AdvisorySource | undefined;
  /** Where they are looked up when that one does not answer, or looking up is switched off. */
  readonly stored: (run: RunView) => AdvisorySource | undefined;
}

/**
 * No version with a known vulnerability comes in: malware and severe ones are refused, lesser ones shown. A version that has fewer or lesser
 * ones than the one it replaces is welcome. Where nobody can say, a person is asked; silence never passes for an answer.
 */
export function vulnerabilitiesRule({ read, policy: policies, advisories, stored }: VulnerabilityOptions): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    async check(judged, run) {
      const { isOnline, ...policy } = forRun(policies, run);
      const change = await read(judged, run);
      const all = await Promise.all(
        ecosystemsOf(change).map(async (ecosystem) => {
          const candidates = candidatesOf(change, ecosystem);
          if (candidates.length === 0) return [];
          if (candidates.length > MOST_VERSIONS)
            return [unknown(candidates, `the change brings ${candidates.length} versions, more than can be looked up`)];
          const source = sourceOf(isOnline ? advisories(run) : undefined, stored(run));
          if (source === undefined) {
            const none = isOnline
              ? "there is no source of advisories to ask"
              : "looking up advisories is switched off, and none are stored";
            return [unknown(candidates, none)];
          }
          const answer = await source.affecting(ecosystem, versionsOf(candidates, ecosystem));
          if (answer.status !== "known") return [unknown(candidates, `the source of advisories did not answer (${answer.why})`)];
          const found = candidates.flatMap((one) => judge(one, ecosystem, answer.advisories, policy));
          if (answer.doubt !== undefined) return [...found, unknown(candidates, answer.doubt)];
          return answer.via === undefined ? found : [...found, lookedUpIn(candidates, answer.via)];
        }),
      );
      const findings = all.flat();
      return [...findings.filter(({ severity }) => severity !== "info"), ...findings.filter(({ severity }) => severity === "info")].slice(
        0,
        MOST_LISTED,
      );
    },
  };
}

function sourceOf(online: AdvisorySource | undefined, stored: AdvisorySource | undefined): AdvisorySource | undefined {
  return online !== undefined && stored !== undefined ? withFallback(online, stored) : (online ?? stored);
}

/** The Python index takes several spellings for one name, and nobody says which of them an advisory bears. */
function versionsOf(candidates: readonly Candidate[], ecosystem: Ecosystem): readonly PackageVersion[] {
  const spellings = (name: string): readonly string[] =>
    ecosystem === "pip" ? [name, name.replaceAll("-", "_"), name.replaceAll("-", ".")] : [name];
  const pairs = candidates.flatMap(({ name, version, replaces }) =>
    [version, ...replaces].flatMap((one) => spellings(name).map((spelled) => ({ name: spelled, version: one.replace(/^v(?=\d)/, "") }))),
  );
  return [...new Map(pairs.map((pair) => [`${pair.name}@${pair.version}`, pair])).values()];
}

function judge(
  candidate: Candidate,
  ecosystem: Ecosystem,
  advisories: readonly Advisory[],
  policy: VulnerabilityPolicy,
): readonly Finding[] {
  const { path, name, version, replaces, range } = candidate;
  if (version === "") return unpinned(candidate, ecosystem, advisories);
  const affecting = (one: string): readonly Advisory[] =>
    advisories.filter((advisory) => affects(advisory, { name, version: one, ecosystem }));
  const now = affecting(version);
  if (now.length === 0) return range === undefined ? [] : [onlyLowest(candidate)];
  const before = replaces.map(affecting);
  const worst = now.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
  if (worst === undefined) return [];
  // Of a range, only what all of its versions have is sure to come in.
  const sure =
    range === undefined ? now : now.filter((one) => one.affects.some((entry) => isNamed(entry, name) && isWithin(range, entry.range)));
  const lessens = before.some((old) => isLesser(now, old));
  const isHeld = worst.isMalware || (!lessens && sure.some((one) => policyRank(one, policy) === "block"));
  const severity = isHeld ? "block" : policyRank(worst, policy) === "info" ? "info" : "warn";
  const listed = now.slice(0, 3).map(({ id, severity, isMalware }) => `${id}, ${isMalware ? "malware" : severity}`);
  const more = now.length > 3 ? ` and ${now.length - 3} more` : "";
  const which = range === undefined ? `${name}@${version} has` : `the lowest version that the manifest allows, ${name}@${version}, has`;
  const relief = lessens ? ", fewer or lesser ones than the version it replaces" : "";
  return [
    {
      rule: NAME,
      severity,
      where: { path },
      why: `${which} known vulnerabilities (${listed.join("; ")}${more})${relief}`,
      fix: fixFor(worst, name),
    },
  ];
}

/** Which version will come is not known; a package that is malware in every version is known all the same. */
function unpinned({ path, name }: Candidate, ecosystem: Ecosystem, advisories: readonly Advisory[]): readonly Finding[] {
  const malware = advisories.find((one) => one.isMalware && affects(one, { name, version: undefined, ecosystem }));
  if (malware !== undefined) {
    return [
      { rule: NAME, severity: "block", where: { path }, why: `${name} is known for malware (${malware.id})`, fix: fixFor(malware, name) },
    ];
  }
  const why = `which version of ${name} will be installed is not pinned, so its known vulnerabilities could not be looked up`;
  return [{ rule: NAME, severity: "warn", where: { path }, why, fix: "Name a version, or pin it in a lockfile." }];
}

function onlyLowest({ path, name, version, range }: Candidate): Finding {
  const why = `only ${name}@${version}, the lowest version that ${range === "" ? "the manifest" : range} allows, could be looked up; no lockfile pins it`;
  return { rule: NAME, severity: "info", where: { path }, why, fix: "Pin the version in a lockfile." };
}

/** Malware stands above all; a severity that nobody has set yet counts as high. */
function weightOf({ isMalware, severity }: Advisory): number {
  return isMalware ? LEVELS.length : severity === "unknown" ? LEVELS.indexOf("high") : LEVELS.indexOf(severity);
}

function policyRank(advisory: Advisory, { block, warn }: VulnerabilityPolicy): "block" | "warn" | "info" {
  const weight = weightOf(advisory);
  if (weight >= LEVELS.indexOf(block)) return "block";
  return weight >= LEVELS.indexOf(warn) ? "warn" : "info";
}

/** Whether these are nothing but what was there, or the worst of them is less bad, or as bad and rarer. */
function isLesser(now: readonly Advisory[], before: readonly Advisory[]): boolean {
  const ids = new Set(before.map(({ id }) => id));
  if (now.every(({ id }) => ids.has(id))) return true;
  for (let weight = LEVELS.length; weight >= 0; weight--) {
    const [here, there] = [now, before].map((list) => list.filter((one) => weightOf(one) === weight).length);
    if (here !== there) return (here ?? 0) < (there ?? 0);
  }
  return false;
}

function fixFor(advisory: Advisory, name: string): string {
  if (advisory.isMalware) return "Take the package out, and look for what it did.";
  const patched = advisory.affects.find((entry) => isNamed(entry, name))?.patched;
  return patched === undefined ? "Use a version that is not affected, or another package." : `Use ${patched} or later.`;
}

/** Says who answered, where GitHub did not. */
function lookedUpIn(candidates: readonly Candidate[], via: string): Finding {
  const [first] = candidates;
  return {
    rule: NAME,
    severity: "info",
    ...(first !== undefined && { where: { path: first.path } }),
    why: `known vulnerabilities were looked up in ${via}`,
    fix: "Nothing; what became known later is not in there.",
  };
}

/** A question to people about everything that could not be looked up. */
function unknown(candidates: readonly Candidate[], why: string): Finding {
  const [first] = candidates;
  const names = [...new Set(candidates.map(({ name, version }) => `${name}@${version}`))];
  const listed = names.length > 5 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
  return {
    rule: NAME,
    severity: "ask",
    ...(first !== undefined && { where: { path: first.path } }),
    why: `whether ${listed} has known vulnerabilities is not known: ${why}`,
    fix: "Try again later, or let a person decide.",
  };
}
