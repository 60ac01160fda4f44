import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { fileSchema } from "../../../src/config/file-schema.ts";
import { connectionOf } from "../../../src/model/connection.ts";
import { openModels } from "../../../src/model/open-models.ts";
import { factsOf } from "../../../src/model/prices.ts";

const page = readFileSync(new URL("../../../docs/models.md", import.meta.url), "utf8");

it("the page's configuration is one, and gives its models a price", () => {
  const [, block = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const { model = [], prices, context_window } = fileSchema.parse(parse(block));
  expect(openModels({ names: [], baseUrl: "http://127.0.0.1:9/v1" })({ model, prices, context_window }).unpriced).toBeUndefined();
  expect(factsOf("house-large", { prices, context_window })).toMatchObject({ price: { cached: 0.3 }, contextWindow: 128_000 });
  expect(factsOf("house-small", { prices })).toMatchObject({ price: { input: 0.2 } });
});

it("the page's addresses are ones", () => {
  const addresses = [...page.matchAll(/\| `(https?:[^`]+)`\s+\|/g)].map(([, address = ""]) => address);
  expect(addresses.length).toBeGreaterThan(4);
  for (const address of addresses)
    expect(() => connectionOf({ baseUrl: address.replace("HOST:8000", "host:8000"), model: "m" })).not.toThrow();
});
