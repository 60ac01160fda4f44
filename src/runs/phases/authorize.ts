import { messageOf, StaleAttemptError } from "../../core/errors.ts";
import type { Pin, PullPin } from "../../core/run.ts";
import { GitHubError } from "../../github/errors.ts";
import { holds } from "../../github/permission.ts";
import { endPhase, phaseResult, type Authorized } from "../phase-results.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import { scopeOf } from "../run-scope.ts";

/**
 * The first phase, carried out as an act: may they ask, the eyes, and the commits that the run will work on. Answers `drop` for whoever
 * lacks the permission: they get no answer at all.
 * @throws {GitHubError} when the permission cannot be asked; nobody is let in then.
 */
export async function authorize(context: RunContext, { scopes, settings }: RunDependencies): Promise<"go" | "drop"> {
  const { journal, reader, request, log } = context;
  if (phaseResult(journal, "authorize") !== undefined) return "go";
  const held = await reader.permission(request.actor);
  if (!holds(held, settings.permission)) {
    log.info({ actor: request.actor.login, held, needed: settings.permission }, "the asker lacks the permission");
    return "drop";
  }
  using _scope = scopes.register(context.run.id, () => scopeOf(request, undefined, journal, undefined));
  await setEyes(context);
  const pinned = await readPin(context);
  context.signal.throwIfAborted();
  if (pinned === "gone") {
    log.warn({ number: request.thread.number }, "the thread of the request is gone");
    return "drop";
  }
  const isForeign = pinned?.pull !== undefined && !pinned.pull.sameRepository;
  const result: Authorized = { ...(pinned === undefined ? {} : { pin: pinned }), profile: isForeign ? "read" : "write" };
  await endPhase(journal, "authorize", result);
  context.tell({ kind: "phase", run: context.view, phase: "authorize" });
  return "go";
}

/** A sign that the request was seen. Its failure is no failure of the run. */
async function setEyes({ request, submit, log, signal }: RunContext): Promise<void> {
  const { source, repository } = request;
  // GitHub has no reactions on whole reviews.
  if (source.kind === "review") return;
  const kind = source.kind === "pull-request" ? "issue" : source.kind;
  try {
    await submit({ kind: "reaction", repository, target: { kind, id: source.id }, content: "eyes" }, { key: "eyes", unrecorded: true });
  } catch (error) {
    // A process that stops hands the run back: the next one sets them.
    signal.throwIfAborted();
    if (error instanceof StaleAttemptError) throw error;
    log.warn({ error: messageOf(error) }, "the eyes could not be set");
  }
}

/** The commits of the run, read once; undefined for a repository without a commit, `gone` when the pull request is not there. */
async function readPin({ reader, request }: RunContext): Promise<Pin | "gone" | undefined> {
  const { thread, repository } = request;
  if (thread.kind === "pull-request") {
    const pull = request.pull ?? (await reader.pull(thread.number));
    if (pull === undefined) return "gone";
    return { commit: pull.headSha, base: { ref: pull.baseRef, sha: pull.baseSha }, pull: plain(pull) };
  }
  try {
    const sha = await reader.branchTip(repository.defaultBranch);
    return sha === undefined ? undefined : { commit: sha, base: { ref: repository.defaultBranch, sha } };
  } catch (error) {
    if (error instanceof GitHubError && error.code === "empty-repository") return undefined;
    throw error;
  }
}

function plain({ number, headRef, headSha, baseRef, baseSha, sameRepository, ownPull }: PullPin): PullPin {
  return { number, headRef, headSha, baseRef, baseSha, sameRepository, ownPull };
}
