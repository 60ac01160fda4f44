import { isServed } from "../config/served.ts";
import type { Settings } from "../config/settings.ts";
import { memoryJournal } from "../core/memory-journal.ts";
import type { Actor } from "../core/run.ts";
import { readCurrentRepository } from "../github/repository.ts";
import type { StoredRun } from "../store/runs.ts";
import { readSettings } from "./read-settings.ts";
import { openRunContext, type RunContext, type RunDependencies } from "./run-context.ts";

/** What the configuration of this moment says of a stored run's repository, asked for by somebody who is not the run's own actor. */
export interface CurrentSettings {
  readonly context: RunContext;
  readonly settings: Settings;
}

/**
 * Reads it as a new run there would; in words, why there is nothing to read any more.
 * @throws {GitHubError} when GitHub does not tell: nothing may be assumed then.
 */
export async function readCurrentSettings(
  about: StoredRun,
  actor: Actor,
  dependencies: RunDependencies,
  signal: AbortSignal,
): Promise<CurrentSettings | string> {
  const open = (request: StoredRun["request"]) => openRunContext({ ...about, request }, memoryJournal(), signal, dependencies);
  // Another repository may stand under the old name by now: who may what is asked of the one with this id.
  const repository = await readCurrentRepository(open(about.request).session, about.request.repository);
  if (repository === undefined) return "The App can see this repository no more.";
  const { viaApp: _, ...asked } = about.request;
  const request = { ...asked, actor, repository: { ...asked.repository, owner: repository.owner, name: repository.name } };
  if (!isServed(dependencies.server?.repositories, request.repository)) return "The server does not work for this repository any more.";
  const context = open(request);
  return { context, settings: await readSettings(context, dependencies.server ?? {}) };
}
