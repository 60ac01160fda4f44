import type { Finding } from "../../core/result.ts";
import type { ChangedFile, ReadDependencies } from "../dependencies/dependency-change.ts";
import type { GateRule } from "../rule.ts";

const NAME = "manifests";

/**
 * What cannot be judged is not let through: a manifest or lockfile that was readable stays so (parsers that disagree about a file install
 * different packages from it), and what is read only in part asks a person when the rest changes.
 */
export function manifestsRule({ read }: { readonly read: ReadDependencies }): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    check: async (judged, run) => (await read(judged, run)).changed.flatMap(judgeFile),
  };
}

function judgeFile({ path, ecosystem, before, after, isNew, unreadable }: ChangedFile): readonly Finding[] {
  const found = (severity: Finding["severity"], why: string, fix: string): readonly Finding[] => [
    { rule: NAME, severity, where: { path }, why, fix },
  ];
  if (ecosystem === undefined) {
    return found("ask", "it names dependencies in a form that is not read here", "A person looks at what it adds.");
  }
  if (unreadable !== undefined) {
    return unreadable.couldBefore
      ? found("block", `it ${unreadable.why}`, "Write it in the plain form that its tools write, so that it has one reading.")
      : found("ask", `what it adds cannot be told: it ${unreadable.why}`, "A person looks at it.");
  }
  if (after?.rest === undefined || after.rest === (isNew ? "" : before.rest)) return [];
  return found("ask", "more of it changes than the names and versions of packages", "Change only those, or let a person look at the rest.");
}
