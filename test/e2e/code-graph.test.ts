import { expect, test } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { openStage, REPOSITORY } from "./stage.ts";

test("a run asks the graph of its own workspace, which knows what it has just written", { timeout: 90_000 }, async () => {
  await using stage = await openStage({
    script: [
      call("write_file", { path: "src/twice.js", content: "import { sum } from './sum.js'\nexport const twice = (a) => sum(a, a)\n" }),
      call("cp_get_callers", { symbol: "sum", file: "src/sum.js" }),
      call("run_tools_script", { script: 'return await tools.cp_search_symbol({ query: "twice" })' }),
      call("cp_get_callers", { symbol: "nobody" }),
      say("`twice` calls `sum`."),
    ],
  });
  stage.github.addIssue(REPOSITORY, { title: "sum subtracts", body: "`sum(1, 2)` gives -1.", user: "alice" });
  await stage.say(1, "@sallyport who calls `sum`?");
  const requests = stage.model.requests;
  expect(requests[0]?.text).toMatch(/origin="code graph of the workspace[^>]*>\s*src\/sum\.js:\d+(?:-\d+)? function sum — asked for/);
  const results = requests.at(-1)?.results ?? [];
  expect(results[1]).toMatch(/src\/twice\.js:2 function twice \(exact\)/);
  expect(results[2]).toMatch(/function twice src\/twice\.js:2 \(exact name/);
  expect(results[3]).toMatch(/^\[error\] No symbol nobody was found/);
});
