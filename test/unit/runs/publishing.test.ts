import { describe, expect, test } from "vitest";
import { callTo, say } from "../agent/doubles.ts";
import { FILES, REPOSITORY, type Bench } from "./bench.ts";
import { commit, edit, FIXED, open, ownBranches, ownPulls, play } from "./play.ts";

describe("a pull request", () => {
  test("is opened as an ordinary one where the repository takes no drafts, and says so", async () => {
    await using played = await play({ script: [edit(), say("Half done.")] }, ({ github }) => {
      github.fault({
        match: (request) => request.method === "POST" && request.path.endsWith("/pulls") && (request.body as { draft: boolean }).draft,
        respond: { status: 422, body: { message: "Draft pull requests are not supported in this repository." } },
      });
    });
    expect(ownPulls(played.bench)).toMatchObject([
      { draft: false, body: expect.stringMatching(/takes no draft pull requests[\s\S]*Refs #1$/) },
    ]);
    expect(ownBranches(played.bench)).toHaveLength(1);
    expect(played.comment).toMatch(
      /^\*\*done\*\* — What was not published yet stands in the pull request \(this repository takes no drafts\) #2\./,
    );
  });

  test("gets another branch when somebody takes the chosen name at the last moment; theirs is left alone", async () => {
    let theirs = "";
    await using played = await play({ script: [edit(), open(), say("ok")] }, ({ github }) => {
      github.fault({
        match: `POST /repos/${REPOSITORY}/git/refs`,
        times: 1,
        run: () => void (theirs = github.push(REPOSITORY, "sallyport/1-sum-subtracts", { "theirs.txt": "x" })),
        respond: { status: 422, body: { message: "Reference already exists" } },
      });
    });
    expect(ownPulls(played.bench)).toMatchObject([{ headRef: "sallyport/1-sum-subtracts-2" }]);
    expect(played.bench.github.tip(REPOSITORY, "sallyport/1-sum-subtracts")).toBe(theirs);
    expect(ownBranches(played.bench)).toHaveLength(2);
    expect(played.journal.entries.findLast(({ kind }) => kind === "branch")).toMatchObject({ name: "sallyport/1-sum-subtracts-2" });
    expect(played.end).toBe("done");
  });

  test.each(["git/refs", "graphql", "pulls"])("whose making was refused at %s can be asked for again, and is one", async (step) => {
    await using played = await play({ script: [edit(), open("first"), open("second"), say("ok")] }, ({ github }) => {
      github.fault({
        match: new RegExp(`^POST .*/${step}( |$)`),
        times: 1,
        respond: { status: 422, body: { message: "Validation Failed" } },
      });
    });
    expect(played.bench.model.requests[2]?.messages.at(-1)?.text).toMatch(/^\[error\] /);
    expect(ownPulls(played.bench)).toMatchObject([{ headRef: "sallyport/1-sum-subtracts", draft: false }]);
    expect(ownBranches(played.bench)).toHaveLength(1);
    expect(played.comment).toMatch(/^\*\*done\*\* — Opened #2\./);
  });

  test.each(["graphql", "pulls"])("that was refused at %s, and asked for again after more work, holds all of it", async (step) => {
    const script = [edit(), open("first"), edit("a + b", "b + a", "more"), open("second"), say("ok")];
    await using played = await play({ script }, ({ github }) => {
      const respond = { status: 422, body: { message: "Validation Failed" } };
      github.fault({ match: new RegExp(`^POST .*/${step}( |$)`), times: 1, respond });
    });
    const [pull] = ownPulls(played.bench);
    const expected = FILES["src/sum.js"].replace("a - b", "b + a");
    expect(played.bench.github.fileAt(REPOSITORY, pull?.headSha ?? "", "src/sum.js")).toBe(expected);
    expect(ownBranches(played.bench)).toEqual([pull?.headRef]);
    expect(pull?.draft).toBe(false);
  });

  test("without a change is refused as an error, and leaves no branch", async () => {
    await using played = await play({ script: [open(), commit(), say("Nothing had to change.")] });
    const results = played.bench.model.requests[2]?.messages.filter(({ role }) => role === "tool");
    for (const result of results ?? []) expect(result.text).toMatch(/^\[error\] Nothing has changed/);
    expect(played.bench.github.branches(REPOSITORY)).toEqual(["main"]);
    expect(played.comment).toMatch(/^\*\*done\*\* — Answered on #1/);
  });

  test("against a branch that is none of the run's is refused by name; the work is kept as a draft against the right one", async () => {
    await using played = await play({ script: [edit(), open("open", { base: "release" }), say("ok")] }, ({ github }) => {
      github.push(REPOSITORY, "release", { "r.txt": "r" });
    });
    expect(played.bench.model.requests[2]?.messages.at(-1)?.text).toMatch(/^\[blocked\] operations: "release" is not a base of this run/);
    expect(ownPulls(played.bench)).toMatchObject([{ baseRef: "main", draft: true }]);
    expect(played.comment).toContain("It had not been published before: `operations:");
  });

  test("of a second kind in one run is refused, whatever ids the model gives its calls", async () => {
    const turns = [edit(), open("a/b"), edit("a + b", "b + a", "more"), open("a"), say("ok")];
    await using played = await play({ script: turns });
    expect(ownPulls(played.bench)).toHaveLength(1);
    expect(played.comment).toContain("Opened #2; what came after it was committed to `sallyport/1-sum-subtracts`.");
  });
});

describe("a run on somebody's pull request", () => {
  const feature = ({ github }: Bench, user = "alice"): number => {
    github.push(REPOSITORY, "feature", { "src/extra.js": "1\n" });
    return github.openPull(REPOSITORY, { title: "extra", user, head: "feature" }).number;
  };

  /** Plays a run on `feature`; what `theirs` says is pushed there at its second turn, or at the request that `at` names. */
  const playMoving = async (theirs: Record<string, string>, at?: RegExp, script = [edit(), commit(), say("ok")]) => {
    let bench: Bench | undefined;
    let tip = "";
    const push = () => void (tip ||= bench?.github.push(REPOSITORY, "feature", theirs) ?? "");
    const played = await play(
      {
        script(_, turn) {
          if (turn === 1 && at === undefined) push();
          return script[turn] ?? say("");
        },
      },
      (opened) => {
        // Nothing goes wrong: it only happens right before.
        const pushes = ({ method, path }: { method: string; path: string }) => {
          if (at?.test(`${method} ${path}`) === true) push();
          return false;
        };
        opened.github.fault({ match: pushes, respond: "hang" });
        return feature((bench = opened));
      },
    );
    const { github } = played.bench;
    const at0 = (path: string) => github.fileAt(REPOSITORY, "feature", path);
    return { ...played, theirs: tip, at: at0, [Symbol.asyncDispose]: () => played[Symbol.asyncDispose]() };
  };
  const LONG = (first: string, last: string) => `export const sum = (a, b) => a - b\n${first}2\n3\n4\n${last}`;

  test.each([
    ["while the model works", undefined],
    ["at the very moment of the commit", /^POST .*graphql/],
  ])("whose head moves %s gets the work replayed on the new head, and both stand there", async (_, at) => {
    await using played = await playMoving({ "theirs.txt": "x" }, at);
    expect([played.at("theirs.txt"), played.at("src/sum.js")]).toEqual(["x", FIXED]);
    expect(played.bench.github.pulls(REPOSITORY)).toHaveLength(1);
    const result = played.bench.model.requests[2]?.messages.at(-1)?.text;
    expect(result).toContain(`feature had moved meanwhile: the change was replayed on its commit ${played.theirs.slice(0, 10)}`);
    expect(played.comment).toContain(`replayed on ${played.theirs.slice(0, 10)}, which came there while it worked`);
    const entry = played.journal.entries.findLast(({ kind }) => kind === "published");
    expect(entry).toMatchObject({ branch: "feature", replayed: { onto: played.theirs } });
  });

  test("that was replayed once goes on upon what came of it", async () => {
    const script = [edit(), commit(), edit("a + b", "b + a", "more"), commit("again"), say("ok")];
    await using played = await playMoving({ "theirs.txt": "x", "src/extra.js": "2\n" }, undefined, script);
    expect([played.at("theirs.txt"), played.at("src/extra.js")]).toEqual(["x", "2\n"]);
    expect(played.at("src/sum.js")).toBe(FILES["src/sum.js"].replace("a - b", "b + a"));
    expect(played.journal.entries.filter(({ kind }) => kind === "published")).toHaveLength(2);
    expect(played.end).toBe("done");
  });

  test("whose new commits overlap keeps the work as a draft of its own, and says where", async () => {
    await using played = await playMoving({ "src/sum.js": FILES["src/sum.js"].replace("a - b", "b - a") });
    expect(played.bench.github.tip(REPOSITORY, "feature")).toBe(played.theirs);
    expect(played.bench.model.requests[2]?.messages.at(-1)?.text).toMatch(
      /^\[error\] feature has other commits .* overlap with its change: src\/sum\.js was changed on both sides in the same lines\./,
    );
    expect(ownPulls(played.bench)).toMatchObject([{ draft: true, body: expect.stringContaining("overlap with its change") }]);
    expect(played.bench.github.fileAt(REPOSITORY, ownPulls(played.bench)[0]?.headSha ?? "", "src/sum.js")).toBe(FIXED);
    expect(played.comment).toContain("stands in the draft #2.");
  });

  test("whose file was changed elsewhere as well gets both, and the result is what the gate judged", async () => {
    let bench: Bench | undefined;
    const start = LONG("1\n", "5\n");
    await using played = await play(
      {
        files: { ...FILES, "src/sum.js": start },
        script(_, turn) {
          if (turn === 1) bench?.github.push(REPOSITORY, "feature", { "src/sum.js": LONG("1\n", "five\n") });
          return [edit(), commit(), say("ok")][turn] ?? say("");
        },
      },
      (opened) => feature((bench = opened)),
    );
    expect(played.bench.github.fileAt(REPOSITORY, "feature", "src/sum.js")).toBe(LONG("1\n", "five\n").replace("a - b", "a + b"));
  });

  test("whose head is deleted keeps the work as a draft of its own", async () => {
    let bench: Bench | undefined;
    await using played = await play(
      {
        script(_, turn) {
          if (turn === 1) bench?.github.deleteBranch(REPOSITORY, "feature");
          return [edit(), commit(), say("ok")][turn] ?? say("");
        },
      },
      (opened) => feature((bench = opened)),
    );
    expect(played.bench.github.branches(REPOSITORY)).not.toContain("feature");
    expect(ownPulls(played.bench)).toMatchObject([
      { draft: true, body: expect.stringContaining("The head branch feature has moved or is gone") },
    ]);
  });

  test("against another branch than the default one can be answered by a pull request against the default one, with its own change alone", async () => {
    await using played = await play({ script: [edit(), open("open", { base: "main" }), say("ok")] }, ({ github }) => {
      github.push(REPOSITORY, "release", { "release.txt": "r" });
      github.push(REPOSITORY, "feature", { "src/extra.js": "1\n" });
      const { number } = github.openPull(REPOSITORY, { title: "extra", user: "alice", head: "feature", base: "release" });
      github.push(REPOSITORY, "main", { "only-on-main.txt": "m" });
      return number;
    });
    const [pull] = ownPulls(played.bench);
    expect(pull).toMatchObject({ baseRef: "main", draft: false });
    const at = (path: string) => played.bench.github.fileAt(REPOSITORY, pull?.headSha ?? "", path);
    expect([at("src/sum.js"), at("only-on-main.txt"), at("src/extra.js"), at("release.txt")]).toEqual([FIXED, "m", undefined, undefined]);
  });

  test("of the bot's own makes its commit there", async () => {
    await using played = await play({ script: [edit(), commit(), say("ok")] }, (bench) => feature(bench, bench.github.botLogin));
    expect(played.bench.github.fileAt(REPOSITORY, "feature", "src/sum.js")).toBe(FIXED);
    expect(played.bench.github.pulls(REPOSITORY)).toHaveLength(1);
    expect(played.comment).toMatch(/^\*\*done\*\* — Committed [0-9a-f]{10} to `feature`\./);
  });
});

test("work that was pushed over on the bot's own branch goes on beside it, and nothing is forced", async () => {
  let bench: Bench | undefined;
  let theirs = "";
  await using played = await play(
    {
      script(_, turn) {
        if (turn === 2) theirs = bench?.github.push(REPOSITORY, "sallyport/1-sum-subtracts", { "theirs.txt": "x" }) ?? "";
        return [edit(), open(), edit("a + b", "b + a", "more"), commit(), say("ok")][turn] ?? say("");
      },
    },
    (opened) => void (bench = opened),
  );
  expect(played.bench.github.tip(REPOSITORY, "sallyport/1-sum-subtracts")).toBe(theirs);
  expect(played.bench.github.fileAt(REPOSITORY, "sallyport/1-sum-subtracts-2", "src/sum.js")).toContain("b + a");
});

test("a comment on the pull request that the run opened goes there, one on another thread nowhere", async () => {
  const comment = (number: number, id: string) => callTo("gh_comment_issue", { number, body: "Look here." }, id);
  await using played = await play({ script: [edit(), open(), comment(2, "run-comment"), comment(3, "b"), say("ok")] }, ({ github }) => {
    github.fault({
      match: /^POST .*\/pulls$/,
      times: 1,
      after: true,
      run: () => void github.addIssue(REPOSITORY, { title: "another" }),
      respond: { status: 502 },
    });
  });
  const on = (number: number) => played.bench.github.comments(REPOSITORY, number).map(({ body }) => body);
  expect(on(2)).toMatchObject([expect.stringContaining("Look here.")]);
  expect(on(3)).toEqual([]);
  expect(played.more).toEqual([]);
});
