import { DEFAULT_SETTINGS } from "../config/settings.ts";
import type { AdvisorySource } from "../core/advisory.ts";
import type { ChangeSet } from "../core/change-set.ts";
import { SallyportError } from "../core/errors.ts";
import type { RunView } from "../core/run.ts";
import { defaultPolicy } from "../gate/policy.ts";
import type { Reach } from "../gate/rules/impact.ts";
import type { RunScope } from "../gate/scope.ts";

/** What the gate may ask of a run besides its scope. */
export interface RunBase {
  /** The paths of the pinned tree. */
  paths(): readonly string[];
  /** A file as the run's next change finds it; undefined where there is none. */
  file(path: string): Promise<Uint8Array | undefined>;
  /** Where versions of packages are looked up. */
  readonly advisories?: AdvisorySource;
  /** How far a change of it reaches, where somebody can say. */
  reach?(changes: ChangeSet): Promise<Reach | undefined>;
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
  reachOf(changes: ChangeSet, run: RunView): Promise<Reach | undefined>;
  /**
   * What the gate goes by for a run. For one that is not at work here the defaults, since nothing of it leaves.
   * @throws {SallyportError} for a run at work whose configuration was not read: what it would forbid is not known.
   */
  configured(run: RunView): NonNullable<RunScope["configured"]>;
}

/** What holds where nothing was configured. */
const UNCONFIGURED: NonNullable<RunScope["configured"]> = {
  policy: defaultPolicy,
  approvalHours: DEFAULT_SETTINGS.gate.approvals.expires_hours,
};

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
    reachOf: async (changes, { id }) => bases.get(id)?.reach?.(changes),
    configured({ id }) {
      const scope = scopes.get(id)?.();
      if (scope === undefined) return UNCONFIGURED;
      if (scope.configured !== undefined) return scope.configured;
      throw new SallyportError("The run's configuration was not read.", { code: "not-configured" });
    },
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
