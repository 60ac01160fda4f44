import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readLayer } from "../../../src/config/read-layer.ts";

const page = readFileSync(new URL("../../../docs/ci.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, yaml = ""]) => yaml);

test("the page about CI has examples", () => {
  expect(examples.length).toBeGreaterThan(1);
});

test.each(examples)("its example is a configuration without faults:\n%s", (yaml) => {
  expect(readLayer(yaml, "repository")).toMatchObject({ status: "good" });
});
