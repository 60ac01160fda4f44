import { messageOf, StaleAttemptError } from "../../core/errors.ts";
import type { Pin, PullPin } from "../../core/run.ts";
import { GitHubError } from "../../github/errors.ts";
import { holds, type Permission } from "../../github/permission.ts";
import { endPhase, phaseResult, type Authorized } from "../phase-results.ts";
import { reportFaults } from "../report-faults.ts";
import { isReadOnly } from "../autonomy.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import { scopeOf } from "../run-scope.ts";

/**
 * May they ask, and the eyes. Who lacks the permission gets no answer at all. `needed`, where it is not the one that the configuration asks
 * of everybody.
 * @throws {GitHubError} when the permission cannot be asked; nobody is let in then.
 */
export async function admit(context: RunContext, { scopes, faultReports }: RunDependencies, needed: Permission): Promise<boolean> {
  const { journal, reader, request, log } = context;
  for (const { login, id } of request.ci?.people ?? [request.actor]) {
    const held = await reader.permission({ login, id });
    if (holds(held, needed)) continue;
    log.info({ actor: login, held, needed }, "the asker lacks the permission");
    return false;
  }
  using _scope = scopes.register(context.run.id, () => scopeOf(request, undefined, journal, undefined));
  await setEyes(context);
  await reportFaults(context, faultReports);
  return true;
}

/**
 * The first phase, carried out as an act: may they ask, the eyes, and the commits that the run will work on. Answers `drop` for whoever
 * lacks the permission.
 * @throws {GitHubError} when the permission cannot be asked; nobody is let in then.
 */
export async function authorize(context: RunContext, dependencies: RunDependencies): Promise<"go" | "drop"> {
  const { journal, request, log, settings } = context;
  if (phaseResult(journal, "authorize") !== undefined) return "go";
  if (request.unasked === true) await reportUnasked(context, dependencies);
  else if (!(await admit(context, dependencies, settings.permission))) return "drop";
  const pinned = await readPin(context);
  context.signal.throwIfAborted();
  if (pinned === "gone") {
    log.warn({ number: request.thread.number }, "the thread of the request is gone");
    return "drop";
  }
  if (request.onlyHead !== undefined && pinned?.commit !== request.onlyHead) {
    log.info({ head: request.onlyHead, now: pinned?.commit }, "the head that was to be reviewed is not the newest any more");
    return "drop";
  }
  const isForeign = pinned?.pull !== undefined && !pinned.pull.sameRepository;
  const looksOnly = isReadOnly(request, settings);
  const result: Authorized = { ...(pinned === undefined ? {} : { pin: pinned }), profile: isForeign || looksOnly ? "read" : "write" };
  await endPhase(journal, "authorize", result);
  context.tell({ kind: "phase", run: context.view, phase: "authorize" });
  return "go";
}

/** Nobody asked, so nobody is asked for a permission; that the configuration is faulty is said all the same. */
async function reportUnasked(context: RunContext, { scopes, faultReports }: RunDependencies): Promise<void> {
  using _scope = scopes.register(context.run.id, () => scopeOf(context.request, undefined, context.journal, undefined));
  await reportFaults(context, faultReports);
}

/** A sign that the request was seen. Its failure is no failure of the run. */
async function setEyes({ request, submit, log, signal }: RunContext): Promise<void> {
  const { source, repository } = request;
  if (request.quiet === true) return;
  // GitHub has no reactions on whole reviews, nor on what is no part of a conversation.
  if (source.kind === "review" || source.kind === "workflow-run" || source.kind === "schedule") return;
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
  const { thread, repository, ci } = request;
  if (ci !== undefined && thread.kind !== "pull-request") return { commit: ci.headSha, base: { ref: ci.branch, sha: ci.headSha } };
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
