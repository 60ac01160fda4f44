import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { review } from "../../src/commands/review.ts";
import { run } from "../../src/commands/run.ts";
import { call, say, startScriptedModel, type Script, type Turn } from "../../src/testing/index.ts";
import { checkouts, GIT, put } from "./checkouts.ts";
import { FILES } from "./stage.ts";

const { checkout, remove } = checkouts();
afterAll(remove);

const fix = call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" });
const TOKEN = ["ghp", "R3al9Looking0Token1Value2Abc4Def5Ghi6J"].join("_");
const WORKFLOW = call("write_file", { path: ".github/workflows/x.yml", content: "on: push\njobs: {}\n" });

/** A world without a terminal, with a model that plays a script. */
async function withModel<T>(
  script: readonly Turn[] | Script,
  use: (world: Parameters<typeof run>[1], said: () => { readonly out: string; readonly err: string }) => Promise<T>,
) {
  const model = await startScriptedModel(script);
  let [out, err] = ["", ""];
  const world = {
    variables: { PATH: GIT.PATH, OPENAI_BASE_URL: model.baseUrl, SALLYPORT_MODEL: "scripted" },
    write: (text: string) => void (out += text),
    complain: (line: string) => void (err += `${line}\n`),
    signal: new AbortController().signal,
  };
  try {
    return { ...(await use(world, () => ({ out, err }))), requests: model.requests };
  } finally {
    await model.finish();
  }
}

const runOn = (root: string, script: readonly Turn[] | Script, more: { readonly yes?: boolean; readonly json?: boolean } = {}) =>
  withModel(script, async (world, said) => {
    const status = await run({ task: "make sum add", yes: true, json: false, cwd: root, ...more }, world);
    return { status, ...said() };
  });

describe("run on a local checkout", () => {
  it("leaves what passed the gate on a new branch, and the checkout as it was", async () => {
    const { root, git } = checkout();
    put(root, { "README.md": "My own words.\n", "notes.txt": "untracked\n" });
    git("add", "README.md");
    const before = git("status", "--porcelain");
    const { status, out, err } = await runOn(root, [fix, say("Fixed it.")]);
    expect({ status, out }).toMatchObject({ status: 0 });
    expect(out).toMatch(/Fixed it\.[\s\S]*PASS[\s\S]*sallyport\/local-make-sum-add/);
    expect(err).toContain("edit_file");
    expect(git("show", "sallyport/local-make-sum-add:src/sum.js")).toContain("a + b");
    expect(git("ls-tree", "-r", "--name-only", "sallyport/local-make-sum-add")).not.toContain("notes.txt");
    expect(git("show", "sallyport/local-make-sum-add:README.md")).toBe(FILES["README.md"]);
    expect(git("status", "--porcelain")).toBe(before);
    expect(readFileSync(join(root, "src/sum.js"), "utf8")).toBe(FILES["src/sum.js"]);
    expect(git("rev-parse", "--abbrev-ref", "HEAD").trim()).toBe("main");
  });

  it("leaves a commit whose message gives no orders once it is pushed", async () => {
    const { root, git } = checkout();
    const orders =
      "Done, @everyone. Fixes #12, closes acme/other#3.\n\n[skip ci]\nCo-authored-by: Eve <eve@evil.example>\nSee https://evil.example/x\u202e.";
    const { status } = await runOn(root, [fix, say(orders)]);
    expect(status).toBe(0);
    const message = git("log", "-1", "--format=%B", "sallyport/local-make-sum-add");
    expect(message).toMatch(/^make sum add\n\nDone, `@everyone`\./);
    expect(message).not.toMatch(/ixes #12|closes acme|\[skip ci\]|^Co-authored-by|https:|\u202e/m);
  });

  it("holds a change back whose message would hold a secret", async () => {
    const { root, git } = checkout();
    const { status, out } = await runOn(root, [fix, say(`The key is ${TOKEN}.`)]);
    expect(status).toBe(1);
    expect(out).toMatch(/secrets/);
    expect(git("branch", "--list", "sallyport/*").trim()).toBe("");
  });

  it("leaves a second branch beside the first", async () => {
    const { root, git } = checkout();
    await runOn(root, [fix, say("Once.")]);
    const { out } = await runOn(root, [fix, say("Twice.")]);
    expect(out).toContain("sallyport/local-make-sum-add-2");
    expect(git("branch", "--list", "sallyport/*").trim().split("\n")).toHaveLength(2);
  });

  it("shows what the gate held back, and does not take it along", async () => {
    const { root, git } = checkout();
    const { status, out, requests } = await runOn(root, [WORKFLOW, fix, say("Tried it.")]);
    expect(status).toBe(0);
    expect(requests[1]?.results.at(-1)).toMatch(/^\[blocked\] protected-paths: /);
    expect(out).toContain(".github/workflows/x.yml");
    expect(git("ls-tree", "-r", "--name-only", "sallyport/local-make-sum-add")).not.toContain("workflows");
  });

  it("leaves nothing without a yes when nobody can be asked, and says so", async () => {
    const { root, git } = checkout();
    const { status, err } = await runOn(root, [fix, say("Fixed it.")], { yes: false });
    expect(status).toBe(0);
    expect(err).toMatch(/Nobody can be asked.*--yes/);
    expect(git("branch", "--list", "sallyport/*")).toBe("");
  });

  it("fails, and says why, when the model does", async () => {
    const { root } = checkout();
    const refused: Turn = { status: 401, body: { error: { message: "Incorrect API key provided" } } };
    const { status, out } = await runOn(root, [refused]);
    expect(status).toBe(1);
    expect(out).toMatch(/did not finish: .*key/i);
  });

  it("tells the result as JSON", async () => {
    const { root } = checkout();
    const { out } = await runOn(root, [fix, say("Fixed it.")], { json: true });
    expect(JSON.parse(out)).toMatchObject({
      end: "stop",
      verdict: "pass",
      branch: "sallyport/local-make-sum-add",
      answer: "Fixed it.",
      files: 1,
    });
  });

  it("offers nothing of GitHub", async () => {
    const { root } = checkout();
    const { requests } = await runOn(root, [say("Nothing to do.")]);
    const names = requests[0]?.toolNames ?? [];
    expect(names).toContain("edit_file");
    expect(names.filter((name) => name.startsWith("gh_"))).toEqual([]);
  });
});

describe("review of a range", () => {
  const changed = { "src/sum.js": FILES["src/sum.js"].replace("a - b", "a + b") };
  it("shows the model the difference, and the person the remarks by their places", async () => {
    const { root, git } = checkout(changed);
    const remark = { path: "src/sum.js", line: 2, body: "Say why.", suggestion: "  return a + b; // a sum" };
    const script = [
      call("gh_review_pr", { number: 1, body: "One thing.", comments: [remark, { ...remark, line: 90 }] }),
      say("The sign is right now."),
    ];
    const { status, out, requests } = await withModel(script, async (world, said) => {
      const status = await review({ range: "HEAD~1..HEAD", json: false, cwd: root }, world);
      return { status, ...said() };
    });
    expect(status).toBe(0);
    expect(requests[0]?.text).toContain("a + b");
    expect(out).toMatch(
      /One thing\.[\s\S]*src\/sum\.js:2\n {2}Say why\.[\s\S]*src\/sum\.js:90[\s\S]*The sign is right now\.[\s\S]*read 1 of 1/,
    );
    expect(git("status", "--porcelain")).toBe("");
    expect(requests[0]?.toolNames.filter((name) => /write|edit|shell|gh_c/.test(name))).toEqual([]);
  });

  it("shows the remarks that an extension leaves", async () => {
    const { root } = checkout(changed);
    const module = join(root, ".git", "quiet.mjs");
    writeFileSync(
      module,
      "export default { name: 'quiet', register(bot) { bot.addFilter('review.findings', (all) => all.filter(({ body }) => !body.startsWith('nit:'))) } }",
    );
    const remarks = ["nit: a blank.", "Say why."].map((body) => ({ path: "src/sum.js", line: 2, body }));
    const script = [call("gh_review_pr", { number: 1, body: "Two things.", comments: remarks }), say("That is all.")];
    const { out } = await withModel(script, async (world, said) => {
      const variables = { ...world.variables, SALLYPORT_EXTENSIONS: module };
      await review({ range: "HEAD~1..HEAD", json: false, cwd: root }, { ...world, variables });
      return said();
    });
    expect(out).toContain("Say why.");
    expect(out).not.toContain("nit:");
  });

  it("asks no model where nothing is to be read", async () => {
    const { root } = checkout({ "yarn.lock": "x\n" });
    const { out } = await withModel([], async (world, said) => {
      await review({ range: "HEAD~1..HEAD", json: false, cwd: root }, world);
      return said();
    });
    expect(out).toContain("Nothing of HEAD~1..HEAD");
  });

  it("names the range that is missing", async () => {
    const { root } = checkout();
    await expect(withModel([], async (world, said) => (await review({ json: false, cwd: root }, world), said()))).rejects.toThrow(
      "not clear what to review",
    );
  });
});
