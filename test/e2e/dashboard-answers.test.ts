import { describe, expect, test } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { FILES, openStage, REPOSITORY } from "./stage.ts";

const TOKEN = "dashboard-token-0123456789";
const ASKING = "gate:\n  protected:\n    src/**: ask\n";
const FILE = ".github/sallyport.yml";
const edit = call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" });
const openPull = call("gh_create_pr", { title: "Make sum add", body: "It subtracted." });

/** A product with a run that waits for people, and its dashboard as whoever holds the token opens it. */
async function openDashboard() {
  const stage = await openStage({
    script: [edit, openPull, say("It waits.")],
    files: { ...FILES, [FILE]: ASKING },
    environment: { SALLYPORT_DASHBOARD_TOKEN: TOKEN },
    startProduct: false,
  });
  const { url } = await stage.start();
  const { number } = stage.github.addIssue(REPOSITORY, { title: "sum subtracts", user: "alice" });
  await stage.say(number, "@sallyport fix this");
  const [comment = ""] = stage.comments(number);
  const [, id = "none"] = /Approval `([a-z]{5}-[a-z]{5})`/.exec(comment) ?? [];
  const [, run = "none"] = /run=([0-9a-z]{26})/.exec(comment) ?? [];
  const headers = { authorization: `Bearer ${TOKEN}` };
  const get = async (path: string) => {
    const answer = await fetch(url + path, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    stage,
    number,
    id,
    question: `/sallyport/approvals/${id}`,
    replayPage: `/sallyport/runs/${run}/replay`,
    get,
    /** Sends a form of the page at `from`. */
    async send(path: string, fields: Readonly<Record<string, string>>, from = path) {
      const key = /name="key" value="([^"]+)"/.exec((await get(from)).text)?.[1] ?? "";
      const body = new URLSearchParams({ ...fields, key });
      const answer = await fetch(url + path, { method: "POST", headers: { ...headers, origin: url }, body, redirect: "manual" });
      const text = await answer.text();
      return {
        status: answer.status,
        text,
        shown: text
          .replace(/<[^>]+>/g, " ")
          .replaceAll("&#39;", "'")
          .replace(/\s+/g, " "),
      };
    },
    /** What the repository's configuration says from now on. */
    configure: (text: string) => stage.github.push(REPOSITORY, "main", { [FILE]: text }),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

describe("the operator at the dashboard", () => {
  test("answers in nobody's name but the operator's, and what was approved is published as it was shown", async () => {
    await using played = await openDashboard();
    const { stage, number, question, id, get, send } = played;
    expect((await get(question)).text).toContain("You answer as the operator.");
    expect((await send(question, { answer: "approved" })).status).toBe(303);
    await expect.poll(() => stage.github.pulls(REPOSITORY).map(({ title }) => title), { timeout: 40_000 }).toEqual(["Make sum add"]);
    await stage.idle();
    expect(stage.comments(number)[0]).toContain(`operator approved \`${id}\``);
    const audit = (await get("/sallyport/audit.jsonl")).text.split("\n");
    expect(
      audit.filter((line) => /"kind\W+answer\W/.test(line) && /via\W+dashboard/.test(line) && /by\W+operator/.test(line)),
    ).toHaveLength(1);
    const late = await send(question, { answer: "denied" }, "/sallyport/approvals");
    expect(late.status).toBe(403);
    expect((await get(question)).text).toContain("operator approved this");
  });

  test("answers by what holds at that moment, and not at all where GitHub does not tell what that is", async () => {
    await using played = await openDashboard();
    const { stage, question, get, send, configure } = played;
    const approve = () => send(question, { answer: "approved" }, question);
    const file = {
      match: ({ path }: { path: string }) => path.includes("/contents/"),
      times: 30,
      respond: { status: 403, body: { message: "no" } },
    };
    const answersAgain = stage.github.fault(file);
    expect((await get(question)).text).toContain("GitHub does not tell now whether you may answer this");
    answersAgain();
    configure("enabled: false\n");
    expect((await get(question)).text).toContain("This repository has switched the bot off.");
    configure("enabled: observe\n");
    expect((await get(question)).text).toContain("This repository is only observed by now: nothing is published.");
    expect((await approve()).status).toBe(403);
    expect((await get("/sallyport/approvals/aaaaa-aaaaa")).status).toBe(404);
    expect(stage.github.pulls(REPOSITORY)).toEqual([]);
  });

  test("replays a run by another policy and by today's, asks no model, and writes nothing", async () => {
    await using played = await openDashboard();
    const { stage, replayPage, send, configure } = played;
    // A machine that is busy says so, and that one may try again.
    const replayed = async (fields: Readonly<Record<string, string>>): ReturnType<typeof send> => {
      const answer = await send(replayPage, fields);
      return answer.status === 409 || answer.status === 503 ? replayed(fields) : answer;
    };
    const asked = stage.model.requests.length;
    const before = stage.github.requests.length;
    const other = await replayed({ policy: "gate:\n  protected:\n    src/**: block\n" });
    expect(other.status).toBe(200);
    expect(other.shown).toContain("1 verdict of 1 would be another one");
    expect(other.shown).toMatch(/open pull request, 1 file waits for approval held back held back protected-paths in src\/sum\.js/);
    expect(other.shown).toMatch(/src\/sum\.js 1 edit_file allowed held back protected-paths From turn 1 on/);
    const same = await replayed({});
    expect(same.shown).toMatch(
      /By the repository's policy of this moment, 0 verdicts of 1 .* waits for approval waits for approval none none/,
    );
    configure("gate:\n  protected:\n    src/**: warn\n");
    expect((await replayed({ policy: " \r\n" })).shown).toMatch(/1 verdict of 1 .* waits for approval allowed/);
    const faulty = await replayed({ policy: "gate:\n  protected: yes please\n" });
    expect([faulty.status, faulty.shown.includes("line 2, gate.protected")]).toEqual([422, true]);
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ...["b", "c", "d", "e", "f", "g", "h"].map((name, at) => `${name}: &${name} [${`*${"abcdefg"[at]},`.repeat(9)}]`),
    ];
    expect((await replayed({ policy: bomb.join("\n") })).status).toBe(422);
    expect(stage.model.requests).toHaveLength(asked);
    const written = stage.github.requests.slice(before).filter(({ method, path }) => method !== "GET" && !path.endsWith("/access_tokens"));
    expect(written.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
