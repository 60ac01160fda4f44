import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say, stageExtension } from "sallyport/testing";

const extension = new URL("../src/index.ts", import.meta.url);

test("counts files, and writes a greeting into a pull request", async () => {
  await using stage = await stageExtension({
    modules: [extension],
    server: { extensions: { config: { example: { greeting: "Good morning" } } } },
    script: [
      call("count_files", { pattern: "**/*.md" }),
      call("write_greeting", { name: "Alice" }),
      call("gh_create_pr", { title: "Greet Alice", body: "As asked." }),
      say("Greeted."),
    ],
  });
  const { state, results } = await stage.ask("@sallyport greet Alice");
  assert.equal(state, "done");
  assert.deepEqual(results.slice(0, 2), ["1 files match **/*.md.", "Greeted Alice."]);
  const [pull] = stage.github.pulls(stage.repository);
  assert.equal(stage.github.fileAt(stage.repository, pull?.headSha ?? "", "GREETING.md"), "Good morning, Alice!\n");
  stage.model.assertDone();
});

test("is told what is wrong with its configuration", async () => {
  const starting = stageExtension({ modules: [extension], server: { extensions: { config: { example: { greeting: "" } } } } });
  await assert.rejects(starting, /extensions\.config\.example\.greeting/);
});
