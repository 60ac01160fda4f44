import { z } from "zod";
import { fileSchema } from "./file-schema.ts";

/** The part of JSON Schema that the configuration is described in. */
export interface JsonSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** The schema of a configuration file as editors read it: what may be written, before anything is made of it. */
export function configurationSchema(): JsonSchema {
  const schema = z.toJSONSchema(fileSchema, { io: "input", target: "draft-7" }) as JsonSchema;
  return {
    ...schema,
    title: "Sallyport's configuration",
    description: "`.github/sallyport.yml`, or the file that `SALLYPORT_CONFIG` names.",
    patternProperties: { "^x-": {} },
  };
}
