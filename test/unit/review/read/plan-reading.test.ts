import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planReading, type PlanOptions, type ReadingPlan } from "../../../../src/review/read/plan-reading.ts";
import { isComplete, receiptOf, receiptSentence, renderReceipt } from "../../../../src/review/read/receipt.ts";
import { whySkipped } from "../../../../src/review/read/why-skipped.ts";
import { added, diffFile } from "../files.ts";

const options: PlanOptions = { whySkipped: whySkipped({ flags: new Map(), ignore: [] }), partSize: 400, mostParts: 100 };
const all = (plan: ReadingPlan): Set<number> => new Set(plan.parts.keys());

describe("a file is not for reading", () => {
  const flags = new Map([
    ["api/client.ts", { generated: true }],
    ["vendor/ours.go", { vendored: false }],
    ["yarn.lock", { generated: false }],
  ]);
  const why = whySkipped({ flags, ignore: ["docs/**", "**/*.skip.ts"] });
  test.each([
    ["src/a.ts", undefined],
    ["package-lock.json", "generated"],
    ["web/Cargo.lock", "generated"],
    ["not-package-lock.json.ts", undefined],
    ["a/b.min.js", "generated"],
    ["x_pb2.py", "generated"],
    ["api/client.ts", "generated"],
    ["yarn.lock", undefined],
    ["node_modules/x/index.js", "vendored"],
    ["vendor/ours.go", undefined],
    ["src/vendors/a.ts", undefined],
    ["docs/a/b.md", "ignored by configuration"],
    ["root.skip.ts", "ignored by configuration"],
    [".hidden/x.skip.ts", "ignored by configuration"],
  ])("%s: %s", (path, expected) => {
    expect(why(diffFile(path))).toBe(expected);
  });
  test.each([
    ["a picture", diffFile("p.png", "", { isBinary: true }), "binary"],
    ["a submodule", diffFile("sub", undefined, { modes: ["160000", "160000"] }), "a submodule"],
    ["a mode alone", diffFile("run.sh", "", { modes: ["100644", "100755"] }), "no line changed"],
  ])("%s", (_, file, expected) => {
    expect(why(file)).toBe(expected);
  });
});

describe("what is read first", () => {
  test("code before its tests, tests before words, sensitive places before all", () => {
    const paths = ["docs/a.md", "src/a.test.ts", "src/a.ts", "src/auth/login.ts", "README.md", "test/b.ts"];
    const { parts } = planReading(
      paths.map((path) => diffFile(path)),
      { ...options, partSize: 60 },
    );
    expect(parts.flatMap(({ pieces }) => pieces.map(({ file }) => file.path))).toEqual([
      "src/auth/login.ts",
      "src/a.ts",
      "src/a.test.ts",
      "test/b.ts",
      "README.md",
      "docs/a.md",
    ]);
  });

  test("each line bears the number by which it can be remarked", () => {
    const { parts } = planReading([diffFile("a b.ts", "@@ -5,2 +7,2 @@ fn x\n c\n-old\n+new\r")], options);
    expect(parts[0]?.text).toBe('=== "a b.ts" (modified)\n@@ fn x\n 7 c\n-6 old\n+8 new');
  });

  test("a line of a megabyte is shown by its beginning, and said so", () => {
    const { parts } = planReading([diffFile("a.ts", added(["x".repeat(1_000_000)]))], options);
    expect(parts).toHaveLength(1);
    expect(parts[0]?.text).toMatch(/^.{0,100}\n@@\n\+1 x{500} \[… 999500 more characters\]$/s);
  });
});

describe("the receipt", () => {
  const files = [diffFile("a.ts", added(Array.from({ length: 90 }, (_, at) => `line ${at}`))), diffFile("b.ts"), diffFile("yarn.lock")];
  test("all was read", () => {
    const plan = planReading(files, options);
    const receipt = receiptOf(plan, all(plan));
    expect(isComplete(receipt)).toBe(true);
    expect(receiptSentence(receipt)).toBe("Coverage: read 2 of 3 changed files (92 of 92 changed lines), 1 not for reading.");
    expect(renderReceipt(receipt)).toContain("- `yarn.lock`: generated");
  });

  test("what nobody asked for, and what had no room, is named", () => {
    const plan = planReading(files, { ...options, mostParts: 2 });
    const receipt = receiptOf(plan, new Set([0]));
    expect(isComplete(receipt)).toBe(false);
    expect(renderReceipt(receipt)).toMatch(/Not read:\n- `a\.ts`: in part: the rest was beyond what one review reads\n- `b\.ts`/);
    expect(receipt.read).toBe(0);
  });

  test("a hostile name is inert, and of many names the rest is counted", () => {
    const many = Array.from({ length: 50 }, (_, at) => diffFile(`@all ${at} <!-- \`x\`.ts`));
    const text = renderReceipt(receiptOf(planReading(many, { ...options, mostParts: 0 }), new Set()));
    expect(text).toContain("- and 30 more");
    expect(text).toContain("``@all 0 <!-- `x`.ts``");
  });
});

const row = fc.string({ maxLength: 60 }).map((text) => text.replace(/[\r\n]/g, ""));
const changes = fc.array(
  fc.tuple(fc.stringMatching(/^[a-z]{1,3}(?:\/[a-z]{1,3}\.(?:ts|md|lock))?$/), fc.array(row, { minLength: 1, maxLength: 40 })),
  {
    maxLength: 8,
  },
);
test("every changed line is in one piece, in a part or left; no part is larger than it may be", () => {
  const property = fc.property(
    changes,
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 200, max: 2000 }),
    (made, mostParts, partSize) => {
      const files = [...new Map(made)].map(([path, rows]) => diffFile(path, added(rows)));
      const plan = planReading(files, { ...options, mostParts, partSize });
      const lines = files
        .filter((file) => options.whySkipped(file) === undefined)
        .reduce((sum, { hunks }) => sum + (hunks[0]?.lines.length ?? 0), 0);
      const receipt = receiptOf(plan, all(plan));
      expect(receipt.lines.all).toBe(lines);
      expect(plan.parts.length).toBeLessThanOrEqual(mostParts);
      for (const { pieces } of plan.parts)
        expect(pieces.reduce((sum, { text }) => sum + text.length + 1, 0)).toBeLessThanOrEqual(partSize + 100);
      expect(isComplete(receipt)).toBe(plan.left.length === 0);
    },
  );
  fc.assert(property);
});
