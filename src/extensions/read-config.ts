/** What Standard Schema asks of a schema; zod's have it, whatever copy of zod made them. Source: https://standardschema.dev */
interface Checked {
  readonly "~standard": {
    validate(value: unknown): Outcome | Promise<Outcome>;
  };
}
type Outcome =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] }[] };

/**
 * An extension's own configuration, as its schema makes it.
 * @throws {TypeError} naming every key that the schema refuses.
 */
export async function readConfig(schema: unknown, name: string, value: unknown): Promise<unknown> {
  if (schema === undefined) return value;
  const { "~standard": standard } = schema as Partial<Checked>;
  if (typeof standard?.validate !== "function") throw new TypeError("its config is no zod schema");
  const outcome = await standard.validate(value);
  if (outcome.issues === undefined) return outcome.value;
  const wrong = outcome.issues.map(({ path = [], message }) => {
    const key = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
    return `${["extensions.config", name, ...(key === "" ? [] : [key])].join(".")}: ${message}`;
  });
  throw new TypeError(`its configuration is refused: ${wrong.join("; ")}`);
}
