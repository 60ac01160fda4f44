import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { gateSettings, type GateLayer, type GateSettings } from "../config/gate-policy.ts";
import { readGoodLayer } from "../config/read-layer.ts";
import { readServerFile } from "../config/server-file.ts";
import { SallyportError } from "../core/errors.ts";
import { silent } from "../core/log.ts";
import { replayRun } from "../runs/replay/replay-run.ts";
import { openReplaySources, readRecorded } from "../runs/replay/replay-sources.ts";
import { rejudgeRuns } from "../runs/replay/time-machine.ts";
import { openDatabase } from "../store/database.ts";
import { runsWithChanges, type RecordedRun } from "../store/recorded.ts";
import { openGit } from "../workspace/git.ts";
import { renderReplay, renderTimeMachine } from "./replay/render.ts";

export interface ReplayOptions {
  /** A run's id; without one the changes of `last` are judged. */
  readonly run: string | undefined;
  /** A configuration file whose `gate` is the other policy; for one run its own recorded one when left out. */
  readonly policy: string | undefined;
  /** `90d`, `12h`. */
  readonly last: string | undefined;
  readonly json: boolean;
  /** Absolute. */
  readonly cwd: string;
}

export interface ReplayWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
}

const DATA_DIR = "./.sallyport";
const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168 };

/**
 * `sallyport replay`: goes through a recorded run, or all changes of some days, once more under another policy, without a model and without a word
 * to GitHub. Answers the exit status. @throws {SallyportError} for a run that is not kept, a file that cannot be read, a database that is in use.
 */
export async function replay({ run, policy, last, json, cwd }: ReplayOptions, { variables, write }: ReplayWorld): Promise<number> {
  const since = readWish({ run, policy, last });
  const other = policy === undefined ? undefined : await readPolicy(resolve(cwd, policy), variables, cwd);
  const dataDir = resolve(cwd, variables["SALLYPORT_DATA_DIR"]?.trim() || DATA_DIR);
  const url = variables["DATABASE_URL"]?.trim() || undefined;
  const database = await openDatabase({ ...(url === undefined ? {} : { url }), directory: dataDir, log: silent });
  try {
    const git = openGit({ path: variables["PATH"] ?? "" });
    await using opened = await openReplaySources({ database, dataDir, git });
    const sources = { bases: opened.bases, blobs: opened.blobs };
    if (run !== undefined) {
      const recorded = await readRecorded(database, run);
      if (recorded === undefined) {
        const hint = "Runs are deleted some time after their end.";
        throw new SallyportError(`There is no run ${JSON.stringify(run)}.`, { code: "no-run", hint });
      }
      const report = await replayRun(recorded, { ...sources, judge: opened.judgeBy(other ?? recordedPolicy(recorded)) });
      write(json ? `${JSON.stringify(report, null, 2)}\n` : renderReplay(report));
    } else {
      const judge = opened.judgeBy(other ?? gateSettings([]));
      const report = await rejudgeRuns({ ...sources, runs: runsWithChanges(database, since), judge });
      write(json ? `${JSON.stringify(report, null, 2)}\n` : renderTimeMachine(report));
    }
    return 0;
  } finally {
    await database.close();
  }
}

/** Since when. @throws {SallyportError} for what cannot be meant. */
function readWish({ run, policy, last }: Pick<ReplayOptions, "run" | "policy" | "last">): Date {
  const hint = "sallyport replay --help shows how it is called.";
  if (run !== undefined && last !== undefined)
    throw new SallyportError("It replays a run, or what was last, and not both.", { code: "misused", hint });
  if (run !== undefined) return new Date(0);
  if (last === undefined || policy === undefined) {
    throw new SallyportError("It needs a run, or --policy and --last.", { code: "misused", hint });
  }
  const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(last) ?? [];
  if (count === undefined) throw new SallyportError(`--last ${JSON.stringify(last)} is no time such as 90d.`, { code: "misused", hint });
  return new Date(Date.now() - Number(count) * (HOURS[unit] ?? 0) * 3_600_000);
}

/** The policy that a file makes over the server's own, as it would for a repository. */
async function readPolicy(file: string, variables: ReplayWorld["variables"], cwd: string): Promise<GateSettings> {
  const named = variables["SALLYPORT_CONFIG"]?.trim() ?? "";
  const server = readServerFile(named === "" ? undefined : resolve(cwd, named)).gate ?? {};
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new SallyportError(`The policy ${file} cannot be read.`, {
      code: "no-policy",
      cause,
      hint: "Name a file like .github/sallyport.yml.",
    });
  }
  const layer: GateLayer = readGoodLayer(text, file, "repository").gate ?? {};
  return gateSettings([server, layer]);
}

function recordedPolicy({ entries }: RecordedRun): GateSettings {
  const row = entries.findLast((entry) => entry.kind === "settings");
  const { gate } = (row?.kind === "settings" ? row.settings : {}) as { readonly gate?: Partial<GateSettings> };
  // A row of an older version lacks what came since.
  return { ...gateSettings([]), ...gate };
}
