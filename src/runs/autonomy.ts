import type { JobKind, Settings } from "../config/settings.ts";
import type { CommandName, RunRequest } from "../core/run.ts";

/** The job kind of a request: what somebody asks for in one word is asked for as a mention is. */
export function kindOf(trigger: RunRequest["trigger"]): JobKind {
  return trigger === "command" || trigger === "gate" ? "mention" : trigger;
}

const LOOKS_ONLY: readonly (CommandName | "unknown")[] = ["plan", "explain", "describe"];

/** Whether a command is one whose answer is all that comes of it. */
export function looksOnly(command: RunRequest["command"]): boolean {
  return command !== undefined && LOOKS_ONLY.includes(command.name);
}

/** Whether a run may look and speak, and change nothing. */
export function isReadOnly({ trigger, command, ci }: RunRequest, { autonomy, ci: failed }: Settings): boolean {
  if (looksOnly(command) || trigger === "review" || trigger === "triage") return true;
  if (ci !== undefined && failed.mode !== "fix") return true;
  const how = autonomy[kindOf(trigger)];
  return how === "read" || (how === "plan" && command?.name !== "go");
}

/** What the model is told where a repository wants a plan before anything is done. */
const PLAN_FIRST =
  "Only plan this: look, change nothing, and answer with the steps, the files that they would touch, how far each change would reach, and what could go wrong. Somebody will say `go` to have it carried out.";

/** Words that change nothing, and the one that carries a plan out. */
const AS_IT_IS: readonly (CommandName | "unknown")[] = ["plan", "go", "explain", "describe"];

/** The request as a plan, where the repository wants one first; the same request where it does not. */
export function planFirst(request: RunRequest, { autonomy }: Settings): RunRequest {
  const { trigger, command } = request;
  const isOfItsKind = trigger === "mention" || trigger === "ci" || trigger === "task";
  if (!isOfItsKind || autonomy[kindOf(trigger)] !== "plan" || (command !== undefined && AS_IT_IS.includes(command.name))) return request;
  return { ...request, command: { name: "plan" }, text: [request.text, PLAN_FIRST].filter((part) => part !== "").join("\n\n") };
}
