import type { Command, CommandName, RunEnd, RunRequest } from "../../core/run.ts";
import { STATE_WORDS } from "../../core/words.ts";
import { GitHubError } from "../../github/errors.ts";
import { holds, type Permission } from "../../github/permission.ts";
import { threadKey } from "../../store/runs.ts";
import { cleanAndBound } from "../../text/outgoing/bound-clean.ts";
import { planFirst } from "../autonomy.ts";
import { letIn } from "../let-in.ts";
import { admit } from "../phases/authorize.ts";
import { openRunContext, type RunContext, type RunDependencies } from "../run-context.ts";
import { scopeOf } from "../run-scope.ts";
import type { Act, Acted } from "./act.ts";
import { actAlone } from "./alone.ts";
import { approve, deny } from "./answer.ts";
import { aboutPull, asRun, go, ignore, review } from "./as-run.ts";
import { help, unknown } from "./help.ts";
import { forget, remember } from "./memory.ts";
import { mute, unmute } from "./mute.ts";
import { retry } from "./retry.ts";
import { stop } from "./stop.ts";
import { usage } from "./usage.ts";

/** Every command and what it does. */
const ACTS: Readonly<Record<CommandName, Act>> = {
  help,
  plan: asRun("plan"),
  go,
  review,
  explain: asRun("explain"),
  describe: aboutPull("describe"),
  stop,
  retry,
  usage,
  approve,
  deny,
  mute,
  unmute,
  remember,
  forget,
  ignore,
  tests: aboutPull("tests"),
  changelog: aboutPull("changelog"),
};

/** Bytes of an answer. */
const LONGEST_ANSWER = 8_000;

/**
 * Carries a command out at once, beside whatever is at work on its thread: who asks must hold the permission, else nothing at all happens. A
 * command that a model is needed for goes on as a run.
 */
export async function carryOut(
  context: RunContext,
  dependencies: RunDependencies,
  command: Command,
): Promise<"drop" | RunEnd | { readonly go: RunRequest }> {
  const { database, handle, extensions } = dependencies;
  if (handle === undefined) throw new TypeError("commands need the bot's name");
  if (!(await admit(context, dependencies, neededFor(command, context)))) return "drop";
  const act = command.name === "unknown" ? unknown : ACTS[command.name];
  const argument = command.name === "unknown" ? undefined : command.argument;
  const acting = {
    ...context,
    settings: context.settings,
    thread: threadKey(context.request),
    handle: await handle(),
    ...(extensions === undefined ? {} : { extensions }),
  };
  const acted = database === undefined ? await actAlone(acting, argument, command) : await act({ ...acting, database }, argument, command);
  context.signal.throwIfAborted();
  context.log.info({ command: command.name, did: acted.do }, "a command was carried out");
  if (acted.do === "answer") await say(context, dependencies, acted);
  if (acted.do !== "run") return acted.do === "answer" ? acted.state : "done";
  const { run, journal, signal } = context;
  const request = planFirst(acted.request, context.settings);
  const answer = await letIn(openRunContext({ ...run, request }, journal, signal, dependencies), dependencies);
  return answer === "drop" ? "drop" : { go: request };
}

/** Who may answer questions is let in for that, also where it is less than what is needed to ask for work. */
function neededFor({ name }: Command, { settings }: RunContext): Permission {
  const { permission, gate } = settings;
  if (name !== "approve" && name !== "deny") return permission;
  return holds(permission, gate.approvals.permission) ? gate.approvals.permission : permission;
}

/** The command's one comment. */
async function say(context: RunContext, { scopes, markers }: RunDependencies, { state, text }: Acted & { do: "answer" }): Promise<void> {
  const { run, request, journal, outgoing, submit, log, submitting } = context;
  const { repository, thread } = request;
  using _scope = scopes.register(run.id, () => scopeOf(request, undefined, journal, submitting()));
  const shown = cleanAndBound(`**${STATE_WORDS[state]}** — ${text}`, outgoing, LONGEST_ANSWER, "the rest of the answer").text;
  const body = `${shown}\n\n${markers.stamp({ run: run.id, state })}`;
  try {
    const { status, decision } = await submit({ kind: "comment", repository, thread, body }, { key: "answer" });
    if (status === "refused") log.warn({ rules: decision.findings.map(({ rule }) => rule) }, "the answer to a command was held back");
  } catch (error) {
    // A thread that takes no comment hears no answer.
    if (!(error instanceof GitHubError) || !["locked", "archived", "not-found", "gone"].includes(error.code)) throw error;
    log.warn({ code: error.code }, "the thread takes no comment; a command was not answered");
  }
}
