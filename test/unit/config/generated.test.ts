import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { configurationSchema } from "../../../src/config/json-schema.ts";
import { readLayer } from "../../../src/config/read-layer.ts";
import { renderReference } from "../../../src/config/reference.ts";

const read = (path: string): Promise<string> => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");
const HOW = "run `npx node scripts/write-configuration.ts` and commit what it writes";

describe("what is made from the configuration's schema", () => {
  it("is current in the JSON Schema that ships", async () => {
    expect(JSON.parse(await read("schema/sallyport.schema.json")), HOW).toEqual(JSON.parse(JSON.stringify(configurationSchema())));
  });

  it("is current in the reference", async () => {
    expect(await read("docs/configuration.md"), HOW).toBe(renderReference());
  });

  it("says something of every key of the first level", () => {
    const { properties = {} } = configurationSchema();
    expect(Object.entries(properties).flatMap(([key, { description = "" }]) => (description === "" ? [key] : []))).toEqual([]);
  });

  const validate = new Ajv({ strict: false, validateFormats: false }).compile(configurationSchema());
  it.each([
    "permission: write\nreview: false\nci: explain\nmodel: [a, b]\n",
    "x-own: 1\nreview: { ignore: ['**/gen.ts'] }\ngate: { limits: { bytes: 4 MiB } }\n",
    "instructions: { all: Be short., paths: { 'docs/**': Write plainly. } }\nautonomy: { review: read }\n",
    "permission: everybody\n",
    "labels: 3\n",
    "review: { ingore: [] }\n",
    "gate: { limits: { bytes: 4 Mib } }\n",
    "ci: { attempts: 0 }\n",
  ])("means the same to an editor and to the bot: %j", (yaml) => {
    expect(validate(parse(yaml))).toBe(readLayer(yaml, "server").status === "good");
  });
});
