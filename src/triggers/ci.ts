import type { z } from "zod";
import type { Actor, FailedRun, Ignored, RunRequest } from "../core/run.ts";
import { ignored, isBotAccount, repositoryOf, sameName, type Context } from "./accept.ts";
import type { User, workflowRunEvent } from "./payload.ts";

/**
 * A workflow run that failed. Its pull request is looked for when the request is accepted: here it has no thread yet. Whoever pushed and
 * whoever had it run must both hold the permission; the App itself may be either, since it works for people who held it.
 */
export function failedCi(payload: z.infer<typeof workflowRunEvent>, { identity }: Context): RunRequest | Ignored {
  const { workflow_run: run, repository } = payload;
  const { conclusion, head_branch: branch, run_attempt: attempt } = run;
  if (conclusion !== "failure" && conclusion !== "timed_out") return ignored(`the workflow run ended as ${conclusion ?? "nothing"}`);
  if (repository.archived === true) return ignored("the repository is archived");
  if (branch === "") return ignored("the workflow run is on no branch");
  if (!run.actor || !run.triggering_actor) return ignored("the account that had the workflow run is gone");
  const isOwn = (user: User): boolean => sameName(user.login, identity.botLogin);
  const people = [run.actor, run.triggering_actor].filter((user) => !isOwn(user)).map(actorOf);
  const [actor = actorOf(run.actor)] = people;
  const workflow = run.name === "" ? run.path : run.name;
  const ci: FailedRun = {
    runId: run.id,
    attempt: attempt ?? 1,
    workflow,
    path: run.path,
    branch,
    headSha: run.head_sha,
    ...(run.head_repository ? { head: { id: run.head_repository.id, owner: run.head_repository.owner.login } } : {}),
    people: people.filter(({ id }, index) => people.findIndex((other) => other.id === id) === index),
    ...(isOwn(run.actor) ? { isOwn: true } : {}),
  };
  return {
    trigger: "ci",
    // One run per run and attempt, however often and under whatever id GitHub tells of it.
    deliveryId: `ci:${repository.id}:${ci.runId}:${ci.attempt}`,
    repository: repositoryOf(payload),
    thread: { kind: "none", number: 0 },
    slot: `ci:${ci.runId}`,
    actor,
    source: { kind: "workflow-run", id: ci.runId },
    title: `${workflow} failed on ${branch}`,
    body: "",
    text: "",
    quiet: true,
    ci,
  };
}

function actorOf(user: User): Actor {
  return { id: user.id, login: user.login, isBot: isBotAccount(user) };
}
