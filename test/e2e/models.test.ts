import { expect, test } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { FILES, openStage, REPOSITORY, type StageOptions } from "./stage.ts";

const edit = call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" });
const openPull = call("gh_create_pr", { title: "Make sum add", body: "It subtracted." });

/** Asks for a fix in a repository with this configuration, and answers the stage. */
async function ask(script: StageOptions["script"], configuration: string, environment: StageOptions["environment"] = {}) {
  const stage = await openStage({ script, environment, files: { ...FILES, ".github/sallyport.yml": configuration } });
  stage.github.addIssue(REPOSITORY, { title: "sum subtracts", body: "`sum(1, 2)` gives -1.", user: "alice" });
  await stage.say(1, "@sallyport please fix this");
  return stage;
}

test("over responses a mention becomes a pull request, and each turn's reasoning goes back as it came", async () => {
  const script = [{ ...edit, reasoning: "sealed-1" }, { ...openPull, reasoning: "sealed-2" }, say("`sum` adds now.")];
  await using stage = await ask(script, "label: sallyport\n", { SALLYPORT_MODEL_API: "responses" });
  expect(stage.comments(1)[0]).toMatch(/^\*\*done\*\* — Opened #2\./);
  stage.model.assertDone();
  const last = stage.model.requests.at(-1);
  expect(last?.api).toBe("responses");
  expect(last?.messages.flatMap(({ sealed }) => sealed)).toEqual(["sealed-1", "sealed-2"]);
});

test("where a model is unavailable the next one of the configuration works, and the result names it", async () => {
  const gone = { status: 404, body: { error: { message: "no such model", code: "model_not_found" } } };
  await using stage = await ask(({ model }) => (model === "first" ? gone : say("Nothing to do.")), "model: [first, second]\n");
  expect(stage.model.requests.map(({ model }) => model)).toEqual(["first", "second"]);
  expect(stage.comments(1)[0]).toContain("`second`");
});

test("money that is used up ends the run, which says max_usd and what it cost", async () => {
  const configuration = "max_usd: 0.5\nprices:\n  scripted: { input: 10, output: 10 }\n";
  const usage = { input: 20_000, output: 0 };
  await using stage = await ask((_request, step) => ({ ...call("list_files", { depth: step + 1 }), usage }), configuration);
  const [comment] = stage.comments(1);
  expect(comment).toMatch(/^\*\*out of budget\*\* — The limit max_usd was reached\./);
  expect(comment).toContain("$0.80");
  expect(stage.model.requests.length).toBe(4);
});

test("a max_usd that somebody set refuses a model without a price, before it is asked", async () => {
  await using stage = await ask([say("never")], "max_usd: 2\n");
  const [comment] = stage.comments(1);
  expect(comment).toMatch(/^\*\*failed\*\* — max_usd is set to 2, but the price of `scripted` is not known/);
  expect(comment).toContain("prices");
  expect(stage.model.requests).toEqual([]);
});
