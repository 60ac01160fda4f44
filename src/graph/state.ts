import type { NumberedUnit } from "./assemble.ts";
import type { FileRole } from "./graph.ts";
import type { UnitLinks } from "./link/edges.ts";
import type { TabledUnit } from "./link/unit-tables.ts";

/** One state of the repository: all arrays are by the number of the file, which it keeps from state to state. */
export interface State {
  readonly units: (TabledUnit | undefined)[];
  readonly blobs: string[];
  readonly roles: FileRole[];
  readonly links: (UnitLinks | undefined)[];
  readonly numbered: (NumberedUnit | undefined)[];
  readonly dependencies: Set<number>[];
  readonly numbers: Map<string, number>;
  readonly whyNot: Map<string, string>;
  readonly configuration: Map<string, string>;
}

export function emptyState(): State {
  return {
    units: [],
    blobs: [],
    roles: [],
    links: [],
    numbered: [],
    dependencies: [],
    numbers: new Map(),
    whyNot: new Map(),
    configuration: new Map(),
  };
}

export function copyOf(state: State): State {
  return {
    units: state.units.slice(),
    blobs: state.blobs.slice(),
    roles: state.roles.slice(),
    links: state.links.slice(),
    numbered: state.numbered.slice(),
    dependencies: state.dependencies.slice(),
    numbers: new Map(state.numbers),
    whyNot: new Map(state.whyNot),
    configuration: new Map(state.configuration),
  };
}

export function forget(state: State, path: string, touched: Set<number>): void {
  state.whyNot.delete(path);
  state.configuration.delete(path);
  const number = state.numbers.get(path);
  if (number === undefined) return;
  state.units[number] = undefined;
  state.links[number] = undefined;
  state.numbered[number] = undefined;
  state.numbers.delete(path);
  touched.add(number);
}
