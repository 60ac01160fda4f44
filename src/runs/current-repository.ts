import { isServed } from "../config/served.ts";
import type { Journal } from "../core/journal.ts";
import type { Run } from "../core/run.ts";
import { readCurrentRepository } from "../github/repository.ts";
import { changeRequest } from "../store/runs.ts";
import { endPhase } from "./phase-results.ts";
import { openRunContext, type RunDependencies } from "./run-context.ts";

/** Milliseconds in which a review that begins at once goes by the name that its delivery brought: each push has one, and it changes no branch. */
const FRESH_MS = 30_000;
/** One for its acceptance, one for its first work: a run that waited for an answer, or was handed back, has had more. */
const FIRST_ATTEMPTS = 2;

/**
 * The run with its repository as it is called now: it may have been renamed or transferred while the run was queued or waited, and another
 * repository may stand under its old name. A repository is known by its id. `gone` where the App can see it no more, which the run's page then
 * says: there is nobody else to be told.
 * @throws {GitHubError} when GitHub cannot be asked.
 */
export async function inCurrentRepository<R extends Run>(
  run: R,
  journal: Journal,
  signal: AbortSignal,
  dependencies: RunDependencies,
): Promise<R | "gone"> {
  const { database, server } = dependencies;
  // Without a database the run has only just been asked for.
  if (database === undefined) return run;
  if (run.request.trigger === "review" && run.attempt <= FIRST_ATTEMPTS && Date.now() - run.createdAt.getTime() < FRESH_MS) return run;
  const { repository } = run.request;
  const { session, log } = openRunContext(run, journal, signal, dependencies);
  const now = await readCurrentRepository(session, repository);
  if (now === undefined || !isServed(server?.repositories, now)) {
    const why = now !== undefined ? "the server does not work for it under its new name" : "the App can see it no more";
    log.warn({ repository: repository.id, why }, "a run's repository is gone");
    const turn = journal.entries.filter(({ kind }) => kind === "turn").length;
    await journal.append({ kind: "note", turn, text: `[gone] ${repository.owner}/${repository.name}: ${why}. The run ends here.` });
    await endPhase(journal, "report", { end: "failed" });
    return "gone";
  }
  const { owner, name } = now;
  if (owner === repository.owner && name === repository.name) return run;
  log.info({ from: `${repository.owner}/${repository.name}`, to: `${owner}/${name}` }, "a run follows its repository");
  const request = { ...run.request, repository: { ...repository, owner, name } };
  await changeRequest(database, run, request);
  return { ...run, request };
}
