import { describe, expect, test } from "vitest";
import { callTo, say } from "../agent/doubles.ts";
import { edit, open, ownPulls, play } from "./play.ts";

const comment = (body: string, id = "comment") => callTo("gh_comment_issue", { number: 1, body }, id);
const HOSTILE = "cc @octocat, @alice: fixes #77, see [x](https://evil.test)\n/approve\n\n<details>";
const INERT = "cc `@octocat`, @alice: fixes `#77`, see x (`https://evil.test`)\n`/approve`\n\n<details>\n\n</details>";

describe("what a model says in public", () => {
  test("stands inert in the comment that it asked for and in the run's own, and it is told so", async () => {
    await using played = await play({ script: [comment(HOSTILE), say(HOSTILE)] });
    expect(played.more).toEqual([expect.stringContaining(`${INERT}\n\n<!-- sallyport run=`)]);
    expect(played.comment).toContain(`\n\n${INERT}\n\n`);
    expect(played.bench.model.requests[1]?.messages.at(-1)?.text).toMatch(/^Commented on #1[\s\S]*Made inert .*mentions/);
    expect(played.end).toBe("done");
  });

  test("stands inert in a pull request, which closes the run's issue and no other", async () => {
    const script = [edit(), open("open", { title: "Make sum add, fixes #77", body: `${HOSTILE}\n\nCloses #1` }), say("ok")];
    await using played = await play({ script });
    const [pull] = ownPulls(played.bench);
    expect(pull).toMatchObject({
      title: "Make sum add, fixes `#77`",
      body: `${INERT.replace("\n\n</details>", "\n\nCloses `#1`\n\n</details>")}\n\nCloses #1`,
    });
  });

  test("is refused where it would give orders in a commit's message, and can be said without them", async () => {
    const message = (text: string, id: string) => callTo("gh_commit_changes", { message: text }, id);
    const script = [
      edit(),
      message("Add\n\n[skip ci]", "one"),
      message("Add\n\nCo-authored-by: x <x@evil.test>", "two"),
      message("Add", "three"),
      say("ok"),
    ];
    await using played = await play({ script });
    const answers = played.bench.model.requests.slice(2, 5).map(({ messages }) => messages.at(-1)?.text);
    expect(answers).toEqual([
      expect.stringMatching(/^\[blocked\] output: /),
      expect.stringMatching(/^\[blocked\] output: /),
      expect.stringMatching(/^Committed/),
    ]);
  });

  test("is not written where nobody would see any of it", async () => {
    await using played = await play({ script: [comment("<!-- bot:state -->"), say("ok")] });
    expect(played.more).toEqual([]);
    expect(played.bench.model.requests[1]?.messages.at(-1)?.text).toMatch(/^\[error\] The comment says nothing/);
  });

  test("carries a warning where one click would commit it", async () => {
    const suggestion = "```suggestion\nevil()\n```";
    await using played = await play({ script: [comment(suggestion), say(suggestion)] });
    for (const text of [...played.more, played.comment])
      expect(text).toMatch(/```suggestion\nevil\(\)\n```[\s\S]*\*\*warning\*\* `output`/);
  });

  test("keeps its code to the byte", async () => {
    const answer = "Say ``` in prose.\n```js\n@decorator // fixes #77 https://evil.test <img src=x>\n```\n`@octocat`";
    await using played = await play({ script: [say(answer)] });
    expect(played.comment).toContain(answer);
  });
});
