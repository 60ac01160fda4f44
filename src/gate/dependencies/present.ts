import type { ChangedFile, DependencyChange } from "./dependency-change.ts";
import type { Ecosystem, Facts, Locked, Requirement, Setting } from "./facts.ts";

/** What a repository had of one registry before the change, over all files at hand. */
export interface Present {
  readonly requirements: readonly Requirement[];
  readonly locked: readonly Locked[];
  /** Names of packages, required or locked. */
  readonly names: ReadonlySet<string>;
  requirementsOf(name: string): readonly Requirement[];
  lockedOf(name: string): readonly Locked[];
}

export function presentIn({ changed, standing }: DependencyChange, ecosystem: Ecosystem): Present {
  const facts = [
    ...changed.filter((file) => file.ecosystem === ecosystem).map(({ before }) => before),
    ...standing.filter((file) => file.ecosystem === ecosystem).map((file) => file.facts),
  ];
  const requirements = facts.flatMap((one) => one.requirements);
  const locked = facts.flatMap((one) => one.locked);
  const [required, pinned] = [byName(requirements), byName(locked)];
  return {
    requirements,
    locked,
    names: new Set([...required.keys(), ...pinned.keys()]),
    requirementsOf: (name) => required.get(name) ?? [],
    lockedOf: (name) => pinned.get(name) ?? [],
  };
}

function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const index = new Map<string, T[]>();
  for (const item of items) {
    const list = index.get(item.name) ?? [];
    index.set(item.name, list);
    list.push(item);
  }
  return index;
}

/** Every registry that the change has to do with. */
export function ecosystemsOf({ changed }: DependencyChange): readonly Ecosystem[] {
  return [...new Set(changed.flatMap(({ ecosystem }) => ecosystem ?? []))];
}

/** Something of a changed file as it is now, with where it stands. */
export interface At<T> {
  readonly path: string;
  readonly folder: string;
  readonly item: T;
}

/** Requirements that the repository did not have so before, in whatever section: another package, another version, another place. */
export function newRequirements(change: DependencyChange, ecosystem: Ecosystem, present: Present): readonly At<Requirement>[] {
  const old = new Set(present.requirements.map(requirementKey));
  return now(change, ecosystem, ({ requirements }) => requirements.filter((one) => !old.has(requirementKey(one))));
}

/** Entries of lockfiles that are not exactly so in the same file before. */
export function newLocked(change: DependencyChange, ecosystem: Ecosystem): readonly At<Locked>[] {
  return now(change, ecosystem, ({ locked }, { before }) => {
    const old = new Set(before.locked.map((entry) => JSON.stringify(entry)));
    return locked.filter((entry) => !old.has(JSON.stringify(entry)));
  });
}

/** Settings of one kind that the same file did not have so before. */
export function newSettings({ changed }: DependencyChange, kind: Setting["kind"]): readonly At<Setting>[] {
  return changed.flatMap(({ path, folder, before, after }) => {
    const old = new Set(before.settings.map(({ key, value }) => JSON.stringify([key, value])));
    return (after?.settings ?? [])
      .filter((one) => one.kind === kind && !old.has(JSON.stringify([one.key, one.value])))
      .map((item) => ({ path, folder, item }));
  });
}

function now<T>(
  { changed }: DependencyChange,
  ecosystem: Ecosystem,
  pick: (after: Facts, file: ChangedFile) => readonly T[],
): readonly At<T>[] {
  return changed.flatMap((file) =>
    file.ecosystem !== ecosystem || file.after === undefined
      ? []
      : pick(file.after, file).map((item) => ({ path: file.path, folder: file.folder, item })),
  );
}

function requirementKey({ name, shownAs = "", spec }: Requirement): string {
  return JSON.stringify([name, shownAs, spec]);
}
