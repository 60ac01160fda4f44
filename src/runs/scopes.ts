import type { RunView } from "../core/run.ts";
import type { RunScope } from "../gate/scope.ts";

/** What each run at work in this process may write to; the gate asks here for every judgement. */
export interface Scopes {
  /** Until it is disposed, `scope` answers for this run. It is asked anew each time, since a run's own comments and pulls grow. */
  register(runId: string, scope: () => RunScope): Disposable;
  /** Undefined for a run that is not at work here: nothing of it leaves. */
  of(run: RunView): RunScope | undefined;
}

export function createScopes(): Scopes {
  const scopes = new Map<string, () => RunScope>();
  return {
    register(runId, scope) {
      scopes.set(runId, scope);
      return {
        [Symbol.dispose]() {
          if (scopes.get(runId) === scope) scopes.delete(runId);
        },
      };
    },
    of: ({ id }) => scopes.get(id)?.(),
  };
}
