import type { DependencyChange } from "./dependency-change.ts";
import type { Ecosystem, Locked, Requirement } from "./facts.ts";
import { newLocked, newRequirements, presentIn, type Present } from "./present.ts";
import { lastVersions, satisfies } from "./versions.ts";

/** A version that a change may bring in. */
export interface Candidate {
  readonly path: string;
  readonly name: string;
  /** Empty where nobody can tell which it will be. */
  readonly version: string;
  /** Versions of the package that were there before. */
  readonly replaces: readonly string[];
  /** Set when the version is only the lowest that will do, in npm's notation; empty where it cannot be said. */
  readonly range?: string;
}

/**
 * Versions of one registry that are new with the change: what lockfiles pin, what manifests name exactly, and of a range what a lockfile
 * resolves it to, or else its lowest version and those that it names as its last.
 */
export function candidatesOf(change: DependencyChange, ecosystem: Ecosystem): readonly Candidate[] {
  const present = presentIn(change, ecosystem);
  const before = new Set(present.locked.map(({ name, version }) => `${name}@${version}`));
  const found = new Map<string, Candidate>();
  const add = (candidate: Candidate): void => {
    const key = `${candidate.name}@${candidate.version}`;
    const known = found.get(key);
    // A certain answer stands above a possible one.
    if (known === undefined || (known.range !== undefined && candidate.range === undefined)) found.set(key, candidate);
  };
  const added = newLocked(change, ecosystem);
  for (const { path, item } of added) {
    if (item.isLocal === true || item.version === "" || before.has(`${item.name}@${item.version}`)) continue;
    add({ path, name: item.name, version: item.version, replaces: replacedBy(item.name, present) });
  }
  const fresh = new Map<string, Locked[]>();
  for (const { item } of added) fresh.set(item.name, [...(fresh.get(item.name) ?? []), item]);
  for (const { path, item } of newRequirements(change, ecosystem, present)) {
    const replaces = replacedBy(item.name, present);
    for (const { version, range } of versionsOf(item, [...present.lockedOf(item.name), ...(fresh.get(item.name) ?? [])])) {
      if (!before.has(`${item.name}@${version}`))
        add({ path, name: item.name, version, replaces: replaces.filter((one) => one !== version), ...(range !== undefined && { range }) });
    }
  }
  return [...found.values()];
}

function versionsOf({ wanted }: Requirement, locks: readonly Locked[]): readonly { readonly version: string; readonly range?: string }[] {
  if (wanted.kind !== "registry") return [];
  const { version, range, lowest } = wanted;
  if (version !== undefined) return [{ version }];
  const locked = locks.filter((one) => one.version !== "" && satisfies(one.version, range));
  if (locked.length > 0) return locked.map((one) => ({ version: one.version }));
  return [{ version: lowest ?? "", range: range ?? "" }, ...lastVersions(range ?? "").map((last) => ({ version: last }))];
}

function replacedBy(name: string, present: Present): readonly string[] {
  const pinned = present.lockedOf(name).map(({ version }) => version);
  if (pinned.length > 0) return [...new Set(pinned)].filter((version) => version !== "");
  const wanted = present
    .requirementsOf(name)
    .flatMap((one) => (one.wanted.kind === "registry" ? (one.wanted.version ?? one.wanted.lowest ?? []) : []));
  return [...new Set(wanted)];
}
