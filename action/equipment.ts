import { openModels } from "../src/model/open-models.ts";
import type { RunDependencies } from "../src/runs/run-context.ts";
import { createTools } from "../src/tools/registry.ts";
import { openSandbox, type SandboxWish } from "../src/workspace/sandbox/open-sandbox.ts";
import { locateRipgrep } from "../src/workspace/search/locate-ripgrep.ts";
import { ripgrepSearch } from "../src/workspace/search/ripgrep.ts";
import { scanSearch } from "../src/workspace/search/scan.ts";
import { openBuildGraph } from "./code-graph.ts";
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
    buildGraph: openBuildGraph(inputs.graphCache),
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
