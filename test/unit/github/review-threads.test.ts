import { expect, test } from "vitest";
import { createReader } from "../../../src/github/reader.ts";
import { fakeLedger, loopback, REPOSITORY, sessionOn } from "./loopback.ts";

const remark = (id: number, parts: object = {}) => ({
  id,
  path: "src/a.ts",
  line: 7,
  diff_hunk: "@@ -1 +1 @@\n-a\n+b",
  body: `body ${id}`,
  created_at: `t${id}`,
  user: { login: "carol" },
  ...parts,
});

test("a review conversation is its first remark and what answers it, oldest first", async () => {
  const remarks = [remark(9, { in_reply_to_id: 5, user: null, body: null }), remark(6), remark(5), remark(8, { in_reply_to_id: 6 })];
  await using github = await loopback(() => ({ status: 200, body: remarks }));
  const reader = createReader(sessionOn(github.baseUrl, fakeLedger()), REPOSITORY);
  expect(await reader.reviewThread({ number: 3, root: 5 })).toEqual({
    path: "src/a.ts",
    line: 7,
    hunk: "@@ -1 +1 @@\n-a\n+b",
    comments: [
      { id: 5, author: "carol", createdAt: "t5", body: "body 5" },
      { id: 9, author: "ghost", createdAt: "t9", body: "" },
    ],
  });
  expect(await reader.reviewThread({ number: 3, root: 77 })).toBeUndefined();
});

test("a review's remarks are a conversation each; outdated ones have no line", async () => {
  await using github = await loopback(() => ({ status: 200, body: [remark(1, { line: null }), remark(2, { path: "b.ts" })] }));
  const reader = createReader(sessionOn(github.baseUrl, fakeLedger()), REPOSITORY);
  const found = await reader.reviewRemarks({ number: 3, review: 4 });
  expect(found.map(({ path, line }) => [path, line])).toEqual([
    ["src/a.ts", undefined],
    ["b.ts", 7],
  ]);
  expect(github.lines()[0]).toMatch(/^GET \/repos\/acme\/app\/pulls\/3\/reviews\/4\/comments/);
});

test("a conversation that is gone is none", async () => {
  await using github = await loopback(() => ({ status: 404, body: { message: "Not Found" } }));
  const reader = createReader(sessionOn(github.baseUrl, fakeLedger()), REPOSITORY);
  expect(await reader.reviewThread({ number: 3, root: 5 })).toBeUndefined();
});
