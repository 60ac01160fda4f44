import type { AdvisorySource } from "../core/advisory.ts";
import type { RunView } from "../core/run.ts";
import type { RunScope } from "../gate/scope.ts";

/** What the gate may ask of a run besides its scope. */
export interface RunBase {
  /** The paths of the pinned tree. */
  paths(): readonly string[];
  /** A file as the run's next change finds it; undefined where there is none. */
  file(path: string): Promise<Uint8Array | undefined>;
  /** Where versions of packages are looked up. */
  readonly advisories?: AdvisorySource;
}

/** What each run at work in this process may write to; the gate asks here for every judgement. */
export interface Scopes {
  /** Until it is disposed, `scope` answers for this run. It is asked anew each time, since a run's own comments and pulls grow. */
  register(runId: string, scope: () => RunScope): Disposable;
  /** Until it is disposed, this run's base can be asked. */
  registerBase(runId: string, base: RunBase): Disposable;
  /** Undefined for a run that is not at work here: nothing of it leaves. */
  of(run: RunView): RunScope | undefined;
  basePaths(run: RunView): readonly string[] | undefined;
  baseFile(run: RunView, path: string): Promise<Uint8Array | undefined>;
  advisories(run: RunView): AdvisorySource | undefined;
}

export function createScopes(): Scopes {
  const scopes = new Map<string, () => RunScope>();
  const bases = new Map<string, RunBase>();
  return {
    register: (runId, scope) => keep(scopes, runId, scope),
    registerBase: (runId, base) => keep(bases, runId, base),
    of: ({ id }) => scopes.get(id)?.(),
    basePaths: ({ id }) => bases.get(id)?.paths(),
    baseFile: async ({ id }, path) => bases.get(id)?.file(path),
    advisories: ({ id }) => bases.get(id)?.advisories,
  };
}

function keep<T>(map: Map<string, T>, key: string, value: T): Disposable {
  map.set(key, value);
  return {
    [Symbol.dispose]() {
      if (map.get(key) === value) map.delete(key);
    },
  };
}
