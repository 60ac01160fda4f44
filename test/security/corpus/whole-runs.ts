import { memoryJournal } from "../../../src/core/memory-journal.ts";
import type { Run } from "../../../src/core/run.ts";
import { callTo, say, type Script } from "../../unit/agent/doubles.ts";
import { openBench, type Bench } from "../../unit/runs/bench.ts";
import { context } from "../../../packages/write-path-corpus/src/context.ts";
import { expand } from "../../../packages/write-path-corpus/src/expand.ts";
import { liveIn, type Harmless } from "./live.ts";
import { textArgument, type Row } from "../../../packages/write-path-corpus/src/rows.ts";
import { SCENES } from "./run-scenes.ts";
import type { Outcome, Scene } from "./scene.ts";

/** GitHub's limit on a comment. */
const LONGEST_COMMENT = 65_536;
/** The product's own marker, which ends what it writes. */
const MARKER = /\n\n<!-- sallyport [^<>\n]*-->$/;
/** Rows of these tools are calls that a run must answer with a refusal, and that nothing may come of. */
const REFUSED_CALLS = new Set(["gh_list_issues", "gh_get_run_logs", "tool"]);

/** Rows played as whole runs, one after the other: the model double asks for what the row says, and GitHub is looked at afterwards. */
export interface WholeRuns extends AsyncDisposable {
  /** Undefined for a row that is not played so. */
  play(row: Row): Promise<Outcome | undefined>;
}

export async function openWholeRuns(): Promise<WholeRuns> {
  let turns: Script = [];
  const bench = await openBench({
    script: (request, turn) => (typeof turns === "function" ? turns(request, turn) : (turns[turn] ?? say("That is all."))),
  });
  const { github } = bench;
  github.addRepository("acme/secret", { files: { "README.md": "# Plans\n" }, isPrivate: true });
  github.addIssue("acme/secret", { title: "the plans", body: "Nobody may know.", user: "alice" });
  const macros = { ...context, canary: github.webhookSecret, author: "alice" };
  const scene: Scene = { bench, macros, script: (next) => void (turns = next) };
  return {
    async play(row) {
      const isOrdinary = row.id.startsWith("ok-");
      if (
        row.tool === "gh_comment_issue" &&
        row.area === "output" &&
        (isOrdinary || row.expect === "ALLOW" || row.why.startsWith("measured:"))
      )
        return playText(scene, row);
      if (row.args["name"] === "cp_get_context") return undefined;
      if (REFUSED_CALLS.has(row.tool)) return playCall(scene, row);
      return SCENES[row.id]?.(scene);
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

/** The model writes the row's text and says it as its answer: nothing live may stand on the thread then, or what is ordinary as it was. */
async function playText({ bench, macros, script }: Scene, row: Row): Promise<Outcome> {
  const { origin } = bench.github;
  const body = textArgument(row, "body", macros).replaceAll("https://github.com", origin).replaceAll("acme/app", "acme/widgets");
  const harmless: Harmless = { origin, logins: ["alice"] };
  const run = bench.ask("say it");
  script([callTo("gh_comment_issue", { number: run.request.thread.number, body }), say(body)]);
  const texts = await textsOf(bench, run);
  if (row.id.startsWith("ok-")) return { kind: "outcome", held: texts[1] === body, saw: texts.join("\n---\n") };
  const seenIn = (text: string): readonly string[] => [
    ...liveIn(text, harmless),
    ...(text.length > LONGEST_COMMENT ? ["longer than GitHub takes"] : []),
  ];
  if (row.expect === "ALLOW" && seenIn(body).length === 0) throw new TypeError(`Nothing is seen in the row ${row.id} that could be held.`);
  const seen = texts.flatMap(seenIn);
  return { kind: "outcome", held: texts.length > 0 && seen.length === 0, saw: seen.join("; ") };
}

async function textsOf(bench: Bench, run: Run): Promise<readonly string[]> {
  await bench.attempt(run, { journal: memoryJournal() });
  return bench.comments(run).map((text) => text.replace(MARKER, ""));
}

/** The model calls what the row says: it reads a refusal, and GitHub is asked for nothing but what any run asks for. */
async function playCall({ bench, macros, script }: Scene, row: Row): Promise<Outcome> {
  const { github, model } = bench;
  const isRaw = row.tool === "tool";
  const name = isRaw ? String(row.args["name"]) : row.tool;
  const given = isRaw ? row.args["args"] : row.args;
  const spelled = expand(typeof given === "string" ? given : JSON.stringify(given), macros)
    .replace('"old":', '"old_string":')
    .replace('"new":', '"new_string":')
    .replace("src/a.ts", "src/sum.js");
  const calls = [callTo(name, spelled, "asked")];
  // What reads on GitHub there is today must not be talked into it either.
  if (!isRaw) calls.push(callTo("gh_get_issue", { number: 1, ...(JSON.parse(spelled) as object) }, "instead"));
  script([...calls, say("I could not.")]);
  const before = github.requests.length;
  const run = bench.ask("try it");
  await bench.attempt(run);
  const answers = (model.requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.text] : []));
  const own = new RegExp(`/issues/${run.request.thread.number}(?:/|$)|/issues/comments/`);
  const strange = github.requests
    .slice(before)
    .filter(({ method, path, body }) => {
      const spoken = `${path} ${JSON.stringify(body ?? "")}`;
      if (spoken.includes("acme/secret") || spoken.includes("evil/") || spoken.includes(macros.canary)) return true;
      return !["GET", "HEAD"].includes(method) && !own.test(path) && !/access_tokens$|git-upload-pack$|^\/graphql$/.test(path);
    })
    .map(({ method, path }) => `${method} ${path}`);
  const refused = answers.length === calls.length && answers.every((answer) => /^\[(?:error|blocked)\]/.test(answer));
  const polluted = "approved" in {};
  return { kind: "outcome", held: refused && strange.length === 0 && !polluted, saw: [...answers, ...strange].join("\n") };
}
