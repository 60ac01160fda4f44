import type { CommandName } from "../../core/run.ts";
import { failed, type ActAlone } from "./act.ts";
import { asRun, review, whyNoGo } from "./as-run.ts";
import { help, unknown } from "./help.ts";

/**
 * The commands that a run can carry out which knows of no other: it plans, reviews and works as asked. The rest is about other runs, or about
 * what is kept between them.
 */
const ALONE: { readonly [name in CommandName]?: ActAlone } = {
  help,
  review,
  plan: asRun("plan"),
  // Which plan is meant stands on the thread, which every run reads.
  async go(context) {
    const { request, settings } = context;
    const why = settings.autonomy.mention === "publish" ? undefined : await whyNoGo(context);
    return why === undefined ? { do: "run", request: { ...request, trigger: "mention" } } : failed(why);
  },
  explain: asRun("explain"),
  describe: asRun("describe"),
  tests: asRun("tests"),
  changelog: asRun("changelog"),
};

/** Carries a command out where nothing is kept between runs. */
export const actAlone: ActAlone = (context, argument, command) => {
  if (command.name === "unknown") return unknown(context, argument, command);
  const act = ALONE[command.name];
  if (act !== undefined) return act(context, argument, command);
  return failed("This needs the App: as an Action I know of no other run, and keep nothing between them.");
};
