import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { init, type InitOptions } from "../../../../src/commands/init.ts";
import { readLayer } from "../../../../src/config/read-layer.ts";
import { auditWorkflow } from "../../../../src/gate/ci/workflow-audits.ts";
import { readYaml } from "../../../../src/gate/ci/yaml-file.ts";

const room = mkdtempSync(join(tmpdir(), "sallyport-init-"));
afterAll(() => rmSync(room, { recursive: true }));

const CI = "name: Tests: all\non: [push]\njobs:\n  test:\n    runs-on: x\n    steps:\n      - run: npm run test:all\n".replace(
  "Tests: all",
  '"Tests: all"',
);
const NODE = { "package.json": JSON.stringify({ scripts: { test: "node --test", "test:all": "node --test" } }) };

function repository(files: Readonly<Record<string, string>> = {}) {
  const dir = mkdtempSync(join(room, "repository-"));
  for (const [path, text] of Object.entries({ ".git/HEAD": "ref: refs/heads/main\n", ...files })) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const read = (path: string): string => readFileSync(join(dir, path), "utf8");
  return { dir, read };
}

const NOTHING = { as: undefined, review: undefined, ci: undefined, test: undefined, model: undefined };

/** Answers are given in order; a question without one fails the test. */
async function run(
  dir: string,
  options: Partial<Omit<InitOptions, "given">> & { given?: Partial<InitOptions["given"]> } = {},
  answers?: readonly string[],
) {
  const out = { text: "", complaints: "", questions: [] as string[] };
  const left = [...(answers ?? [])];
  const status = await init(
    { dir, yes: answers === undefined, overwrite: false, json: false, ...options, given: { ...NOTHING, ...options.given } },
    {
      write: (text) => void (out.text += text),
      complain: (line) => void (out.complaints += `${line}\n`),
      ...(answers === undefined
        ? {}
        : {
            ask: (question, otherwise) => {
              out.questions.push(`${question} [${otherwise}]`);
              const answer = left.shift();
              return answer === undefined ? Promise.reject(new Error(`unexpected: ${question}`)) : Promise.resolve(answer);
            },
          }),
    },
  );
  return { status, ...out };
}

describe("sallyport init", () => {
  it("writes a configuration that holds, with the command that the repository is tested by", async () => {
    const { dir, read } = repository({ ...NODE, ".github/workflows/ci.yml": CI });
    const { status, text, complaints } = await run(dir);
    expect(status).toBe(0);
    expect(complaints).toContain("note: .github/workflows/ci.yml says that its tests are run by: npm run test:all");
    expect(readLayer(read(".github/sallyport.yml"), "repository")).toEqual({
      status: "good",
      settings: { review: { enabled: true }, ci: { mode: "fix" }, commands: { test: "npm run test:all" } },
    });
    expect(text).toMatch(/^written +\.github\/sallyport\.yml\n\nNext\n {2}1\. Commit/);
  });

  it("writes workflows for the Action that hold to the rules for workflows, but for what they are there for", async () => {
    const { dir, read } = repository({ ...NODE, ".github/workflows/ci.yml": CI });
    const { status } = await run(dir, { given: { as: "action", model: "gpt-5-mini" } });
    expect(status).toBe(0);
    const whys = (name: string): readonly string[] =>
      auditWorkflow(readYaml(read(`.github/workflows/${name}`)) ?? []).map(({ why }) => why);
    expect(readdirSync(join(dir, ".github/workflows")).toSorted()).toEqual([
      "ci.yml",
      "sallyport-ci.yml",
      "sallyport-review.yml",
      "sallyport.yml",
    ]);
    expect(whys("sallyport.yml")).toEqual(["its token may write contents"]);
    expect(whys("sallyport-review.yml")).toEqual([]);
    expect(whys("sallyport-ci.yml")).toEqual([
      "workflow_run runs with this repository's secrets on what a stranger proposes",
      "its token may write contents",
    ]);
    expect(parse(read(".github/workflows/sallyport-ci.yml"))).toMatchObject({ on: { workflow_run: { workflows: ["Tests: all"] } } });
    expect(read(".github/workflows/sallyport.yml")).toContain("model: gpt-5-mini\n");
    expect(readLayer(read(".github/sallyport.yml"), "repository")).toMatchObject({
      status: "good",
      settings: { model: expect.anything() as unknown },
    });
  });

  it("gives a workflow that only explains no right to write contents", async () => {
    const { dir, read } = repository({ ".github/workflows/ci.yml": CI });
    await run(dir, { given: { as: "action", ci: "explain", review: "no" } });
    const text = read(".github/workflows/sallyport-ci.yml");
    expect(text).toMatch(/contents: read[^]*mode: auto/);
    expect(text).not.toMatch(/contents: write|mode: fix/);
    expect(readdirSync(join(dir, ".github/workflows")).toSorted()).toEqual(["ci.yml", "sallyport-ci.yml", "sallyport.yml"]);
  });

  it("says so where there is no CI whose failures could be looked at", async () => {
    const { dir } = repository();
    const { text } = await run(dir, { given: { as: "action" } });
    expect(text).toContain("No workflow that runs tests was found");
    expect(text).not.toContain("sallyport-ci.yml");
  });

  it("asks what no option says, shows what an empty line means, and asks again for what it does not understand", async () => {
    const { dir, read } = repository(NODE);
    const { questions, complaints } = await run(dir, { given: { model: "-" } }, ["app", "maybe", "no", "off", ""]);
    expect(questions).toEqual([
      "Run it as an App with a server, or as an Action without one? [app]",
      "Review pull requests by itself? [yes]",
      "Review pull requests by itself? [yes]",
      "When CI fails: fix it, explain it, or leave it (off)? [fix]",
      "How are its tests run? (- to let each run find out) [npm test]",
    ]);
    expect(complaints).toContain("Please answer with yes or no.");
    expect(readLayer(read(".github/sallyport.yml"), "repository")).toEqual({
      status: "good",
      settings: { review: { enabled: false }, ci: { mode: "off" }, commands: { test: "npm test" } },
    });
  });

  it("makes no folder of a path that is not there", async () => {
    const dir = join(room, "mistyped");
    await expect(run(dir)).rejects.toThrow(`There is no folder ${dir}.`);
    expect(existsSync(dir)).toBe(false);
  });

  test.each<[string, Partial<InitOptions>, readonly string[] | undefined, string, number, string]>([
    ["kept without anybody to ask", {}, undefined, "kept", 1, "mine\n"],
    ["kept when the answer is no", {}, ["", "", "", "", "", ""], "kept", 1, "mine\n"],
    ["replaced when the answer is yes", {}, ["", "", "", "", "", "y"], "replaced", 0, "# How"],
    ["replaced where an option says so", { overwrite: true }, undefined, "replaced", 0, "# How"],
  ])("what is there is %s", async (_, options, answers, outcome, expected, begins) => {
    const { dir, read } = repository({ ".github/sallyport.yml": "mine\n" });
    const { status, text } = await run(dir, { ...options, json: true }, answers);
    expect(JSON.parse(text)).toMatchObject({ files: [{ path: ".github/sallyport.yml", outcome }] });
    expect(status).toBe(expected);
    expect(read(".github/sallyport.yml").startsWith(begins)).toBe(true);
  });

  it("changes nothing the second time", async () => {
    const { dir } = repository(NODE);
    await run(dir);
    expect(await run(dir)).toMatchObject({ status: 0, text: expect.stringMatching(/^unchanged \.github/) as string });
  });

  test.each([
    [{ as: "server" }, "--as"],
    [{ review: "perhaps" }, "--review"],
    [{ ci: "ignore" }, "--ci"],
    [{ test: "a\nb: c" }, "--test"],
    [{ model: "gpt 5\nx: y" }, "--model"],
  ])("refuses %j by the option's name, and writes nothing", async (given, name) => {
    const { dir } = repository();
    await expect(run(dir, { given })).rejects.toThrow(name);
    expect(readdirSync(dir)).toEqual([".git"]);
  });

  it("needs somebody to ask, or to be told that nobody is to be asked", async () => {
    await expect(run(repository().dir, { yes: false })).rejects.toMatchObject({
      code: "misused",
      hint: expect.stringContaining("--yes") as string,
    });
  });

  it("notes a folder that is no root of a checkout", async () => {
    const { dir } = repository({ "sub/x": "" });
    expect((await run(join(dir, "sub"))).complaints).toContain("is not the root of a git checkout");
  });
});
