import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SEVERITIES } from "../../../../src/core/remark-severity.ts";
import { breaksFile } from "../../../../src/review/sift/check-suggestion.ts";
import { claimOf, phrase } from "../../../../src/review/sift/phrase.ts";
import { byWeight, mattersEnough } from "../../../../src/review/sift/weigh.ts";

test("what matters least is left out first; what nobody weighed is never left out for its weight", () => {
  const remarks = (["nit", undefined, "critical", "minor", "major", "nit"] as const).map((severity, at) => ({ severity, at }));
  expect(byWeight(remarks).map(({ at }) => at)).toEqual([2, 4, 1, 3, 0, 5]);
  expect(remarks.filter((one) => mattersEnough(one, "major")).map(({ at }) => at)).toEqual([1, 2, 4]);
  expect(remarks.filter((one) => mattersEnough(one, "nit"))).toHaveLength(6);
});

describe("a remark in words", () => {
  test.each<[string, Parameters<typeof phrase>[0], string]>([
    ["alone", { body: "It leaks." }, "It leaks."],
    ["with its weight", { body: "It leaks.", severity: "major" }, "**Major**\n\nIt leaks."],
    [
      "with all",
      { body: "It leaks.", severity: "nit", category: "Resources!", evidence: "a.ts:3" },
      "**Nit** (resources)\n\nIt leaks.\n\nEvidence: a.ts:3",
    ],
    ["with a category alone", { body: "It leaks.", category: "tests" }, "(tests)\n\nIt leaks."],
    ["before a block", { body: "```suggestion\nx\n```", severity: "minor" }, "**Minor**\n\n```suggestion\nx\n```"],
    ["a category that is a link", { body: "b", category: "[x](https://a.example)" }, "(x https a example)\n\nb"],
  ])("%s", (_, said, expected) => {
    expect(phrase(said)).toBe(expected);
  });

  test("is known again by its claim, however it is weighed and whatever it rests on", () => {
    const claim = fc.stringMatching(/^[a-z]{1,9}(?: [a-z*().:]{1,9}){0,6}$/);
    const word = fc.option(fc.stringMatching(/^[a-z]{1,9}$/), { nil: undefined });
    const severity = fc.option(fc.constantFrom(...SEVERITIES), { nil: undefined });
    fc.assert(
      fc.property(claim, severity, word, word, (body, weight, category, evidence) => {
        expect(claimOf(phrase({ body, severity: weight, category, evidence }))).toBe(body);
      }),
    );
  });
});

describe("a suggestion that would break its file", () => {
  const json = '{\n  "a": 1,\n  "b": [2]\n}\n';
  const yaml = "jobs:\n  build:\n    steps: []\n";
  test.each<[string, string, string, [number, number], string, string | undefined]>([
    ["JSON that stays JSON", "a.json", json, [2, 2], '  "a": 3,', undefined],
    ["JSON with a comma too few", "a.json", json, [2, 2], '  "a": 3', "the file would be no valid JSON with it"],
    ["lines that are deleted", "a.json", json, [2, 2], "", undefined],
    ["a bracket that is deleted", "a.json", json, [4, 4], "", "the file would be no valid JSON with it"],
    ["a file that is broken already", "a.json", "{ // c\n}\n", [1, 1], "{", undefined],
    ["YAML that stays YAML", "a.yml", yaml, [3, 3], "    steps: [x]", undefined],
    ["YAML that is none any more", "a.yaml", yaml, [3, 3], "   steps: [x", "the file would be no valid YAML with it"],
    ["YAML with a tag of its own", "a.yml", "a: !Ref b\n", [1, 1], "a: !Ref c", undefined],
    ["carriage returns", "a.json", json.replaceAll("\n", "\r\n"), [2, 2], '  "a": 3,\r', undefined],
    ["a language that is not parsed", "a.ts", "f(\n", [1, 1], "f((", undefined],
  ])("%s", (_, path, text, [first, last], suggestion, expected) => {
    expect(breaksFile(path, text, { first, last }, suggestion)).toBe(expected);
  });
});
