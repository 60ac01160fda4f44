import { describe, expect, it } from "vitest";
import { CLEAN_UP, digest, jobLog, printed, SET_UP, step } from "./job-log.ts";

/** What each tool prints when it fails, and the lines without which nobody knows why. */
const TOOLS: readonly (readonly [tool: string, command: string, exit: number, causes: readonly [string, ...string[]]])[] = [
  ["vitest", "npm test", 1, ["AssertionError: expected -1 to be 3", "test/sum.test.ts:5:21"]],
  ["jest", "npm test", 1, ["● sum › adds", "Expected: 3", "Received: -1"]],
  ["node-test", "npm test", 1, ["AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:", "-1 !== 3"]],
  ["pytest", "pytest", 1, ["E       assert -1 == 3", "tests/test_sum.py:5: AssertionError"]],
  ["go-test", "go test ./...", 1, ["--- FAIL: TestAdds", "sum_test.go:9: Add(1, 2) = -1, want 3"]],
  ["go-build", "go test ./...", 1, ["sum/sum.go:6:9: undefined: subtrahend"]],
  ["cargo-test", "cargo test", 101, ["panicked at src/lib.rs:14:9:", "left: -1", "right: 3"]],
  ["cargo-build", "cargo build", 101, ["error[E0308]: mismatched types", "--> src/lib.rs:2:5"]],
  ["maven", "mvn -B verify", 1, ["AssertionFailedError: expected: <3> but was: <-1>", "com.example.SumTest.adds"]],
  ["maven-compile", "mvn -B verify", 1, ["Sum.java:[5,16] cannot find symbol"]],
  ["gradle", "./gradlew build", 1, ["SumTest > adds() FAILED", "AssertionFailedError: expected: <3> but was: <-1>"]],
  ["gradle-compile", "./gradlew build", 1, ["Sum.java:5: error: cannot find symbol"]],
  ["rspec", "bundle exec rspec", 1, ["Failure/Error: expect(Sum.call(1, 2)).to eq(3)", "expected: 3", "spec/sum_spec.rb:5"]],
  ["tsc", "npm run build", 2, ["src/use.ts(2,22): error TS2345: Argument of type 'string'"]],
  ["tsc-pretty", "npm run build", 1, ["src/use.ts:2:22 - error TS2345: Argument of type 'string'"]],
  ["eslint", "npm run lint", 1, ["src/sum.js", "2:9  error  'unused' is assigned a value but never used"]],
  ["docker-build", "docker buildx build .", 1, ["src/use.ts(2,22): error TS2345: Argument of type 'string'", "RUN npm run build"]],
  ["docker-run", "docker buildx build .", 1, ["Could not find a version that satisfies the requirement left-pad==9.9.9"]],
  ["npm-install", "npm ci", 1, ["npm error code ERESOLVE", 'peer react@"^17 || ^18" from react-widgets@2.0.0']],
  ["npm-missing", "npm ci", 1, ["npm ERR! code E404", "left-padd"]],
  ["turbo", "npx turbo test", 1, ["AssertionError: expected -1 to be 3", "src/sum.test.ts"]],
  ["python-script", "python scripts/migrate.py", 1, ["Traceback (most recent call last):", "KeyError: 'DATABASE'"]],
  ["gcc", "make", 2, ["src/sum.c:4:12: error: 'c' undeclared"]],
];

describe("a failed job's log", () => {
  it.each(TOOLS)("of %s shows the cause in at most 4 KB", (tool, command, exit, causes) => {
    const lines = printed(tool);
    const log = jobLog([...SET_UP, ...step(command, lines, exit), ...CLEAN_UP]);
    const { text, isWhole, errors, lines: all } = digest(log);
    expect(isWhole).toBe(false);
    expect(all).toBeGreaterThan(lines.length);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    for (const cause of causes) expect(text).toContain(cause);
    expect(text).toMatch(new RegExp(`^Step: Run ${command.replaceAll(".", "\\.")}$`, "m"));
    expect(text).toContain(`error: Process completed with exit code ${exit}.`);
    expect(text).not.toMatch(/2031-02-03T|##\[|orphan/);
    // The first error alone names one of them: it stands in a check run without a model.
    expect(errors).toHaveLength(1);
    expect(causes.some((cause) => errors[0]?.line.includes(cause))).toBe(true);
  });

  it.each(TOOLS)("of %s that fails in two steps shows both causes in the same room", (tool, command, exit, causes) => {
    const other = step(
      "./smoke.sh",
      [...Array.from({ length: 500 }, (_, n) => `request ${n} ok`), "curl: (7) Failed to connect to localhost"],
      7,
    );
    const { text, errors } = digest(jobLog([...SET_UP, ...other, ...step(command, printed(tool), exit), ...CLEAN_UP]));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    expect(text).toContain(causes[0]);
    expect(text).toContain("curl: (7) Failed to connect to localhost");
    expect(errors.map(({ step: title }) => title)).toEqual(["Run ./smoke.sh", `Run ${command}`]);
  });
});
