import { spentOn, type Spent } from "../../store/threads.ts";
import { dollars } from "../../text/dollars.ts";
import { done, type Act } from "./act.ts";

/** What the thread has used, and the repository today (in UTC), from the journals of their runs. */
export const usage: Act = async ({ database, thread, request }) => {
  const midnight = new Date(new Date().setUTCHours(0, 0, 0, 0));
  const [here, today] = await Promise.all([
    spentOn(database, { thread }),
    spentOn(database, { repositoryId: request.repository.id, since: midnight }),
  ]);
  return done(`What the model has used:\n\n- on this thread: ${inWords(here)}\n- in this repository today (UTC): ${inWords(today)}`);
};

function inWords({ runs, usage: { input, output, cached }, usd, unpriced }: Spent): string {
  if (runs === 0) return "nothing";
  const count = (tokens: number): string => tokens.toLocaleString("en");
  const cost =
    unpriced > 0 && usd === 0 ? "cost unknown" : `${dollars(usd)}${unpriced > 0 ? ` and ${unpriced} turns of unknown price` : ""}`;
  const tokens = `${count(input + output)} tokens (${count(input)} in, of which ${count(cached)} cached, ${count(output)} out)`;
  return `${tokens}, ${cost}, in ${runs} ${runs === 1 ? "run" : "runs"}`;
}
