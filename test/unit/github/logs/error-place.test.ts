import { expect, test } from "vitest";
import { createLogReader } from "../../../../src/github/logs/digest-log.ts";

const placeIn = (log: readonly string[]) => {
  const reader = createLogReader();
  reader.push(Buffer.from([...log, "##[error]Process completed with exit code 1."].join("\n")));
  return reader.end().errors[0]?.place;
};

test.each([
  ["TypeScript", ["src/a.ts(3,5): error TS2322: no"], { path: "src/a.ts", line: 3 }],
  ["TypeScript, pretty", ["src/a.ts:3:5 - error TS2322: no"], { path: "src/a.ts", line: 3 }],
  ["a C compiler", ["src/main.c:7:5: error: expected ';' before 'return'"], { path: "src/main.c", line: 7 }],
  ["Rust", ["error[E0425]: cannot find value `cnt` in this scope", "  --> src/lib.rs:12:9"], { path: "src/lib.rs", line: 12 }],
  ["Go", ["# acme.test/widgets", "./sum.go:3:9: undefined: totl"], { path: "sum.go", line: 3 }],
  ["a test of Go", ["--- FAIL: TestSum (0.00s)", "    sum_test.go:8: got 1"], { path: "sum_test.go", line: 8 }],
  [
    "ESLint",
    ["/home/runner/work/widgets/widgets/src/odd.js", "  3:7  error  'x' is assigned a value but never used  no-unused-vars"],
    { path: "src/odd.js", line: 3 },
  ],
  [
    "pytest",
    [">       assert add(1, 2) == 3", "E       assert -1 == 3", "tests/test_add.py:4: AssertionError"],
    { path: "tests/test_add.py", line: 4 },
  ],
  [
    "Python",
    ["Traceback (most recent call last):", '  File "/home/runner/work/w/w/src/a.py", line 9, in <module>', "ValueError: x"],
    { path: "src/a.py", line: 9 },
  ],
  ["Maven", ["[ERROR] /home/runner/work/w/w/src/main/java/Sum.java:[3,5] ';' expected"], { path: "src/main/java/Sum.java", line: 3 }],
  ["node:test", ["not ok 1 - adds", "  location: '/home/runner/work/widgets/test/sum.test.js:5:1'"], { path: "test/sum.test.js", line: 5 }],
  ["a container", ["/__w/w/w/src/a.c:1:2: error: x"], { path: "src/a.c", line: 1 }],
  ["Windows", ["D:\\a\\w\\w\\src\\a.ts(3,5): error TS2322: no"], { path: "src/a.ts", line: 3 }],
  [
    "a stack that begins in a package",
    ["AssertionError: x", "    at f (/home/runner/work/w/w/node_modules/chai/i.js:1:1)", "    at g (/home/runner/work/w/w/test/a.js:7:1)"],
    { path: "test/a.js", line: 7 },
  ],
])("%s names the place of its error, relative to the repository", (_, log, place) => {
  expect(placeIn(log)).toEqual(place);
});

test.each([
  ["no file at all", ["Error: it failed"]],
  ["a file of the runner's", ["Error: x", "    at /usr/lib/node/a.js:1:2"]],
  ["a way out of the repository", ["../../etc/passwd.txt:1:1: error: x"]],
  ["git's own folder", [".git/config.x:1:1: error: x"]],
  ["an address", ["error: could not fetch https://example.com/a.js:80"]],
])("an error that names %s has no place", (_, log) => {
  expect(placeIn(log)).toBeUndefined();
});
