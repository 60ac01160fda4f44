import type { Finding } from "../../core/result.ts";
import type { ChangedFile, DependencyChange, ReadDependencies } from "../dependencies/dependency-change.ts";
import { foldersUp } from "../dependencies/dependency-change.ts";
import type { Ecosystem, Facts, Locked, Requirement } from "../dependencies/facts.ts";
import { changedHash, missingHash, strangeAddress } from "../dependencies/locked-faults.ts";
import { satisfies } from "../dependencies/versions.ts";
import type { GateRule } from "../rule.ts";

const NAME = "lockfiles";
const FIX = "Leave the lockfile to its tool: undo the edit, or make it anew from the manifest.";
/** Findings that are listed for one lockfile. */
const MOST_LISTED = 15;

/**
 * A lockfile pins bytes, so it changes only together with what it pins: the same version keeps its hash, no hash is left out, an address
 * belongs to its package, and nothing is locked that no manifest asks for (lockfile poisoning).
 */
export function lockfilesRule({ read }: { readonly read: ReadDependencies }): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    async check(judged, run) {
      const change = await read(judged, run);
      // A tool writes one file after the other; whether they agree is told of the whole.
      const isWhole = judged.kind !== "workspace-write";
      return change.changed.flatMap((file) => [
        ...judgeLock(file, change, isWhole).slice(0, MOST_LISTED),
        ...(isWhole ? judgeManifest(file, change) : []),
      ]);
    },
  };
}

function judgeLock(file: ChangedFile, change: DependencyChange, isWhole: boolean): readonly Finding[] {
  const { path, before, after, role, ecosystem, isNew } = file;
  if (ecosystem === undefined || (role !== "lock" && before.locked.length + (after?.locked.length ?? 0) === 0)) return [];
  if (after === undefined) {
    if (file.unreadable !== undefined || role !== "lock") return [];
    return [finding("warn", path, "it is deleted, so versions are no longer pinned", "Check that another lockfile takes its place.")];
  }
  const old = new Map(before.locked.map((entry) => [entry.key, entry]));
  const versions = new Map(before.locked.map((entry) => [`${entry.name}@${entry.version}`, entry]));
  const hashesBefore = before.locked.some(({ integrity }) => integrity.length > 0);
  const findings: Finding[] = [];
  for (const entry of after.locked) {
    const same = versions.get(`${entry.name}@${entry.version}`) ?? old.get(entry.key);
    const isSameVersion = same?.version === entry.version && same.name === entry.name;
    const hashes = isSameVersion
      ? changedHash(same, entry, ecosystem)
      : isNew || !hashesBefore
        ? undefined
        : missingHash(entry, ecosystem, path);
    const fault = hashes ?? (isKnown(entry, same) ? undefined : strangeAddress(entry, ecosystem));
    if (fault !== undefined) findings.push(finding(fault.severity, path, `${entry.name}@${entry.version} ${fault.why}`, FIX));
  }
  const unhashed = isNew && role === "lock" ? after.locked.filter((entry) => missingHash(entry, ecosystem, path) !== undefined).length : 0;
  if (unhashed > 0)
    findings.push(
      finding("warn", path, `${unhashed} packages of the new lockfile are locked without a hash`, "Make it anew with its tool."),
    );
  return [...findings, ...(role === "lock" && isWhole ? [...unwanted(file, after, change), ...disagreements(file, after, change)] : [])];
}

function isKnown(entry: Locked, same: Locked | undefined): boolean {
  return same !== undefined && same.source === entry.source && same.name === entry.name && same.version === entry.version;
}

/** Packages that come into the lockfile although nothing in it, and no manifest at hand, requires them. */
function unwanted(
  { path, folder, before, ecosystem }: ChangedFile,
  { locked, needed, declared }: Facts,
  change: DependencyChange,
): readonly Finding[] {
  if (needed === undefined || ecosystem === undefined || ecosystem === "composer") return [];
  const manifests = manifestsFor(folder, ecosystem, change);
  // Without any manifest nobody knows what the project itself requires.
  if (manifests.length === 0 && declared === undefined) return [];
  const known = new Set(before.locked.map(({ name }) => name));
  const wanted = new Set([
    ...needed.keys(),
    ...manifests.flatMap(({ facts }) => facts.requirements.flatMap(({ name, shownAs = name }) => [name, shownAs])),
    ...[...(declared?.values() ?? [])].flatMap((direct) => [...direct.keys()]),
  ]);
  // Yarn's first format does not say which packages of a workspace require what.
  const mayBeOthers = manifests.length === 0 || (ecosystem === "npm" && declared === undefined);
  const strangers = locked.filter(
    ({ name, shownAs = name, isLocal = false }) => !isLocal && !known.has(name) && !wanted.has(name) && !wanted.has(shownAs),
  );
  const specs = (shown: string): readonly string[] => [
    ...(needed.get(shown) ?? []),
    ...manifests.flatMap(({ facts }) => facts.requirements.flatMap((one) => (one.shownAs === shown ? [one.spec] : []))),
    ...[...(declared?.values() ?? [])].flatMap((direct) => direct.get(shown) ?? []),
  ];
  const aliases = new Set(before.locked.map(({ name, shownAs }) => `${shownAs} ${name}`));
  const swapped = locked.filter(
    ({ name, shownAs }) =>
      shownAs !== undefined &&
      !aliases.has(`${shownAs} ${name}`) &&
      !specs(shownAs).some((spec) => spec.replace(/^npm:/, "").startsWith(`${name}@`)),
  );
  return [
    ...strangers.map(({ name, version }) =>
      finding(mayBeOthers ? "warn" : "block", path, `${name}@${version} is locked and nothing requires it`, FIX),
    ),
    ...swapped.map(({ name, version, shownAs = "" }) =>
      finding("block", path, `${name}@${version} is locked under the name ${JSON.stringify(shownAs)}, and nothing asks for that`, FIX),
    ),
  ];
}

/** Manifests of a lockfile's folder, or for formats that tell, of all below. */
function manifestsFor(
  folder: string,
  ecosystem: Ecosystem,
  { changed, standing }: DependencyChange,
): readonly { readonly folder: string; readonly facts: Facts; readonly isChanged: boolean }[] {
  const now = changed.flatMap((file) =>
    file.role === "manifest" && file.ecosystem === ecosystem && file.after !== undefined
      ? [{ folder: file.folder, facts: file.after, isChanged: true }]
      : [],
  );
  const still = standing
    .filter((file) => file.role === "manifest" && file.ecosystem === ecosystem)
    .map(({ folder, facts }) => ({ folder, facts, isChanged: false }));
  return [...now, ...still].filter((manifest) => manifest.folder === folder);
}

/** What a lockfile says it was made from, against the manifests. */
function disagreements(
  { path, folder, ecosystem, before }: ChangedFile,
  { declared, locked }: Facts,
  { changed, standing }: DependencyChange,
): readonly Finding[] {
  if (declared === undefined || ecosystem !== "npm") return [];
  const manifests = new Map([
    ...standing.filter((file) => file.path.endsWith("package.json")).map((file) => [file.folder, file.facts] as const),
    ...changed.flatMap((file) =>
      file.path.endsWith("package.json") && file.after !== undefined ? [[file.folder, file.after] as const] : [],
    ),
  ]);
  return [...declared].flatMap(([part, direct]) => {
    const facts = manifests.get(part === "" ? folder : `${folder}${part}/`);
    if (facts === undefined) return [];
    const wanted = new Map(facts.requirements.filter(isDirect).map((one) => [one.shownAs ?? one.name, one]));
    const old = before.declared?.get(part);
    const differing = [...new Set([...direct.keys(), ...wanted.keys()])].filter(
      (name) => direct.get(name) !== wanted.get(name)?.spec && !isSameSpec(direct.get(name), wanted.get(name)?.spec),
    );
    const findings = differing
      // What did not agree before is no sign of this change.
      .filter((name) => direct.get(name) !== old?.get(name) || old === undefined)
      .map((name) =>
        finding(
          "block",
          path,
          `it was made for ${JSON.stringify(name)} as ${quoted(direct.get(name))}, and the manifest says ${quoted(wanted.get(name)?.spec)}`,
          FIX,
        ),
      );
    return [...findings, ...(part === "" ? outOfRange(path, wanted, locked, before.locked) : [])];
  });
}

function isDirect({ section }: Requirement): boolean {
  return /^(dependencies|devDependencies|optionalDependencies|peerDependencies)$/.test(section);
}

/** Locks write a few specifications in their own way: `npm:^1` for `^1`, resolved catalogs. */
function isSameSpec(locked: string | undefined, wanted: string | undefined): boolean {
  if (locked === undefined || wanted === undefined) return false;
  return locked.replace(/^npm:/, "") === wanted.replace(/^npm:/, "") || wanted.startsWith("catalog:") || locked.startsWith("catalog:");
}

/** Direct requirements whose locked version, new with this change, is not one that the manifest allows. */
function outOfRange(
  path: string,
  wanted: ReadonlyMap<string, Requirement>,
  locked: readonly Locked[],
  before: readonly Locked[],
): readonly Finding[] {
  const known = new Set(before.map(({ name, version }) => `${name}@${version}`));
  return [...wanted.values()].flatMap(({ name, shownAs = name, spec, wanted: one }) => {
    if (one.kind !== "registry" || one.range === undefined) return [];
    const direct = locked.filter((entry) => entry.key === `node_modules/${shownAs}`);
    return direct
      .filter(
        ({ version, isLocal = false }) => !isLocal && version !== "" && !known.has(`${name}@${version}`) && !satisfies(version, one.range),
      )
      .map(({ version }) => finding("block", path, `${name}@${version} is locked and the manifest allows ${quoted(spec)}`, FIX));
  });
}

/** A manifest whose lockfile stays behind: tools that install exactly what is locked will refuse, others lock anew. */
function judgeManifest(file: ChangedFile, { changed, standing }: DependencyChange): readonly Finding[] {
  const { path, folder, ecosystem, role, before, after } = file;
  if (role !== "manifest" || after === undefined || ecosystem === undefined || path.endsWith(".in")) return [];
  const old = new Set(before.requirements.map(specKey));
  const moved = after.requirements.filter((one) => !old.has(specKey(one)) && one.wanted.kind === "registry");
  if (moved.length === 0 || changed.some((other) => other.role === "lock" && other.ecosystem === ecosystem)) return [];
  const folders = foldersUp(folder);
  const lock = standing.find(
    (other) => other.role === "lock" && other.ecosystem === ecosystem && folders.includes(other.folder) && !other.path.endsWith("go.sum"),
  );
  if (lock === undefined) return [];
  const names = moved
    .slice(0, 5)
    .map(({ name }) => name)
    .join(", ");
  return [
    finding(
      "warn",
      path,
      `it changes ${names} and ${JSON.stringify(lock.path)} stays as it was, so what will be installed is not pinned`,
      "Bring the lockfile up to date.",
    ),
  ];
}

function specKey({ name, spec }: Requirement): string {
  return JSON.stringify([name, spec]);
}

function quoted(text: string | undefined): string {
  return text === undefined ? "nothing" : JSON.stringify(text.slice(0, 80));
}

function finding(severity: Finding["severity"], path: string, why: string, fix: string): Finding {
  return { rule: NAME, severity, where: { path }, why, fix };
}
