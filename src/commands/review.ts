import { resolve } from "node:path";
import { LOCAL_1 } from "../agent/prompts/local-1.ts";
import { REVIEW_1 } from "../agent/prompts/review-1.ts";
import { SallyportError } from "../core/errors.ts";
import { visible } from "../gate/report/visible.ts";
import { parseDiff } from "../review/diff/parse-diff.ts";
import { placeReview } from "../review/place/render.ts";
import { planReading } from "../review/read/plan-reading.ts";
import { receiptOf, receiptSentence } from "../review/read/receipt.ts";
import { whySkipped } from "../review/read/why-skipped.ts";
import type { Remark } from "../review/remark.ts";
import { partShown, READ_DIFF } from "../tools/git/read-diff.ts";
import type { ReviewWish } from "../tools/tool.ts";
import { compareCommits } from "../workspace/compare.ts";
import { openGit } from "../workspace/git.ts";
import { linguistFlags } from "../workspace/linguist.ts";
import { openCheckout, type Checkout } from "../workspace/local/open-checkout.ts";
import { openLocalWork } from "./local/open-local-work.ts";
import { rangeOpening } from "./local/opening.ts";
import { figuresLine, progressLines, whyUnfinished, type LocalWorld } from "./local/tell.ts";

export interface ReviewCommandOptions {
  /** `base..head`; by default what HEAD has over the main branch. */
  readonly range?: string | undefined;
  readonly json: boolean;
  readonly cwd: string;
}

const PART_SIZE = 60_000;
const MOST_PARTS = 12;

/** `sallyport review`: reviews a range of a local checkout and shows the remarks. Changes nothing. 0 done, 1 failed. */
export async function review({ range, json, cwd }: ReviewCommandOptions, world: LocalWorld): Promise<number> {
  const { variables, signal, complain } = world;
  const { PATH: path = "", SALLYPORT_CONFIG: config = "" } = variables;
  const checkout = await openCheckout(openGit({ path }), cwd);
  const named = range ?? (await defaultRange(checkout));
  const { base, head } = await checkout.resolveRange(named);
  const server = config.trim() === "" ? {} : { serverFile: resolve(cwd, config.trim()) };
  await using work = await openLocalWork({ checkout, commit: head, base, variables, ...server, signal, complain });
  const remote = { url: "https://localhost/none.git", token: () => Promise.resolve(undefined) };
  const files = parseDiff(await compareCommits({ store: work.store, remote, base: base.commit, head: head.commit, signal }));
  const flags = await linguistFlags(work.store, { commit: base.commit, paths: files.map((file) => file.path), signal });
  const plan = planReading(files, {
    whySkipped: whySkipped({ flags, ignore: work.settings.review.ignore }),
    partSize: PART_SIZE,
    mostParts: MOST_PARTS,
  });
  if (plan.parts.length === 0) {
    world.write(
      json ? `${JSON.stringify({ remarks: [], answer: "", files: files.length })}\n` : `Nothing of ${named} is for reading in a review.\n`,
    );
    return 0;
  }
  const remarks: Remark[] = [];
  const words: string[] = [];
  const conversation = await work.converse({
    trigger: "review",
    isOffered: ({ effect, name }) => name === "gh_review_pr" || (effect === "read" && !/^gh_|^list_recent_tags$|^recall_facts$/.test(name)),
    fragments: [REVIEW_1.task, REVIEW_1.post, LOCAL_1.review],
    opening: (system) => rangeOpening(system, work.base, { range: named, parts: plan.parts.map(({ text }) => text) }),
    publisher: {
      async review(asked) {
        const { comments, body } = await work.filterFindings(asked);
        remarks.push(...comments.map(remarkOf));
        words.push(body);
        return {
          status: "done",
          as: "review",
          decision: { verdict: "allow", findings: [] },
          placed: { onLines: comments.length, inBody: 0, repeated: 0 },
        };
      },
    },
    repairs: false,
    difference: plan.parts.map(({ text }) => text),
    onProgress: progressLines(world),
    onFindings: () => undefined,
  });
  const shown = work.journal.entries.flatMap((entry) =>
    entry.kind === "tool-result" && entry.tool === READ_DIFF ? (partShown(entry.result.text) ?? []) : [],
  );
  const receipt = receiptOf(plan, new Set([0, ...shown.map((part) => part - 1)]));
  const { comments, inBody } = placeReview(remarks, { files, linkTo: () => undefined });
  const unfinished = whyUnfinished(conversation);
  const answer = "text" in conversation ? conversation.text.trim() : "";
  if (json) {
    world.write(
      `${JSON.stringify({ end: conversation.end, remarks: comments, beside: inBody, summary: words, answer, receipt, usage: conversation.usage, model: conversation.model })}\n`,
    );
  } else {
    const placed = comments.map(
      ({ path: file, line, startLine, body }) =>
        `${visible(file)}:${startLine === undefined ? "" : `${startLine}-`}${line}\n${indented(body)}`,
    );
    const lines = [
      ...words.filter((text) => text.trim() !== "").map(visible),
      ...placed,
      ...inBody.map(({ text }) => visible(text)),
      visible(answer),
      ...(unfinished === undefined ? [] : [`The review did not finish: ${visible(unfinished)}`]),
      receiptSentence(receipt),
      figuresLine(conversation),
    ];
    world.write(`${lines.filter((text) => text !== "").join("\n\n")}\n`);
  }
  return unfinished === undefined ? 0 : 1;
}

function indented(body: string): string {
  return body
    .split("\n")
    .map((line) => `  ${visible(line)}`.trimEnd())
    .join("\n");
}

function remarkOf({ path, line, side, start_line: startLine, body, suggestion }: ReviewWish["comments"][number]): Remark {
  return {
    path,
    line,
    body,
    ...(side === undefined ? {} : { side }),
    ...(startLine === undefined ? {} : { startLine }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** What HEAD has over the branch that it probably left: the remote's default branch, or one of the usual names. */
async function defaultRange(checkout: Checkout): Promise<string> {
  for (const name of ["origin/HEAD", "origin/main", "origin/master", "main", "master"]) {
    const found = await checkout.resolve(name).catch(() => undefined);
    if (found !== undefined && found.commit !== (await checkout.resolve("HEAD")).commit) return `${name}...HEAD`;
  }
  throw new SallyportError("It is not clear what to review.", { code: "misused", hint: "Name a range, such as main..HEAD." });
}
