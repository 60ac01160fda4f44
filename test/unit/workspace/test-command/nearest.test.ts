import { describe, expect, it, test } from "vitest";
import { focusedCommand, nearestTests, ranNothing } from "../../../../src/workspace/test-command/nearest.ts";

const PATHS = [
  "src/sum.ts",
  "src/deep/sum.ts",
  "src/index.ts",
  "src/sum.test.ts",
  "test/deep/sum.test.ts",
  "test/fixtures/sum.py",
  "tests/test_sum.py",
  "lib/sum.py",
  "pkg/sum.go",
  "pkg/sum_test.go",
  "spec/sum_spec.rb",
  "app/sum.rb",
  "README.md",
];

describe("the tests nearest to a change", () => {
  it.each([
    [["src/sum.ts"], ["src/sum.test.ts", "test/deep/sum.test.ts"]],
    [["src/deep/sum.ts"], ["test/deep/sum.test.ts", "src/sum.test.ts"]],
    [["pkg/sum.go"], ["pkg/sum_test.go"]],
    [["app/sum.rb"], ["spec/sum_spec.rb"]],
    [["src/sum.test.ts"], ["src/sum.test.ts"]],
    [["README.md", "src/index.ts", "gone.ts"], []],
  ])("of %j are %j", (changed, tests) => {
    expect(nearestTests(changed, PATHS)).toEqual(tests);
  });

  it("are of the same language", () => {
    expect(nearestTests(["lib/sum.py"], PATHS)).toEqual(["test/fixtures/sum.py", "tests/test_sum.py"]);
  });

  it("are few", () => {
    const many = Array.from({ length: 50 }, (_, n) => `src/f${n}.test.js`);
    expect(nearestTests(many, many)).toHaveLength(10);
  });
});

test.each([
  ["npm test", "node --test", ["a.test.js"], "npm test -- a.test.js"],
  ["npm test", "vitest run --coverage=false", ["a.test.ts", "b.test.ts"], "npm test -- a.test.ts b.test.ts"],
  ["pnpm test", "NODE_ENV=test jest", ["a.test.js"], "pnpm test a.test.js"],
  ["npx jest", undefined, ["a.test.js"], "npx jest a.test.js"],
  ["python3 -m pytest -q", undefined, ["tests/test_a.py"], "python3 -m pytest -q tests/test_a.py"],
  ["bundle exec rspec", undefined, ["spec/a_spec.rb"], "bundle exec rspec spec/a_spec.rb"],
  ["go test -race ./...", undefined, ["pkg/a_test.go", "pkg/b_test.go", "c_test.go"], "go test -race ./pkg/ ./"],
  // What has chosen its files already, does more than testing, or is not known, is run as it is.
  ["npm test", "node --test test/", ["a.test.js"], undefined],
  ["npm test", "npm run lint && vitest", ["a.test.js"], undefined],
  ["npm test", undefined, ["a.test.js"], undefined],
  ["make test", undefined, ["a.test.js"], undefined],
  ["npx jest", undefined, ["tests/test_a.py"], undefined],
  // Names that a shell or a runner would read as something else are left out.
  ["npx jest", undefined, ["a;rm -rf x.test.js", "--watch.test.js", "$(id).test.js"], undefined],
])("%s (%s) for %j alone is %s", (command, script, files, expected) => {
  expect(focusedCommand(command, script, files)).toBe(expected);
});

test.each([
  ["No test files found, exiting with code 1", true],
  ["No tests found, exiting with code 1", true],
  ["collected 0 items", true],
  ["# tests 3\n# fail 1", false],
])("of %j it is said that nothing was run: %s", (output, nothing) => {
  expect(ranNothing(output)).toBe(nothing);
});
