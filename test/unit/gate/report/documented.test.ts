import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderJson } from "../../../../src/gate/report/json.ts";
import { appendAudit, type AuditRow } from "../../../../src/store/audit.ts";
import type { Database } from "../../../../src/store/sql.ts";

const page = readFileSync(new URL("../../../../docs/gate.md", import.meta.url), "utf8");

it("the page on the gate names every field of the JSON report", () => {
  const base = { commit: "a".repeat(40), tree: "b".repeat(40) };
  const finding = { rule: "size", severity: "warn" as const, why: "w", fix: "f" };
  const report = JSON.parse(renderJson({ verdict: "pass", subject: "a..b", base, tree: base.tree, files: 1, findings: [finding] })) as {
    readonly [field: string]: unknown;
    readonly findings: readonly object[];
  };
  const fields = [...Object.keys(report), ...report.findings.flatMap(Object.keys)];
  expect(fields.filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
});

it("the hash of an audit row is made as the page says", async () => {
  const rows: unknown[][] = [];
  const query = (sql: string, params: readonly unknown[] = []) =>
    Promise.resolve(sql.startsWith("insert") ? (rows.push([...params]), []) : []);
  const database = { transaction: (work: (tx: unknown) => Promise<unknown>) => work({ query }) } as unknown as Database;
  const { previous, entry, hash }: AuditRow = await appendAudit(database, { kind: "decision" });
  expect(page).toContain("SHA-256 of\n`previous`, a line feed and `entry`");
  expect(hash).toBe(
    createHash("sha256")
      .update(`${"0".repeat(64)}\n${entry}`)
      .digest("hex"),
  );
  expect(previous).toBe("0".repeat(64));
});
