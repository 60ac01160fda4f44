import { expect, it } from "vitest";
import { NOT_YET, withoutEffect } from "../../../src/config/not-yet.ts";
import { readLayer } from "../../../src/config/read-layer.ts";

it("names each key of a file that does nothing yet, and no other", () => {
  const reading = readLayer("label: bot\ngate_check: true\nretention: { days: 7 }\nmcp: {}\ntools: {}\nextensions: {}\n", "server");
  const settings = reading.status === "good" ? reading.settings : {};
  const lines = withoutEffect(settings, "file.yml");
  expect(lines).toContain("file.yml: mcp is set but not supported yet; it does nothing.");
  expect(lines.map((line) => /^file\.yml: (\w+) /.exec(line)?.[1])).toEqual(NOT_YET);
});

it("says nothing of a file that holds none of them", () => {
  expect(withoutEffect({ label: "bot" }, "file.yml")).toEqual([]);
});
