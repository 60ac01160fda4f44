import { setTimeout as sleep } from "node:timers/promises";
import { gateSettings, type GateSettings } from "../../config/gate-policy.ts";
import { readLayer, type Fault } from "../../config/read-layer.ts";
import { messageOf } from "../../core/errors.ts";
import { GitHubError } from "../../github/errors.ts";
import { holds } from "../../github/permission.ts";
import { readRun } from "../../store/runs.ts";
import type { Git } from "../../workspace/git.ts";
import { actorOf, type Answerer, type WithDatabase } from "../answers.ts";
import { readCurrentSettings } from "../current-settings.ts";
import { replayRun, type ReplayReport } from "./replay-run.ts";
import { openReplaySources, readRecorded } from "./replay-sources.ts";

/** What came of a replay; `why` is for whoever asked for it. */
export type Replayed =
  | { readonly status: "replayed"; readonly report: ReplayReport }
  /** What was given as the policy is none. */
  | { readonly status: "faulty"; readonly faults: readonly Fault[] }
  /** `again`: worth another try in a moment. */
  | { readonly status: "failed"; readonly why: string; readonly again: boolean };

/** Recorded runs judged once more, for people who look at them: without a model, without a write, and nothing of them is executed. */
export interface Replays {
  /** Why somebody may not have a run replayed: undefined where they may, and where the run is not kept. */
  whyNot(runId: string, who: Answerer): Promise<string | undefined>;
  /** By the policy of this moment, or by another one, written like `.github/sallyport.yml`, over the server's own. */
  replay(runId: string, policy: string | undefined, who: Answerer): Promise<Replayed>;
}

export interface ReplaysOptions {
  readonly dependencies: WithDatabase;
  /** Absolute. */
  readonly dataDir: string;
  readonly git: Git;
  /** Milliseconds for one, GitHub's answers included. */
  readonly within?: number;
}

const WITHIN_MS = 45_000;
const GONE = "This run is not kept any more.";
const UNTOLD = "GitHub does not tell now what holds for this repository. Try again in a moment.";

/** One at a time in a process: it takes the processor from runs at work. */
export function createReplays({ dependencies, dataDir, git, within = WITHIN_MS }: ReplaysOptions): Replays {
  const { database, log, server = {} } = dependencies;
  let isBusy = false;

  /** What holds for the run's repository now; in words, why that cannot be told. */
  async function current(runId: string, who: Answerer, signal: AbortSignal) {
    const about = await readRun(database, runId);
    return about === undefined ? GONE : readCurrentSettings(about, actorOf(who), dependencies, signal);
  }

  /** Asks GitHub; in words, that it does not answer. */
  async function told<T>(runId: string, ask: () => Promise<T>): Promise<T | typeof UNTOLD> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof GitHubError) && !(error instanceof DOMException)) throw error;
      log.warn({ run: runId, error: messageOf(error) }, "what holds for a repository now could not be told");
      return UNTOLD;
    }
  }

  async function judgeAgain(runId: string, settings: GateSettings, signal: AbortSignal): Promise<Replayed> {
    const recorded = await readRecorded(database, runId);
    if (recorded === undefined) return { status: "failed", why: GONE, again: false };
    await using sources = await openReplaySources({ database, dataDir, git });
    const { bases, blobs } = sources;
    return { status: "replayed", report: await replayRun(recorded, { bases, blobs, judge: sources.judgeBy(settings), signal }) };
  }

  async function replay(runId: string, policy: string | undefined, who: Answerer, signal: AbortSignal): Promise<Replayed> {
    if (policy !== undefined) {
      const reading = readLayer(policy, "repository");
      if (reading.status === "faulty") return { status: "faulty", faults: reading.faults };
      return judgeAgain(runId, gateSettings([server.gate ?? {}, reading.settings.gate ?? {}]), signal);
    }
    const found = await told(runId, () => current(runId, who, signal));
    if (typeof found === "string") return { status: "failed", why: found, again: found === UNTOLD };
    return judgeAgain(runId, found.settings.gate, signal);
  }

  return {
    async whyNot(runId, who) {
      if (who === "operator" || (await readRun(database, runId)) === undefined) return undefined;
      return told(runId, async () => {
        const found = await current(runId, who, AbortSignal.timeout(within));
        if (typeof found === "string") return found;
        const { permission } = found.settings.gate.approvals;
        const held = await found.context.reader.permission(actorOf(who));
        return holds(held, permission) ? undefined : `To have this replayed, one needs the permission ${permission} in this repository.`;
      });
    },
    async replay(runId, policy, who) {
      if (isBusy) return { status: "failed", why: "Another run is replayed at this moment. Try again in a moment.", again: true };
      isBusy = true;
      const signal = AbortSignal.timeout(within);
      // Where it hangs, whoever waits is answered all the same; the next one begins once it has ended.
      const work = replay(runId, policy, who, signal).finally(() => (isBusy = false));
      const late = sleep(within, undefined, { ref: false }).then((): Replayed => {
        return { status: "failed", why: `It took longer than ${within / 1000} s and was given up.`, again: false };
      });
      try {
        return await Promise.race([work, late]);
      } catch (error) {
        if (signal.aborted) return await late;
        log.warn({ run: runId, error: messageOf(error) }, "a run could not be replayed");
        return { status: "failed", why: "It could not be replayed; the server's log says why.", again: true };
      }
    },
  };
}
