import { memoryJournal } from "../../../src/core/memory-journal.ts";
import type { PullPin } from "../../../src/core/run.ts";
import { callTo, say } from "../../unit/agent/doubles.ts";
import { KilledError, mortal, REPOSITORY } from "../../unit/runs/bench.ts";
import { edit, open } from "../../unit/runs/play.ts";
import type { Outcome, Scene } from "./scene.ts";

const outcome = (held: boolean, saw: unknown): Outcome => ({ kind: "outcome", held, saw: JSON.stringify(saw) });

/** What has to happen around a run, by the row that says so. */
export const SCENES: Readonly<Record<string, (scene: Scene) => Promise<Outcome>>> = {
  /** `author_association` is nobody's permission: GitHub is asked for that. */
  async "gate-008"({ bench, script }) {
    script([say("At your service.")]);
    const { id, login } = bench.github.addUser("carol");
    const run = bench.ask("run");
    const end = await bench.attempt({ ...run, request: { ...run.request, actor: { id, login, isBot: false } } });
    return outcome(end === "drop" && bench.comments(run).length === 0, { end, comments: bench.comments(run) });
  },

  /** The head moved after the event: what is looked at is what stood there when somebody said so. */
  async "gate-009"({ bench, script }) {
    const { github } = bench;
    const seen = github.push(REPOSITORY, "asked", { "src/extra.js": "seen\n" });
    const pull = github.openPull(REPOSITORY, { title: "extra", user: "alice", head: "asked" });
    github.push(REPOSITORY, "asked", { "src/extra.js": "swapped\n" });
    script([callTo("read_file", { path: "src/extra.js" }), say("Read.")]);
    const run = bench.ask("run", pull.number);
    const pin: PullPin = {
      number: pull.number,
      headRef: "asked",
      headSha: seen,
      baseRef: "main",
      baseSha: github.tip(REPOSITORY, "main") ?? "",
      sameRepository: true,
      ownPull: false,
    };
    await bench.attempt({ ...run, request: { ...run.request, pull: pin } });
    const read = bench.model.requests.at(-1)?.messages.at(-1)?.text ?? "";
    return outcome(read.includes("seen") && !read.includes("swapped"), read);
  },

  /** The head moves between the judgement's base and the write: nothing is forced over it. */
  async "ops-043"({ bench, script }) {
    const { github } = bench;
    github.push(REPOSITORY, "moving", { "src/extra.js": "1\n" });
    const pull = github.openPull(REPOSITORY, { title: "extra", user: "alice", head: "moving" });
    let theirs = "";
    script((_, turn) => {
      if (turn === 1) theirs = github.push(REPOSITORY, "moving", { "theirs.txt": "x" });
      return [edit(), callTo("gh_commit_changes", { message: "Add" }), say("ok")][turn] ?? say("ok");
    });
    await bench.attempt(bench.ask("add", pull.number));
    const answer = bench.model.requests.at(-1)?.messages.at(-1)?.text ?? "";
    const tip = github.tip(REPOSITORY, "moving");
    // Refused, or judged anew on top of what came between: their commit stays, and is the parent.
    const isKept = github.fileAt(REPOSITORY, `${tip}^`, "theirs.txt") === "x" && github.fileAt(REPOSITORY, "moving", "theirs.txt") === "x";
    const isOnTop = isKept && answer.includes(`replayed on its commit ${theirs.slice(0, 10)}`);
    return outcome(isOnTop || (tip === theirs && answer.startsWith("[error]")), { tip, theirs, answer });
  },

  /** The process dies when the branch is there and the pull request is not: the next one makes it once. */
  async "gate-030"({ bench, script }) {
    const turns = [edit(), open(), say("`sum` adds now.")];
    script(turns);
    const undisturbed = memoryJournal();
    await bench.attempt(bench.ask("fix"), { journal: undisturbed });
    const row = undisturbed.entries.findIndex((entry) => entry.kind === "intent" && entry.key.endsWith("/pull-request"));
    script(turns);
    const run = bench.ask("fix");
    const journal = mortal(row, "after");
    const died = await bench.attempt(run, { journal }).then(
      () => false,
      (error: unknown) => error instanceof KilledError,
    );
    const end = await bench.attempt(run, { journal: journal.survivor(), attempt: 2 });
    const made = bench.github.pulls(REPOSITORY).filter(({ headRef }) => headRef.startsWith(`sallyport/${run.request.thread.number}-`));
    const comments = bench.comments(run);
    const held = row >= 0 && died && end === "done" && made.length === 1 && comments.length === 1;
    return outcome(held, { row, died, end, pulls: made.length, comments });
  },

  /** GitHub made the comment and answered 502: it is looked for before it is made again. */
  async "gate-031"({ bench, script }) {
    const run = bench.ask("say it");
    const { number } = run.request.thread;
    script([callTo("gh_comment_issue", { number, body: "Said once." }), say("Said.")]);
    const respond = { status: 502, body: { message: "Bad Gateway" } };
    const struck: string[] = [];
    const undo = bench.github.fault({
      match: `POST /repos/${REPOSITORY}/issues/${number}/comments`,
      times: 2,
      after: true,
      respond,
      run: ({ path }) => void struck.push(path),
    });
    const end = await bench.attempt(run);
    undo();
    const said = bench.comments(run).filter((text) => text.startsWith("Said once."));
    return outcome(struck.length === 2 && said.length === 1 && bench.comments(run).length === 2 && end === "done", { struck, end, said });
  },

  /** What is read for the model may hold a secret of this server: the model does not. */
  async "gate-033"({ bench, script, macros }) {
    const { github, model } = bench;
    github.push(REPOSITORY, "main", { "logs/ci.txt": `token: ${macros.canary}\nthe end\n` });
    script([callTo("read_file", { path: "logs/ci.txt" }), say("It says nothing.")]);
    await bench.attempt(bench.ask(`what is ${macros.canary} in logs/ci.txt?`));
    const asked = model.requests.slice(-2).map(({ messages }) => JSON.stringify(messages));
    const told = asked.at(-1) ?? "";
    return outcome(told.includes("the end") && !asked.some((text) => text.includes(macros.canary)), told);
  },
};
