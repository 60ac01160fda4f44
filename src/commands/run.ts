import { resolve } from "node:path";
import { LOCAL_1 } from "../agent/prompts/local-1.ts";
import type { Commit } from "../core/operation.ts";
import { SallyportError } from "../core/errors.ts";
import type { Finding } from "../core/result.ts";
import { nameBranch } from "../gate/branch-name.ts";
import { DEFAULT_LINKS, outgoingPolicy } from "../gate/outgoing.ts";
import { type GateReport, verdictOf } from "../gate/report/gate-report.ts";
import { renderText } from "../gate/report/text.ts";
import { visible } from "../gate/report/visible.ts";
import { withoutDirectives } from "../text/outgoing/directives.ts";
import { cleanPlain } from "../text/outgoing/plain.ts";
import { UnpublishableError } from "../workspace/change-set.ts";
import { openGit } from "../workspace/git.ts";
import { branchNames, leaveBranch, whoCommits } from "../workspace/local/leave-branch.ts";
import { openCheckout } from "../workspace/local/open-checkout.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { LOCAL_RUN, NOWHERE } from "./local/local-gate.ts";
import { openLocalWork, type LocalWork } from "./local/open-local-work.ts";
import { taskOpening } from "./local/opening.ts";
import { figuresLine, findingLine, progressLines, whyUnfinished, type LocalWorld } from "./local/tell.ts";

export interface RunCommandOptions {
  readonly task: string;
  /** Leaves the branch without asking. Never answers what the gate asks people. */
  readonly yes: boolean;
  readonly json: boolean;
  /** The folder that the command works in, absolute. */
  readonly cwd: string;
}

/** GitHub's own tools have nothing to do here. */
const isLocal = ({ name }: { readonly name: string }): boolean =>
  !/^gh_|^read_diff$|^list_recent_tags$|^(?:remember|recall|forget)_facts?$/.test(name);

/**
 * `sallyport run`: works on a task in a copy of the checkout's HEAD, shows the gate's verdict, and leaves what passed as a new branch. Work
 * tree, index and every branch stay as they are. Answers the exit status: 0 done, 1 failed or blocked, 2 needs approval.
 */
export async function run({ task, yes, json, cwd }: RunCommandOptions, world: LocalWorld): Promise<number> {
  const { variables, signal, complain } = world;
  if (task.trim() === "")
    throw new SallyportError("There is no task.", { code: "misused", hint: 'Say what to do: sallyport run "fix the failing test".' });
  const { PATH: path = "", SALLYPORT_CONFIG: config = "" } = variables;
  const checkout = await openCheckout(openGit({ path }), cwd);
  const head = await checkout.resolve("HEAD");
  const server = config.trim() === "" ? {} : { serverFile: resolve(cwd, config.trim()) };
  await using work = await openLocalWork({ checkout, commit: head, base: head, variables, ...server, signal, complain });
  complain(
    `Working on a copy of ${head.commit.slice(0, 10)} (sandbox: ${work.sandbox}). Uncommitted changes are neither seen nor touched.`,
  );
  const held: Finding[] = [];
  const conversation = await work.converse({
    trigger: "mention",
    isOffered: isLocal,
    fragments: [LOCAL_1.run],
    opening: (system) => taskOpening(system, work.base, task),
    repairs: true,
    ask: world.ask,
    onProgress: progressLines(world),
    onFindings: (findings) => held.push(...findings.filter(({ severity }) => severity === "block" || severity === "ask")),
  });
  const unfinished = whyUnfinished(conversation);
  const responded = work.journal.entries.findLast((entry) => entry.kind === "responded");
  const answer = (responded?.kind === "responded" ? responded.text : "text" in conversation ? conversation.text : "").trim();
  const message = messageOf(task, answer);
  const report = await judge(work, head, message);
  const branch = await leave();

  if (json) {
    const { verdict, findings, files } = report;
    world.write(
      `${JSON.stringify({ end: conversation.end, answer, verdict, findings, blocked: held, files, branch: branch ?? null, usage: conversation.usage, usd: conversation.usd ?? null, model: conversation.model })}\n`,
    );
  } else {
    const lines = [
      answer === "" ? "(The model said nothing at the end.)" : visible(answer),
      ...(unfinished === undefined ? [] : [`The run did not finish: ${visible(unfinished)}`]),
      ...(held.length === 0 ? [] : [["What the gate held back while it worked:", ...held.map(findingLine)].join("\n")]),
      ...(report.files === 0 ? ["Nothing was changed."] : [renderText(report).trimEnd()]),
      ...(branch === undefined ? [] : [`Left on the branch ${branch}: git diff ${head.commit.slice(0, 10)}..${branch}`]),
      figuresLine(conversation),
    ];
    world.write(`${lines.join("\n\n")}\n`);
  }
  if (report.verdict === "block" || unfinished !== undefined) return 1;
  return report.verdict === "ask" ? 2 : 0;

  async function leave(): Promise<string | undefined> {
    if (report.files === 0 || report.verdict !== "pass") return undefined;
    const may = yes || (world.ask === undefined ? false : await world.ask("The gate lets the change pass. Leave it on a new branch?"));
    if (!may) {
      if (!yes && world.ask === undefined) complain("Nobody can be asked here, so no branch was left; --yes leaves one.");
      return undefined;
    }
    const changes = await work.workspace.changeSet();
    const author = await whoCommits(checkout);
    const there = await branchNames(checkout);
    const name = nameBranch({ number: "local", title: task, taken: (wanted) => there.has(wanted) });
    await leaveBranch(checkout, { changes, branch: name, message, author });
    return name;
  }
}

/** The commit's message. It acts on GitHub as soon as somebody pushes it, so it is cleaned, and judged, as if it were published now. */
function messageOf(task: string, answer: string): string {
  const subject = (task.trim().split("\n", 1)[0] ?? "").slice(0, 72).toWellFormed();
  return cleanPlain(withoutDirectives(`${subject}\n\n${answer}`.trim()), outgoingPolicy({ repository: NOWHERE }, DEFAULT_LINKS)).text;
}

async function judge(
  { workspace, gate }: Pick<LocalWork, "workspace" | "gate">,
  head: { readonly commit: string; readonly tree: string },
  message: string,
): Promise<GateReport> {
  const { changes, problems } = await comparable(workspace);
  const operation: Commit = { kind: "commit", repository: NOWHERE, branch: "local", message, changes };
  const { verdict, findings } =
    changes.changes.length === 0 ? ({ verdict: "allow", findings: [] } as const) : (await gate.judge(operation, LOCAL_RUN)).decision;
  return {
    verdict: problems.length > 0 ? "block" : verdictOf({ verdict }),
    subject: "the work of this run",
    base: { commit: head.commit, tree: head.tree },
    tree: changes.tree,
    files: changes.changes.length,
    findings: [...problems, ...findings],
  };
}

async function comparable(workspace: Workspace) {
  try {
    return { changes: await workspace.changeSet(), problems: [] };
  } catch (error) {
    if (error instanceof UnpublishableError) return { changes: error.comparable, problems: error.findings };
    throw error;
  }
}
