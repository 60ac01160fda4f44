import type { RunRequest } from "../core/run.ts";
import { codeSpan } from "../text/code-span.ts";
import type { Ending } from "./phases/report.ts";

/** An ending that says what the run was about, where no question on its thread does. */
export function withSubject({ ci, trigger, quiet }: RunRequest, ending: Ending): Ending {
  if (ending.nothing !== undefined || ending.failure !== undefined) return ending;
  if (ci !== undefined) {
    const attempt = ci.attempt === 1 ? "" : `, attempt ${ci.attempt}`;
    return {
      ...ending,
      nothing: `Looked at ${codeSpan(ci.workflow, 120)}, which failed on ${codeSpan(ci.branch, 120)} at ${ci.headSha.slice(0, 10)}${attempt}.`,
    };
  }
  if (trigger === "triage" && quiet === true) return { ...ending, nothing: "Looked at this issue." };
  return trigger === "task" ? { ...ending, nothing: "Carried out what the schedule asks for." } : ending;
}
