import { join } from "node:path";
import { buildGraph } from "../src/graph/build-graph.ts";
import { DamagedFactsError } from "../src/graph/cache/lazy-facts.ts";
import { openPackFile } from "../src/graph/cache/pack-file.ts";
import { FACTS_VERSION } from "../src/graph/facts.ts";
import type { BuildGraph } from "../src/graph/live.ts";
import { openModels } from "../src/model/open-models.ts";
import type { RunDependencies } from "../src/runs/run-context.ts";
import { createTools } from "../src/tools/registry.ts";
import { openSandbox, type SandboxWish } from "../src/workspace/sandbox/open-sandbox.ts";
import { locateRipgrep } from "../src/workspace/search/locate-ripgrep.ts";
import { ripgrepSearch } from "../src/workspace/search/ripgrep.ts";
import { scanSearch } from "../src/workspace/search/scan.ts";
import type { Inputs } from "./inputs.ts";
import type { StepLog } from "./log.ts";

export interface EquipmentOptions {
  readonly inputs: Pick<Inputs, "models" | "apiKey" | "baseUrl" | "graphCache">;
  /** Where programs are looked for. */
  readonly path: string;
  /** What the workflow says about where commands run. */
  readonly wish: Promise<SandboxWish>;
  readonly log: StepLog;
}

/** What a run works with, once it was let in. */
export type Equipment = Pick<RunDependencies, "buildGraph" | "models" | "tools" | "sandbox">;

const DEFAULT_MODEL = "gpt-5";

/**
 * Looks at the machine, and opens the model. Loaded by itself: whoever asks GitHub first need not wait for it.
 * @throws {ConfigurationError} for a sandbox that is not wished for as it must be.
 */
export async function equip({ inputs, path, wish, log }: EquipmentOptions): Promise<Equipment> {
  const { models, apiKey, baseUrl } = inputs;
  const [{ sandbox, reason }, ripgrep] = await Promise.all([openSandbox(await wish, { path, log }), locateRipgrep(path)]);
  log.info({ sandbox: sandbox?.backend ?? "none", level: sandbox?.level ?? "none", why: reason }, "sandbox probed");
  const search = ripgrep === undefined ? scanSearch() : ripgrepSearch({ binary: ripgrep });
  return {
    buildGraph: inputs.graphCache === undefined ? (files) => buildGraph({ files }) : keptIn(inputs.graphCache),
    models: openModels({
      api: "chat",
      names: models.length === 0 ? [DEFAULT_MODEL] : models,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      log,
    }),
    tools: createTools({ sandbox: sandbox !== undefined, search }),
    ...(sandbox === undefined ? {} : { sandbox }),
  };
}

/** Begins with the graph of an earlier run, and keeps the one that this run begins with. */
function keptIn(folder: string): BuildGraph {
  return async (files) => {
    const pack = openPackFile(join(folder, `graph-${FACTS_VERSION}.pack`));
    try {
      const live = await buildGraph({ files, cache: pack.cache, kept: pack.kept });
      await pack.save();
      return live;
    } catch (error) {
      if (!(error instanceof DamagedFactsError)) throw error;
      return await buildGraph({ files });
    }
  };
}
