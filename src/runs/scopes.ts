import type { RunView } from "../core/run.ts";
import type { RunScope } from "../gate/scope.ts";

/** What each run at work in this process may write to; the gate asks here for every judgement. */
export interface Scopes {
  /** Until it is disposed, `scope` answers for this run. It is asked anew each time, since a run's own comments and pulls grow. */
  register(runId: string, scope: () => RunScope): Disposable;
  /** Until it is disposed, the paths of this run's pinned tree are known. */
  registerBase(runId: string, paths: () => readonly string[]): Disposable;
  /** Undefined for a run that is not at work here: nothing of it leaves. */
  of(run: RunView): RunScope | undefined;
  basePaths(run: RunView): readonly string[] | undefined;
}

export function createScopes(): Scopes {
  const scopes = new Map<string, () => RunScope>();
  const bases = new Map<string, () => readonly string[]>();
  return {
    register: (runId, scope) => keep(scopes, runId, scope),
    registerBase: (runId, paths) => keep(bases, runId, paths),
    of: ({ id }) => scopes.get(id)?.(),
    basePaths: ({ id }) => bases.get(id)?.(),
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
