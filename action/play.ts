import { networkVariables, useProxies } from "../src/commands/network.ts";
import { silent } from "../src/core/log.ts";
import { createLedger } from "../src/gate/mint.ts";
import { createReader } from "../src/github/reader.ts";
import type { Outcome } from "./outcome.ts";
import type { PlayOptions } from "./perform.ts";
import { sendAhead } from "./send-ahead.ts";
import { openSession } from "./session.ts";

/**
 * Does what the event calls for, from its first request to GitHub to its last. The first one is on its way while the rest of the bundle is
 * loaded: GitHub takes about as long for its answer as Node for that.
 * @throws {SallyportError} for what stands in its way before anything was written.
 */
export async function play(options: PlayOptions): Promise<Outcome> {
  const { inputs, event, wanted, variables } = options;
  useProxies(networkVariables(variables));
  const ahead = sendAhead(async (fetch) => {
    const once = () => Promise.reject(new Error("It is asked once."));
    const session = openSession({ inputs, variables, ledger: createLedger(), log: silent, fetch, sleep: once });
    // What every run reads first: `readSettings` the default branch, and a task its repository.
    if (wanted.kind === "task") return await createReader(session, { id: 0, ...event.repository }).repository();
    const { repository } = wanted.request;
    return await createReader(session, repository).branchTip(repository.defaultBranch);
  });
  await ahead.gone;
  const { perform } = await import("./perform.ts");
  return await perform({ ...options, fetch: ahead.fetch });
}
