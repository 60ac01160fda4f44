import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runNow } from "../../../src/processes/run-now.ts";
import { runWith } from "../../../src/processes/short-command.ts";

const env = { PATH: "/usr/bin:/bin" };
const shell = (script: string) => ({ program: "sh", args: ["-c", script], env });
const parentOf = (): number => Number(runNow(shell("echo $PPID")).stdout.toString());

test("a program that is waited for runs outside of this process, and each time from the same one", () => {
  const parent = parentOf();
  expect(parent).not.toBe(process.pid);
  expect(parentOf()).toBe(parent);
});

test.for<readonly [string, Parameters<typeof runNow>[0]]>([
  ["that fails", shell("echo out; echo no >&2; exit 7")],
  ["that ends by a signal", shell("kill -KILL $$")],
  ["that is not there", { program: "no-such-program", args: [], env }],
  ["without output", { program: "true", args: [], env }],
  ["with its variables alone", { program: "env", args: [], env: { A: "b c", PATH: "/usr/bin" } }],
  ["that does not read its input", { ...shell("exit 0"), input: Buffer.alloc(1_000_000) }],
])("one %s ends as one that this process starts", ([, command]) => {
  expect(runNow(command)).toEqual(runWith(command, 1_000_000));
});

test("every byte goes in and comes back, however many they are", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.constantFrom(1, 1000, 30_000), (piece, times) => {
      const input = Buffer.concat(Array.from({ length: times }, () => piece));
      const { stdout, status } = runNow({ program: "cat", args: [], env, input });
      expect(status).toBe(0);
      expect(stdout.equals(input)).toBe(true);
    }),
    { numRuns: 20 },
  );
});

// The last one: from here on this process starts all itself.
test("when the small process is killed, programs are started from this one, and no answer is lost", () => {
  process.kill(parentOf(), "SIGKILL");
  expect(runNow({ program: "cat", args: [], env, input: Buffer.alloc(300_000, "x") }).stdout.toString()).toBe("x".repeat(300_000));
  expect(parentOf()).toBe(process.pid);
});
