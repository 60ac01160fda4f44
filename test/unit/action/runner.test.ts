import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRunner, type Runner } from "../../../action/runner.ts";
import { commandsIn, outputsIn } from "../../e2e/action-runner.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sallyport-runner-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = "a-held-secret-value";

/** What one use of a runner leaves in log, outputs and summary. */
function left(use: (runner: Runner) => void): { readonly log: string; readonly output: string; readonly summary: string } {
  const [outputFile, summaryFile] = [join(folder, "output"), join(folder, "summary")];
  for (const file of [outputFile, summaryFile]) writeFileSync(file, "");
  let log = "";
  const hide = (text: string): string => text.replaceAll(SECRET, "***");
  use(openRunner({ write: (text) => (log += text), outputFile, summaryFile, hide }));
  return { log, output: readFileSync(outputFile, "utf8"), summary: readFileSync(summaryFile, "utf8") };
}

const HOSTILE = fc
  .array(
    fc.constantFrom("::", "##[", "error", "]", "\n", "\r", "\u2028", "%0A", "%", " ", "set-output name=a", "<<", "=", "x", "\u001b[2K"),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(""));

describe("the log", () => {
  test("holds no command in either form, whatever a line says", () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        const { log } = left((runner) => runner.say(text));
        expect(commandsIn(log)).toEqual([]);
        expect(log.trimEnd().split(/\r|\n/)).toHaveLength(1);
      }),
    );
  });

  test("holds exactly the annotation that is made, whatever its message and file say", () => {
    fc.assert(
      fc.property(HOSTILE, HOSTILE, (message, file) => {
        const { log } = left((runner) => runner.error(message, { file, line: 3 }));
        const commands = commandsIn(log);
        expect(commands).toHaveLength(1);
        expect(commands[0]?.name).toBe("error");
        expect(commands[0]?.properties).toEqual({ file, line: "3" });
      }),
    );
  });

  test("keeps the words of a message, its lines among them", () => {
    const { log } = left((runner) => runner.warning("100% of it\nis a: warning", { title: "a, b: c" }));
    expect(commandsIn(log)).toEqual([{ name: "warning", properties: { title: "a, b: c" }, data: "100% of it\nis a: warning" }]);
  });

  test("cuts a line that nobody would read to its end", () => {
    const { log } = left((runner) => runner.say("x".repeat(1_000_000)));
    expect(log.length).toBeLessThan(5_000);
  });
});

describe("outputs", () => {
  test("arrive as they are, and set no other", () => {
    fc.assert(
      fc.property(HOSTILE, HOSTILE, (summary, branch) => {
        const { output } = left((runner) => runner.setOutputs({ summary, branch }));
        expect(outputsIn(output)).toEqual({ summary, branch });
      }),
    );
  });

  test("end where nobody can have foreseen it", () => {
    const ends = [1, 2].map(() => left((runner) => runner.setOutputs({ a: "b" })).output.split("\n")[0]);
    expect(ends[0]).not.toBe(ends[1]);
  });
});

test("summary, outputs and log show no held value", () => {
  const { log, output, summary } = left((runner) => {
    runner.say(`say ${SECRET}`);
    runner.error(`error ${SECRET}`, { file: SECRET });
    runner.setOutputs({ a: SECRET });
    runner.summarise(SECRET);
  });
  expect(log + output + summary).not.toContain(SECRET);
  expect(log).toContain("say ***");
});

test("a summary fits what GitHub takes, also in letters of several bytes", () => {
  const { summary } = left((runner) => runner.summarise("ü".repeat(2_000_000)));
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
  expect(summary).toContain("left out");
  expect(summary).not.toContain("\ufffd");
});
