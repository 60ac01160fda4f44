import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createMeters } from "../../../src/telemetry/meters.ts";

const read = (file: string): string => readFileSync(new URL(`../../../docs/${file}`, import.meta.url), "utf8");

test.each(["monitoring/alerts.yml", "monitoring/grafana.json", "operating.md"])("%s names metrics that there are", async (file) => {
  const meters = createMeters({ version: "1", role: "all", database: "embedded", count: () => Promise.resolve({ lanes: [], runs: [] }) });
  const { text } = await meters.render();
  const there = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const named = [...read(file).matchAll(/\bsallyport_\w+/g)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ""));
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect(there, name).toContain(name);
});

test("the alert rules and the dashboard can be read", () => {
  const { groups } = parse(read("monitoring/alerts.yml")) as { readonly groups: readonly { readonly rules: readonly object[] }[] };
  for (const rule of groups.flatMap(({ rules }) => rules))
    expect(rule).toMatchObject({ alert: expect.any(String), expr: expect.any(String) });
  const { panels } = JSON.parse(read("monitoring/grafana.json")) as { readonly panels: readonly object[] };
  expect(panels.length).toBeGreaterThan(5);
});
