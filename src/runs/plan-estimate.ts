import type { Database } from "../store/sql.ts";
import { usualCost } from "../store/usual-cost.ts";
import { dollars } from "../text/dollars.ts";
import type { Ending } from "./phases/report.ts";
import type { RunContext } from "./run-context.ts";

/** A plan's ending with what carrying it out may cost: what runs that published something have used here, and what the limit is. */
export async function withEstimate({ request, settings }: RunContext, database: Database | undefined, ending: Ending): Promise<Ending> {
  const { conversation } = ending;
  if (request.command?.name !== "plan" || database === undefined || conversation?.end !== "stop") return ending;
  const limit = `at most ${dollars(settings.max_usd)} (\`max_usd\`)`;
  const usual = await usualCost(database, request.repository.id);
  const estimate =
    usual !== undefined
      ? `To carry it out takes about ${dollars(usual)}, as runs here did on average, and ${limit}.`
      : conversation.usd === undefined
        ? "What it takes to carry it out is not known: the model has no price."
        : `To carry it out takes ${limit}; no run of this repository tells more yet.`;
  return { ...ending, nothing: [ending.nothing ?? "Planned; nothing was changed.", estimate].join(" ") };
}
