import { expect, test } from "vitest";
import type { DiffFile } from "../../../../src/review/diff/diff-file.ts";
import { nameUnlined } from "../../../../src/review/read/name-unlined.ts";
import type { ReadingPlan } from "../../../../src/review/read/plan-reading.ts";
import { diffFile } from "../files.ts";

const image = (path: string): DiffFile => diffFile(path, "", { status: "added", isBinary: true });
const plan = (skipped: ReadingPlan["skipped"], parts: readonly string[] = []): ReadingPlan => {
  return { parts: parts.map((text) => ({ text, pieces: [] })), skipped, left: [], files: 3 };
};
const texts = ({ parts }: ReadingPlan): readonly string[] => parts.map(({ text }) => text);

test("a binary file and a renamed one are named behind the lines of the first part", () => {
  const renamed = diffFile("new.ts", "", { previousPath: "old.ts", status: "renamed" });
  const skipped = [
    { path: "a.png", why: "binary" },
    { path: "new.ts", why: "no line changed" },
  ];
  expect(texts(nameUnlined(plan(skipped, ["LINES", "MORE"]), [image("a.png"), renamed]))).toEqual([
    'LINES\n\nChanged as well, without a line to show:\n=== "a.png" (added), binary\n=== "new.ts" (renamed from "old.ts")',
    "MORE",
  ]);
});

test("they are one part of their own where there is nothing else to read", () => {
  expect(texts(nameUnlined(plan([{ path: "a.png", why: "binary" }]), [image("a.png")]))).toEqual([
    expect.stringContaining('"a.png" (added), binary'),
  ]);
});

test("what the repository ignores, or a tool writes, stays unnamed, and a plan without others is as it was", () => {
  const skipped = [
    { path: "a.png", why: "ignored by configuration" },
    { path: "b.lock", why: "generated" },
  ];
  const given = plan(skipped);
  expect(nameUnlined(given, [image("a.png"), diffFile("b.lock")])).toBe(given);
});

test("a flood of them is counted", () => {
  const files = Array.from({ length: 300 }, (_, at) => image(`i${at}.png`));
  const [text = ""] = texts(nameUnlined(plan(files.map(({ path }) => ({ path, why: "binary" }))), files));
  expect(text.split("\n")).toHaveLength(52);
  expect(text).toMatch(/and 250 more$/);
});
