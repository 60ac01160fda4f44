import { describe, expect, test } from "vitest";
import { call, say, type Script } from "../../src/testing/index.ts";
import { openStage, REPOSITORY, type Stage } from "./stage.ts";

const edit = call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" });
const openPull = call("gh_create_pr", { title: "Make sum add", body: "It subtracted." });

function withIssue(stage: Stage, title = "sum subtracts"): number {
  return stage.github.addIssue(REPOSITORY, { title, body: "`sum(1, 2)` gives -1.", user: "alice" }).number;
}
const eyes = ({ github }: Stage): number => github.reactions(REPOSITORY).filter(({ content }) => content === "eyes").length;

/** A model that answers a question only once it may. */
function held(turns: Script): { readonly script: Script; readonly open: () => void; readonly asked: Promise<void> } {
  const [gate, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const script: Script = async (request, step) => {
    asked.resolve();
    await gate.promise;
    return turns(request, step);
  };
  return { script, open: gate.resolve, asked: asked.promise };
}

describe("a command that needs no model", () => {
  test.each<[string, RegExp]>([
    ["help", /^\*\*done\*\* — These are the commands[\s\S]*retry`[\s\S]*approve <id>/],
    ["usage", /^\*\*done\*\* — What the model has used:[\s\S]*on this thread: nothing/],
    ["stop", /^\*\*done\*\* — There is nothing to stop/],
    ["unmute", /^\*\*done\*\* — I was not muted/],
    ["retry", /^\*\*failed\*\* — There is nothing to retry/],
    ["approve kodim-pabuf", /^\*\*failed\*\* — There is no approval `kodim-pabuf`\. Nothing on this thread waits/],
    ["approve", /^\*\*failed\*\* — Say `@sallyport approve <id>`, and nothing else/],
    ["halp", /^\*\*failed\*\* — There is no command `halp`\. Did you mean `@sallyport help`\?/],
    ["remember", /^\*\*failed\*\* — Say `@sallyport remember <fact>`/],
    ["ignore", /^\*\*failed\*\* — Say `@sallyport ignore` below one of my remarks/],
  ])("is answered with one comment, and the eyes: %s", async (words, answer) => {
    await using stage = await openStage({ script: [] });
    const number = withIssue(stage);
    await stage.say(number, `@sallyport ${words}`, words.startsWith("approve") ? "maria" : "alice");
    expect(stage.comments(number)).toEqual([expect.stringMatching(answer)]);
    expect(eyes(stage)).toBe(1);
    stage.model.assertDone();
  });

  test("gets no answer at all from the bot where the asker lacks the permission", async () => {
    await using stage = await openStage({ script: [] });
    const number = withIssue(stage);
    for (const words of ["help", "stop", "mute", "approve kodim-pabuf"]) await stage.say(number, `@sallyport ${words}`, "mallory");
    expect(stage.comments(number)).toEqual([]);
    expect(eyes(stage)).toBe(0);
  });

  test("says what a thread has used", async () => {
    await using stage = await openStage({ script: [say("It subtracts.")] });
    const number = withIssue(stage);
    await stage.say(number, "@sallyport what is this?");
    await stage.say(number, "@sallyport usage");
    expect(stage.comments(number)[1]).toMatch(
      /on this thread: [\d,]+ tokens \(.*\), .*, in 1 run\n- in this repository today \(UTC\): [\d,]+ tokens/,
    );
  });
});

test("on a muted thread nothing but commands is heard, until it is unmuted; other threads are not concerned", async () => {
  await using stage = await openStage({ script: () => say("Seen.") });
  const [muted, other] = [withIssue(stage), withIssue(stage, "another")];
  await stage.say(muted, "@sallyport mute");
  await stage.say(muted, "@sallyport what is this?");
  expect(stage.comments(muted)).toEqual([expect.stringContaining("From now on I am silent")]);
  await stage.say(other, "@sallyport what is this?");
  expect(stage.comments(other)).toEqual([expect.stringContaining("Seen.")]);
  await stage.stop();
  await stage.start();
  await stage.say(muted, "@sallyport explain");
  expect(stage.comments(muted)[1]).toContain("Seen.");
  await stage.say(muted, "@sallyport unmute");
  await stage.say(muted, "@sallyport what is this?");
  expect(stage.comments(muted)).toHaveLength(4);
});

describe("stop", () => {
  test("ends the run at work and the one that waits, publishes nothing, and says by whom", async () => {
    const thinking = held(() => openPull);
    await using stage = await openStage({
      script: (request, step) => (request.messages.some(({ role }) => role === "assistant") ? thinking.script(request, step) : edit),
    });
    const number = withIssue(stage);
    await stage.github.say(REPOSITORY, number, "@sallyport fix this", "alice");
    await thinking.asked;
    await stage.github.say(REPOSITORY, number, "@sallyport and the docs too", "alice");
    await expect.poll(() => stage.comments(number)).toContainEqual(expect.stringMatching(/^\*\*queued\*\* — another run is at work/));
    await stage.say(number, "@sallyport stop", "maria");
    expect(stage.comments(number)).toEqual([
      expect.stringMatching(/^\*\*cancelled\*\* — maria stopped it\. .* Nothing was published\.[\s\S]*state=cancelled/),
      expect.stringMatching(/^\*\*cancelled\*\* — maria stopped it\./),
    ]);
    expect(stage.github.pulls(REPOSITORY)).toEqual([]);
    expect(stage.github.branches(REPOSITORY)).toEqual(["main"]);
    thinking.open();
    await stage.say(number, "@sallyport fix this after all");
    expect(stage.github.pulls(REPOSITORY)).toHaveLength(1);
  });

  test("counts also when the process that carried the run out is no more", async () => {
    const thinking = held(() => openPull);
    await using stage = await openStage({ script: thinking.script });
    const number = withIssue(stage);
    await stage.github.say(REPOSITORY, number, "@sallyport fix this", "alice");
    await thinking.asked;
    await stage.stop();
    const { delivery } = await stage.github.say(REPOSITORY, number, "@sallyport stop", "alice").catch(() => ({ delivery: { status: 0 } }));
    expect(delivery.status).not.toBe(202);
    await stage.start();
    // Said again by somebody who does not know that what was missed is fetched at the start.
    await stage.say(number, "@sallyport stop");
    expect(stage.comments(number)[0]).toMatch(/^\*\*cancelled\*\*/);
    expect(stage.github.pulls(REPOSITORY)).toEqual([]);
    thinking.open();
  });
});

describe("retry", () => {
  test("runs the thread's last request again, as a run of its own", async () => {
    let works = false;
    await using stage = await openStage({
      script: () =>
        works ? say("It subtracts.") : { status: 401, body: { error: { message: "Incorrect API key provided", code: "invalid_api_key" } } },
    });
    const number = withIssue(stage);
    await stage.say(number, "@sallyport what does `sum` do?");
    expect(stage.comments(number)).toEqual([expect.stringMatching(/^\*\*failed\*\*/)]);
    works = true;
    await stage.say(number, "@sallyport retry", "maria");
    expect(stage.comments(number)).toEqual([
      expect.stringMatching(/^\*\*failed\*\*/),
      expect.stringMatching(/^\*\*done\*\*[\s\S]*It subtracts/),
    ]);
    expect(stage.model.requests.at(-1)?.text).toContain("@sallyport what does `sum` do?");
  });
});

describe("a plan", () => {
  test("is made read-only, and carried out on `go` by who may approve", async () => {
    const asked: string[][] = [];
    await using stage = await openStage({
      script: ({ toolNames, text, messages }) => {
        asked.push([...toolNames]);
        if (!text.includes("Carry out the plan")) return say("1. Turn the sign in `src/sum.js`.");
        return [edit, openPull, say("As planned.")][messages.filter(({ role }) => role === "assistant").length] ?? say("");
      },
    });
    const number = withIssue(stage);
    await stage.say(number, "@sallyport plan how sum could add");
    expect(stage.comments(number)[0]).toContain("Turn the sign");
    expect(asked[0]).not.toContain("edit_file");
    await stage.say(number, "@sallyport go", "alice");
    expect(stage.comments(number)[1]).toMatch(/^\*\*failed\*\* — To have a plan carried out, one needs the permission `maintain`/);
    await stage.say(number, "@sallyport go", "maria");
    expect(stage.github.pulls(REPOSITORY)).toHaveLength(1);
  });

  test("is not needed: `go` on a thread without one is a request like any other", async () => {
    await using stage = await openStage({ script: [say("Seen.")] });
    const number = withIssue(stage);
    await stage.say(number, "@sallyport go");
    expect(stage.comments(number)).toEqual([expect.stringContaining("Seen.")]);
  });
});
