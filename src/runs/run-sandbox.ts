import type { RunRequest } from "../core/run.ts";
import type { Authorized } from "./phase-results.ts";
import type { RunDependencies } from "./run-context.ts";

const RUN_SHELL = "run_shell";

/**
 * What a run may use of the product. Where the operator has traded the sandbox for something weaker, runs that a fork's pull request or
 * nobody's request started have none at all, and no tool that runs commands: who chose their text is not known.
 */
export function confined(dependencies: RunDependencies, request: RunRequest, { pin, profile }: Authorized): RunDependencies {
  const { sandbox, ...rest } = dependencies;
  if (sandbox === undefined || sandbox.level === "strong" || sandbox.level === "partial") return dependencies;
  const isForeign = pin?.pull !== undefined && !pin.pull.sameRepository;
  const isTrusted = profile === "write" && !isForeign && request.unasked !== true && request.byBot !== true && !request.actor.isBot;
  return isTrusted ? dependencies : { ...rest, tools: rest.tools.filter(({ name }) => name !== RUN_SHELL) };
}
