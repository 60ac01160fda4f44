import type { AdvisorySource } from "../core/advisory.ts";
import type { RunView } from "../core/run.ts";
import type { Awaitable } from "./judged.ts";
import type { GatePolicy, PerRun } from "./policy.ts";
import type { ReachOf } from "./rules/impact.ts";
import type { RunScope } from "./scope.ts";
import type { SecretScanner } from "./secrets/scanner.ts";

/** Every path of the tree that a run is pinned to; undefined where nobody can say. */
export type BasePaths = (run: RunView) => Awaitable<readonly string[] | undefined>;

/** The bytes of a file that a run's change builds on; undefined where there is none, or nobody can say. */
export type BaseFile = (run: RunView, path: string) => Awaitable<Uint8Array | undefined>;

/** What the built-in rules ask of the world. */
export interface RuleSources {
  /** What the configuration says, for every run alike or for each. */
  readonly policy: PerRun<GatePolicy>;
  /** What a run may write to. Undefined for an unknown run: then nothing of it leaves. */
  readonly scope: (run: RunView) => Awaitable<RunScope | undefined>;
  /** Values of secrets that this process holds, asked anew for each judgement, since tokens change. */
  readonly heldSecrets?: () => readonly string[];
  readonly basePaths?: BasePaths;
  readonly baseFile?: BaseFile;
  /** Where a run's packages are looked up; every change of a version asks where there is nothing to look them up in. */
  readonly advisories?: (run: RunView) => AdvisorySource | undefined;
  /** Where they are looked up when that source does not answer or must not be asked; undefined where nothing is stored. */
  readonly storedAdvisories?: (run: RunView) => AdvisorySource | undefined;
  /** How far a change reaches, by the code graph; unknown when not said. */
  readonly reachOf?: ReachOf;
  /** GitHub as people see it, without a final slash; github.com when not said. */
  readonly webUrl?: string;
  /** Where this server's approvals are answered, with a final slash; texts may lead to one of them. */
  readonly approvalsUrl?: string | undefined;
  /** Whether a hidden marker at a comment's end was made by this product for this run; no marker is its own when not said. */
  readonly isOwnMarker?: (marker: string, run: RunView) => boolean;
  /** Where secrets are looked for. When not said, in the thread that asks, where a pattern that hangs cannot be ended. */
  readonly scanner?: SecretScanner;
}
