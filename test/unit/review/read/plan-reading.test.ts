import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DiffFile } from "../../../../src/review/diff/diff-file.ts";
import { byRisk, planReading, type PlanOptions, type ReadingPlan } from "../../../../src/review/read/plan-reading.ts";
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
    ["package-lock.json", "a lockfile"],
    ["web/Cargo.lock", "a lockfile"],
    ["not-package-lock.json.ts", undefined],
    ["a/b.min.js", "generated, by its name"],
    ["x_pb2.py", "generated, by its name"],
    ["api/client.ts", "generated, by .gitattributes of the base"],
    ["yarn.lock", undefined],
    ["node_modules/x/index.js", "vendored, by its name"],
    ["vendor/ours.go", undefined],
    ["src/vendors/a.ts", undefined],
    ["docs/a/b.md", "ignored by configuration"],
    ["root.skip.ts", "ignored by configuration"],
    [".hidden/x.skip.ts", "ignored by configuration"],
  ])("%s: %s", (path, expected) => {
    expect(why(diffFile(path))).toBe(expected);
  });
  const long = added(["x".repeat(501)]);
  const much = added(Array.from({ length: 100 }, () => "y".repeat(100)));
  const byNewName = "generated, by a name that is new with this change";
  test.each<[string, DiffFile, string | undefined]>([
    ["small enough to be written by hand", diffFile("a.min.js", added(["steal()"]), { status: "added" }), undefined],
    ["vendored, and small", diffFile("vendor/x.go", added(["steal()"]), { status: "added" }), undefined],
    ["a renamed one", diffFile("a.min.js", "@@ -1 +1 @@\n-a\n+b", { status: "renamed", previousPath: "a.js" }), undefined],
    [
      "renamed, and named so before",
      diffFile("b.min.js", undefined, { status: "renamed", previousPath: "a.min.js" }),
      "generated, by its name",
    ],
    ["with a line that nobody writes", diffFile("a.min.js", long, { status: "added" }), byNewName],
    ["a large one", diffFile("a.pb.go", much, { status: "added" }), byNewName],
    ["what nobody has seen of it may be anything", diffFile("a.min.js", "", { status: "added", isUnread: true }), byNewName],
    ["a lockfile", diffFile("web/yarn.lock", added(["x"]), { status: "added" }), "a lockfile"],
    ["by the base's own word", diffFile("api/client.ts", added(["x"]), { status: "added" }), "generated, by .gitattributes of the base"],
    ["that says so in its text", diffFile("a.ts", added(["// @generated, do not edit", "steal()"]), { status: "added" }), undefined],
  ])("a file that is new under its name: %s", (_, file, expected) => {
    expect(why(file)).toBe(expected);
  });
  test.each([
    ["src/a.ts", undefined],
    ["lib/a.ts", "not among the paths of the configuration"],
    ["src/a.skip.ts", "ignored by configuration"],
  ])("among the paths that are wanted: %s", (path, expected) => {
    expect(whySkipped({ flags, ignore: ["**/*.skip.ts"], paths: ["src/**"] })(diffFile(path))).toBe(expected);
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
  const first = (...files: readonly DiffFile[]): readonly string[] => byRisk(files).map(({ path }) => path);
  const one = (path: string, row = "x", more: Partial<DiffFile> = {}): DiffFile => diffFile(path, added([row]), more);
  test.each<[string, readonly DiffFile[]]>([
    ["a sensitive place before a plain one", [one("src/session.ts"), one("src/a.ts")]],
    ["a dangerous call before a plain one", [one("src/z.ts", "eval(input)"), one("src/a.ts")]],
    ["a query made of strings", [one("src/z.ts", "db.run(`SELECT * FROM t WHERE a = ${a}`)"), one("src/a.ts")]],
    ["what builds and ships before plain code", [one(".github/workflows/z.yml"), one("src/a.ts")]],
    ["code before style and translations", [one("src/z.ts"), one("locales/de.json"), one("docs/x.md")]],
    ["code before what is gone", [one("src/z.ts"), one("src/a.ts", "x", { status: "removed" })]],
    ["more before less", [diffFile("src/z.ts", added(Array.from({ length: 50 }, () => "x"))), one("src/a.ts")]],
    ["an author is no authorization", [one("src/authorize.ts"), one("src/a.ts"), one("src/author.ts")]],
    ["words about eval do not make a text dangerous", [one("src/z.ts"), one("docs/a.md", "eval(x)")]],
  ])("%s", (_, files) => {
    expect(first(...files.toReversed())).toEqual(files.map(({ path }) => path));
  });

  test("a large file hides no other one: what it has beyond its share comes last", () => {
    const large = diffFile("src/auth.ts", added(Array.from({ length: 200 }, (_, at) => `line ${at}`)));
    const plan = planReading([large, diffFile("src/a.ts"), diffFile("src/b.ts")], { ...options, mostParts: 4 });
    const order = plan.parts.flatMap(({ pieces }) => pieces.map(({ file }) => file.path));
    expect(new Set(order.slice(0, order.indexOf("src/b.ts")))).toEqual(new Set(["src/auth.ts", "src/a.ts"]));
    expect(order.at(-1)).toBe("src/auth.ts");
    expect(plan.left.every(({ file }) => file === large)).toBe(true);
    expect(plan.left.length).toBeGreaterThan(0);
  });

  test("no more files than are wanted; the others are named", () => {
    const plan = planReading(
      ["c.ts", "a.ts", "b.ts"].map((path) => diffFile(path)),
      { ...options, mostFiles: 2 },
    );
    expect(plan.parts.flatMap(({ pieces }) => pieces.map(({ file }) => file.path))).toEqual(["a.ts", "b.ts"]);
    expect(renderReceipt(receiptOf(plan, all(plan)))).toContain("Not read:\n- `c.ts`: beyond what one review reads");
  });

  test("a file whose patch did not arrive whole is never taken for read", () => {
    const plan = planReading([diffFile("a.ts"), diffFile("big.ts", "", { isUnread: true })], options);
    const receipt = receiptOf(plan, all(plan));
    expect(receipt.missed).toEqual([{ path: "big.ts", why: "beyond what one review reads" }]);
    expect(isComplete(receipt)).toBe(false);
  });

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
    const plan = planReading([diffFile("a.ts", added(["x".repeat(1_000_000)]))], options);
    const { parts } = plan;
    expect(parts).toHaveLength(1);
    expect(parts[0]?.text).toMatch(/^.{0,100}\n@@\n\+1 x{2000} \[… 998000 more characters\]$/s);
    expect(renderReceipt(receiptOf(plan, all(plan)))).toContain("- `a.ts`: in part: of 1 long line only the beginning");
  });
});

describe("the receipt", () => {
  const files = [diffFile("a.ts", added(Array.from({ length: 90 }, (_, at) => `line ${at}`))), diffFile("b.ts"), diffFile("yarn.lock")];
  test("all was read", () => {
    const plan = planReading(files, options);
    const receipt = receiptOf(plan, all(plan));
    expect(isComplete(receipt)).toBe(true);
    expect(receiptSentence(receipt)).toBe("Coverage: read 2 of 3 changed files (92 of 92 changed lines), 1 not for reading.");
    expect(renderReceipt(receipt)).toContain("- `yarn.lock`: a lockfile");
  });

  test("what nobody asked for, and what had no room, is named", () => {
    const plan = planReading(files, { ...options, mostParts: 2 });
    const receipt = receiptOf(plan, new Set([0]));
    expect(isComplete(receipt)).toBe(false);
    expect(renderReceipt(receipt)).toMatch(
      /Not read:\n- `b\.ts`: not looked at by the reviewer\n- `a\.ts`: in part: the rest was beyond what one review reads\n/,
    );
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

const mixed = fc.array(fc.tuple(fc.constantFrom("+", "-", " "), row), { minLength: 1, maxLength: 60 }).map((rows) => {
  const count = (without: string): number => rows.filter(([sign]) => sign !== without).length;
  return `@@ -1,${count("+")} +1,${count("-")} @@\n${rows.map(([sign, text]) => sign + text).join("\n")}`;
});
test("every changed line of every file is shown once, with its number and its words, in the part that says so", () => {
  const property = fc.property(
    fc.array(mixed, { minLength: 1, maxLength: 6 }),
    fc.integer({ min: 300, max: 3000 }),
    (patches, partSize) => {
      const files = patches.map((patch, at) => diffFile(`src/${at}.ts`, patch));
      const { parts, left } = planReading(files, { ...options, partSize, mostParts: 1000 });
      const shown: string[] = [];
      for (const { text } of parts) {
        let path = "";
        for (const line of text.split("\n")) {
          const [, named] = /^=== "([^"]+)" \(/.exec(line) ?? [];
          path = named ?? path;
          if (named === undefined && /^[-+]\d/.test(line)) shown.push(`${path} ${line}`);
        }
      }
      const changed = files.flatMap(({ path, hunks }) =>
        hunks.flatMap(({ lines }) =>
          lines.flatMap(({ kind, left: old, right, text }) =>
            kind === "context" ? [] : [`${path} ${kind === "added" ? "+" : "-"}${right ?? old} ${text}`],
          ),
        ),
      );
      expect(left).toEqual([]);
      expect(shown.toSorted()).toEqual(changed.toSorted());
    },
  );
  fc.assert(property);
});
