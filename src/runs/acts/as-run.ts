import type { CommandName, RunRequest } from "../../core/run.ts";
import { HELP_1 } from "../../agent/prompts/help-1.ts";
import { holds } from "../../github/permission.ts";
import { threadRuns } from "../../store/threads.ts";
import { codeSpan } from "../../text/code-span.ts";
import { done, failed, type Act, type ActAlone, type ActContext } from "./act.ts";
import { usageOf } from "./help.ts";
import { whyNotOfTeams } from "./may-answer.ts";

/** What the model is told to do, behind the words of whoever asks. */
const TASKS: { readonly [name in CommandName]?: string } = {
  ...HELP_1,
  remember: "Keep the fact above with remember_fact, under a short key that says what it is about, and say under which.",
  forget: "Drop the fact that is meant above with forget_fact; look with recall_facts when the key is not clear.",
  plan: "Only plan this: look, change nothing, and answer with the steps, the files that they would touch, how far each change would reach, and what could go wrong.",
};

/** A command that a model carries out: a run whose request says in words what the command means. */
export function asRun(name: CommandName): ActAlone {
  return ({ request }) => ({ do: "run", request: worded(request, TASKS[name] ?? "") });
}

/** The same, of what only a pull request has: a change. */
export function aboutPull(name: "describe" | "tests" | "changelog"): Act {
  return (context, argument, command) => {
    const { thread } = context.request;
    if (thread.kind === "pull-request") return asRun(name)(context, argument, command);
    return failed(`#${thread.number} is an issue, and ${codeSpan(name)} is about a pull request's change: there is none here.`);
  };
}

/** Reviews the whole pull request of the thread. */
export const review: ActAlone = ({ request }) =>
  request.thread.kind === "pull-request"
    ? { do: "run", request: { ...request, trigger: "review" } }
    : failed(`#${request.thread.number} is an issue: there is no pull request to review.`);

/** A command that says nothing without words of its own. */
export function withWords(name: "remember" | "forget"): Act {
  return (context, argument, command) =>
    argument === undefined ? failed(`Say ${usageOf(name, context.handle)}.`) : asRun(name)(context, argument, command);
}

/** Carries the last plan of the thread out, for who may approve; where nobody has planned anything, it is a request like any other. */
export const go: Act = async (context) => {
  const { database, thread, run, request, settings } = context;
  const plan = (await threadRuns(database, thread, run.id)).find(({ request: { command } }) => command?.name === "plan");
  if (plan === undefined && settings.autonomy.mention !== "publish")
    return failed("There is no plan yet that could be carried out. Ask for one.");
  if (plan === undefined) return { do: "run", request: { ...request, trigger: "mention" } };
  if (plan.state === "queued" || plan.state === "working") return failed("The plan is not finished yet.");
  const why = await whyNoGo(context);
  if (why !== undefined) return failed(why);
  return {
    do: "run",
    request: worded(request, `Carry out the plan that you posted on this thread, made for this request:\n\n${plan.request.text}`),
  };
};

/** Why somebody may not have a plan carried out: it stands for the approval of what comes of it. */
export async function whyNoGo(context: Pick<ActContext, "request" | "session" | "reader" | "settings">): Promise<string | undefined> {
  const { request, reader, settings } = context;
  const { permission } = settings.gate.approvals;
  if (!holds(await reader.permission(request.actor), permission))
    return `To have a plan carried out, one needs the permission ${codeSpan(permission)} in this repository.`;
  return whyNotOfTeams(context);
}

/** What was ignored is known by this very command, which stands below the remark: nothing is stored. */
export const ignore: Act = async ({ request: { thread }, reader, session, handle }) => {
  const root = thread.reviewCommentId;
  const remarks = root === undefined ? undefined : await reader.reviewThread({ number: thread.number, root });
  // Who is called by one name may write under another: a workflow's token does.
  return remarks?.comments[0]?.author.toLowerCase() === (await session.botLogin()).toLowerCase()
    ? done("This remark is not made again on this pull request.")
    : failed(`Say ${usageOf("ignore", handle)} below one of my remarks on a line.`);
};

function worded(request: RunRequest, task: string): RunRequest {
  return { ...request, trigger: "mention", text: `${request.text}\n\n${task}` };
}
