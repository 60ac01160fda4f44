import type { CommandName } from "../../core/run.ts";
import { codeSpan } from "../../text/code-span.ts";
import { done, type ActAlone } from "./act.ts";

/** What each command does, in one line; the order is the one in which people read them. */
const LINES: Readonly<Record<CommandName, readonly [usage: string, says: string]>> = {
  help: ["help", "shows this"],
  plan: ["plan <what>", "looks, changes nothing, and posts a plan"],
  go: ["go", "carries the last plan out"],
  review: ["review", "reviews the pull request"],
  explain: ["explain", "explains what the thread or the pull request is about"],
  describe: ["describe", "describes the pull request's change"],
  tests: ["tests", "writes tests for the change"],
  changelog: ["changelog", "writes the changelog entry for the change"],
  stop: ["stop", "ends the runs of this thread; nothing of them is published any more"],
  retry: ["retry", "runs the last request of this thread again"],
  approve: ["approve <id>", "lets through what a run has asked about"],
  deny: ["deny <id>", "refuses what a run has asked about"],
  usage: ["usage", "shows the tokens and the cost of this thread, and of the repository today"],
  mute: ["mute", "lets me be silent on this thread, commands aside"],
  unmute: ["unmute", "lets me listen again"],
  remember: ["remember <fact>", "keeps a fact about this repository"],
  forget: ["forget <key>", "drops such a fact"],
  ignore: ["ignore", "below one of my remarks: it is not made again"],
};

export const help: ActAlone = ({ handle }) => {
  const rows = Object.values(LINES).map(([usage, says]) => `- ${codeSpan(`@${handle} ${usage}`)} ${says}`);
  const intro = "These are the commands. Whatever else you say to me is a request, in your own words.";
  return done(`${intro}\n\n${rows.join("\n")}`);
};

/** How a command is written, with what stands behind its word. */
export function usageOf(name: CommandName, handle: string): string {
  return codeSpan(`@${handle} ${LINES[name][0]}`);
}

/** One word that is no command. */
export const unknown: ActAlone = ({ handle }, _, command) => {
  if (command.name !== "unknown") throw new TypeError(`${command.name} is a command`);
  const meant = usageOf(command.nearest, handle);
  return {
    do: "answer",
    state: "failed",
    text: `There is no command ${codeSpan(command.word)}. Did you mean ${meant}? ${usageOf("help", handle)} lists them all; a request needs more than one word.`,
  };
};
