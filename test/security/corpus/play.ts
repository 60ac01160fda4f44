import type { Comment, Commit, Operation } from "../../../src/core/operation.ts";
import type { Decision } from "../../../src/core/result.ts";
import type { Gate } from "../../../src/gate/gate.ts";
import { PassRefusedError } from "../../../src/gate/mint.ts";
import { comment, commit, everyKind, openPull, repository, review, run, write } from "../../unit/gate/fixtures.ts";
import { context } from "../../../packages/write-path-corpus/src/context.ts";
import { expand } from "../../../packages/write-path-corpus/src/expand.ts";
import { contentOf } from "../../../packages/write-path-corpus/src/edits.ts";
import { BASE as WHOLE } from "../../../packages/write-path-corpus/src/base.ts";
import { playLocks } from "./locks.ts";
import { playMemory } from "./memory-rows.ts";
import { textArgument } from "../../../packages/write-path-corpus/src/rows.ts";
import type { Row } from "../../../packages/write-path-corpus/src/rows.ts";
import { APPROVALS } from "./people-rows.ts";
import { STANDING } from "./standing-rows.ts";
import { playTool } from "./tool-rows.ts";
import { WAY_IN } from "./way-in-rows.ts";
import { playWire } from "./wire-rows.ts";
import type { Outcome } from "./scene.ts";
import type { WholeRuns } from "./whole-runs.ts";

/** Files of the base that rows build on. */
const BASE: Readonly<Record<string, string | undefined>> = { "package.json": WHOLE["package.json"] };

/** What the gate answered to a row, or what must be there before it can be played here. */
export type Played =
  | Outcome
  | { readonly kind: "judged"; readonly decisions: readonly Decision[] }
  | { readonly kind: "missing"; readonly needs: string };

const PARTS: Readonly<Record<string, () => Promise<Outcome>>> = { ...APPROVALS, ...WAY_IN, ...STANDING };

/** What a row of this tool needs that is more than the gate. */
const NEEDS: Readonly<Record<string, string>> = {
  run_shell: "a sandbox",
  extension: "extensions",
  cp_search_symbol: "the code graph",
  tool: "the code graph",
};

/** Shows a row to both doors as far as it concerns them: a write alone and as a commit, a text as it was written, a request without a pass. */
export async function play(row: Row, gate: Gate, runs: WholeRuns): Promise<Played> {
  const outcome = await playPart(row, runs);
  if (outcome !== undefined) return outcome;
  const remembered = await playMemory(row, gate);
  if (remembered !== undefined) return remembered;
  const locked = await playLocks(row.id, gate, context);
  if (locked !== undefined) return { kind: "judged", decisions: locked };
  switch (row.tool) {
    case "write_file":
      return playWrite(row, gate);
    case "gh_comment_issue":
      return judge([commentOf(row)], gate);
    case "commit":
      return judge([commit(undefined, { message: textArgument(row, "message", context) })], gate);
    case "gh_branch_create":
      return judge(branchOf(textArgument(row, "name", context)), gate);
    case "gh_create_pr":
      return playPull(row, gate);
    case "gh_review_pr":
      return playReview(row, gate);
    case "wire":
      return playRequest(row, gate);
    default: {
      const needs = NEEDS[row.tool];
      if (needs === undefined) throw new TypeError(`Nobody has said how a row of the tool ${row.tool} is played.`);
      return { kind: "missing", needs };
    }
  }
}

/** Plays a row that is about more than the gate on the module that it is about, or as a whole run. */
async function playPart(row: Row, runs: WholeRuns): Promise<Outcome | undefined> {
  const one = PARTS[row.id];
  return one === undefined ? ((await playWire(row)) ?? (await playTool(row)) ?? runs.play(row)) : one();
}

/** Rows speak of the thread that started the run as #1; another number or repository is what they try. */
function commentOf(row: Row): Comment {
  const { number, repo } = row.args;
  const thread = { kind: "issue", number: number === 1 ? 12 : Number(number) } as const;
  return comment(textArgument(row, "body", context), {
    thread,
    ...(typeof repo === "string" && { repository: { ...repository, id: 8, name: repo } }),
  });
}

async function playWrite(row: Row, gate: Gate): Promise<Played> {
  const path = textArgument(row, "path", context);
  const before = BASE[path];
  const bytes = contentOf(row.id, path, String(row.args["content"]), context);
  const inner = await gate.judgeWrite(write(path, bytes, before), run);
  const outer = await gate.judge(commit({ [path]: { after: bytes, ...(before !== undefined && { before }) } }), run);
  return { kind: "judged", decisions: [inner, outer.decision] };
}

function branchOf(branch: string): readonly Commit[] {
  return [commit(undefined, { branch }), commit(undefined, { branch, createsBranch: true })];
}

async function playPull(row: Row, gate: Gate): Promise<Played> {
  // The thread that started the run is #1 there, and #12 here.
  const body = textArgument(row, "body", context).replace(/#1\b/g, "#12");
  const texts = { title: textArgument(row, "title", context), body };
  const many = /(\d+) (?:changed )?files/.exec(row.setup)?.[1];
  if (many !== undefined) {
    const sides = Object.fromEntries(
      Array.from({ length: Number(many) }, (_, index) => [`src/new/${index}.ts`, { after: `export const n = ${index}\n` }]),
    );
    return judge([openPull(sides, texts)], gate);
  }
  if (row.setup.includes("rm -rf src")) {
    const sides = Object.fromEntries(
      Array.from({ length: 19 }, (_, index) => [`src/${index}.ts`, { before: `export const n = ${index}\n` }]),
    );
    return judge([openPull(sides, texts)], gate);
  }
  if (row.setup.includes("removes a secret"))
    return judge([openPull({ "src/a.ts": { before: `t = "${context.canary}"`, after: "" } }, texts)], gate);
  // The gate names branches: `auto` and `bot/…` are what it would name one.
  const { head } = row.args;
  const isOwn = typeof head !== "string" || head === "auto" || head.startsWith("bot/");
  return judge([openPull(undefined, { ...texts, ...(isOwn ? {} : { branch: head }) })], gate);
}

/** Rows speak of the pull request that started the run as #7. An event is no part of a review that is judged: asked for on the wire, it gets no pass. */
async function playReview(row: Row, gate: Gate): Promise<Played> {
  const { number, event } = row.args;
  const comments = (row.args["comments"] ?? []) as readonly { readonly path: string; readonly line: number; readonly body: string }[];
  const operation = review({
    number: number === 7 ? 12 : Number(number),
    body: textArgument(row, "body", context),
    comments: comments.map(({ path, line, body }) => ({ path: expand(path, context), line, side: "RIGHT", body: expand(body, context) })),
  });
  const judgement = await gate.judge(operation, run);
  if (!("mint" in judgement)) return { kind: "judged", decisions: [judgement.decision] };
  const { body, commitId } = operation;
  const send = (said: unknown): boolean => {
    try {
      judgement.mint({
        method: "POST",
        path: "/repos/acme/app/pulls/12/reviews",
        body: JSON.stringify({ commit_id: commitId, event: said, body, comments: [] }),
      });
      return true;
    } catch (error) {
      if (!(error instanceof PassRefusedError)) throw error;
      return false;
    }
  };
  return { kind: "outcome", held: send("COMMENT") && !send(event), saw: `a pass for the event ${String(event)}` };
}

/** A request that no operation consists of gets no pass, whatever was allowed before. */
async function playRequest(row: Row, gate: Gate): Promise<Played> {
  const request = { method: String(row.args["method"]), path: String(row.args["url"]), body: JSON.stringify(row.args["body"] ?? {}) };
  const findings = [];
  for (const operation of everyKind) {
    const judgement = await gate.judge(operation, run);
    if (!("mint" in judgement)) return { kind: "judged", decisions: [] };
    try {
      judgement.mint(request);
      return { kind: "judged", decisions: [{ verdict: "allow", findings: [] }] };
    } catch (error) {
      if (!(error instanceof PassRefusedError)) throw error;
      findings.push({ rule: "wire", severity: "block", why: error.message, fix: "Ask for one of the operation's own requests." } as const);
    }
  }
  return { kind: "judged", decisions: [{ verdict: "block", findings }] };
}

async function judge(operations: readonly Operation[], gate: Gate): Promise<Played> {
  const decisions: Decision[] = [];
  for (const operation of operations) decisions.push((await gate.judge(operation, run)).decision);
  return { kind: "judged", decisions };
}
