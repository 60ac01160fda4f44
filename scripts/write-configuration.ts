/**
 * Writes what is made from the configuration's schema: the JSON Schema that ships with the package, and its reference. Run it after a change of
 * `src/config`: `npx node scripts/write-configuration.ts`, and commit what it writes.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { configurationSchema } from "../src/config/json-schema.ts";
import { renderReference } from "../src/config/reference.ts";

const root = new URL("..", import.meta.url);
await mkdir(new URL("schema/", root), { recursive: true });
await writeFile(new URL("schema/sallyport.schema.json", root), `${JSON.stringify(configurationSchema(), null, 2)}\n`);
await writeFile(new URL("docs/configuration.md", root), renderReference());
