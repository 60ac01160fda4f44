import { configurationSchema, type JsonSchema } from "./json-schema.ts";

/** The keys that may stand below a path of the configuration; none where any may. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  let at: readonly JsonSchema[] = [configurationSchema()];
  for (const segment of path) at = at.flatMap((schema) => below(schema, segment));
  return at.flatMap(forms).flatMap(({ properties = {} }) => Object.keys(properties));
}

function below(schema: JsonSchema, segment: PropertyKey): readonly JsonSchema[] {
  return forms(schema).flatMap(({ properties = {}, additionalProperties, items }) => {
    const named = Object.hasOwn(properties, segment) ? properties[String(segment)] : undefined;
    if (named !== undefined) return [named];
    if (typeof segment === "number") return items === undefined ? [] : [items];
    return typeof additionalProperties === "object" ? [additionalProperties] : [];
  });
}

/** The forms that a value may have. */
function forms(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(forms);
}
