// Cuts out of GitHub's OpenAPI description the answers of the routes that the embedded GitHub serves, and writes them as JSON Schema to
// test/fixtures/openapi/. Run it with the description from the package @octokit/openapi (MIT):
//   node scripts/openapi-fixture.ts <folder>/generated/api.github.com.json <version of the package>
import { readFileSync, writeFileSync } from "node:fs";
import { ROUTES } from "../src/testing/github/routes/routes.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Fields = { readonly [key: string]: Json };

/** What says nothing about whether an answer is valid. */
const SILENT = new Set(["description", "example", "examples", "title", "externalDocs", "deprecated", "format", "discriminator"]);

function fieldsOf(value: Json | undefined): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Follows a reference inside the description. */
function resolve(description: Fields, reference: string): Fields {
  return reference
    .slice(2)
    .split("/")
    .reduce((at, key) => fieldsOf(at[key]), description);
}

/** OpenAPI 3.0 to JSON Schema: silent keywords go, `nullable` becomes the type null. Names of properties are no keywords. */
function convert(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(convert);
  if (typeof schema !== "object" || schema === null) return schema;
  const { nullable, properties, required, enum: values, ...rest } = schema as Fields;
  const kept = Object.entries(rest).filter(([key]) => !SILENT.has(key) && !key.startsWith("x-"));
  const converted: Record<string, Json> = Object.fromEntries(kept.map(([key, value]) => [key, key === "enum" ? value : convert(value)]));
  if (properties !== undefined) {
    converted["properties"] = Object.fromEntries(Object.entries(fieldsOf(properties)).map(([name, value]) => [name, convert(value)]));
  }
  if (required !== undefined) converted["required"] = required;
  if (values !== undefined) converted["enum"] = values;
  return nullable === true ? { anyOf: [{ type: "null" }, converted] } : converted;
}

function referencesIn(value: Json): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap((item: Json) => referencesIn(item));
  const own = fieldsOf(value)["$ref"];
  return typeof own === "string" ? [own, ...inside] : inside;
}

/** The answers of an operation by status: a schema, or null where there is no JSON. */
function answersOf(description: Fields, operation: Fields): Record<string, Json> {
  const answers = Object.entries(fieldsOf(operation["responses"])).map(([status, response]): [string, Json] => {
    const reference = fieldsOf(response)["$ref"];
    const whole = typeof reference === "string" ? resolve(description, reference) : fieldsOf(response);
    return [status, fieldsOf(fieldsOf(whole["content"])["application/json"])["schema"] ?? null];
  });
  return Object.fromEntries(answers.map(([status, schema]) => [status, convert(schema)]));
}

/** One line a member: a new version of the description shows as a readable difference. */
function write(value: Fields, depth: number): string {
  if (depth === 0) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${write(item as Fields, depth - 1)}`);
  return `{\n${members.join(",\n")}\n}`;
}

const [, , path = "", version = "unknown"] = process.argv;
const description = JSON.parse(readFileSync(path, "utf8")) as Fields;
const shape = (template: string): string => template.replace(/\{\+?\w+\}/g, "{}");
const paths = new Map(Object.entries(fieldsOf(description["paths"])).map(([template, item]) => [shape(template), fieldsOf(item)]));
const operations: Record<string, Json> = {};
for (const { method, template } of ROUTES) {
  const operation = paths.get(shape(template))?.[method.toLowerCase()];
  if (operation === undefined) process.stderr.write(`not described: ${method} ${template}\n`);
  else operations[`${method} ${template}`] = answersOf(description, fieldsOf(operation));
}
const schemas: Record<string, Json> = {};
const open = referencesIn(operations);
for (let reference = open.pop(); reference !== undefined; reference = open.pop()) {
  const name = reference.split("/").at(-1) ?? "";
  if (name in schemas) continue;
  schemas[name] = convert(resolve(description, reference));
  open.push(...referencesIn(schemas[name]));
}
const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
const out = `{\n"source": ${JSON.stringify(`@octokit/openapi ${version}, api.github.com`)},\n"operations": ${write(operations, 1)},\n"components": {\n"schemas": ${write(sorted, 1)}\n}\n}\n`;
writeFileSync(new URL("../test/fixtures/openapi/github.json", import.meta.url), out);
process.stdout.write(`${Object.keys(operations).length} operations, ${Object.keys(sorted).length} schemas, ${out.length} bytes\n`);
