import { expect, it, test } from "vitest";
import { readLayer } from "../../../src/config/read-layer.ts";
import { withoutEffect } from "../../../src/config/without-effect.ts";

const linesOf = (text: string): readonly string[] => {
  const reading = readLayer(text, "server");
  return reading.status === "good" ? withoutEffect(reading.settings, "file.yml") : ["a fault"];
};
const MCP = "mcp: { docs: { command: docs-server } }\n";

it("says that tool servers are of no use while no policy names their tools", () => {
  expect(linesOf(MCP)).toEqual([expect.stringMatching(/^file\.yml: mcp is set, and nothing under tools allows its tools/)]);
  expect(linesOf(`${MCP}tools: { mention: { deny: [grep] } }\n`)).toHaveLength(1);
});

test.each([
  `${MCP}tools: { mention: { approve: ["mcp__*"] } }\n`,
  `${MCP}tools: { research: { allow: ["*"] } }\n`,
  "label: bot\nmcp: {}\n",
])("says nothing of a file in which all has its effect: %j", (text) => {
  expect(linesOf(text)).toEqual([]);
});
