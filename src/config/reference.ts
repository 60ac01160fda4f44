import { SERVER_ONLY } from "./file-schema.ts";
import { configurationSchema, type JsonSchema } from "./json-schema.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

const INTRODUCTION = `# Configuration

A repository is configured by \`.github/sallyport.yml\` on its **default branch**: a pull request that edits the file is judged by the old one. Layers,
each over the one before it:

1. the defaults;
2. the server's file, which \`SALLYPORT_CONFIG\` names;
3. \`.github/sallyport.yml\` in the organisation's \`.github\` repository;
4. \`.github/sallyport.yml\` in the repository.

Values merge key by key, a list is taken whole. What the server or the organisation sets for \`gate\`, \`permission\`, \`enabled\`, \`autonomy\`,
\`retention\` and the budgets (\`max_…\`, \`daily_usd\`) a layer below can tighten and not loosen. The file is read once for each run, when the run is accepted, and holds to its end.

A file with a fault (an unknown key, a wrong type, YAML that cannot be read) counts for nothing but what it tightens; it is reported once for each
version, as the check run \`sallyport/config\` on the default branch's head, with line and key. While GitHub cannot be asked for the file, no run
starts. Keys that begin with \`x-\` are your own, for what is referred to more than once.

\`sallyport config explain\` shows each value and where it came from. Editors check the file by \`schema/sallyport.schema.json\`:

\`\`\`yaml
# yaml-language-server: $schema=../node_modules/sallyport/schema/sallyport.schema.json
permission: write
review:
  ignore: ["**/generated/**"]
gate:
  protected: { "docs/**": ask }
\`\`\`

## Keys
`;

/** The reference of the configuration as Markdown, made from its schema and its defaults. */
export function renderReference(): string {
  const { properties = {} } = configurationSchema();
  const entries = Object.entries(properties);
  const shared = entries.filter(([key]) => !SERVER_ONLY.has(key));
  const server = entries.filter(([key]) => SERVER_ONLY.has(key));
  return [
    INTRODUCTION,
    ...shared.flatMap(([key, schema]) => section(key, schema)),
    "\n## Keys of the server's file alone\n",
    ...server.flatMap(([key, schema]) => section(key, schema)),
  ].join("\n");
}

function section(key: string, schema: JsonSchema): readonly string[] {
  const rows = rowsOf([key], schema);
  return [
    `### \`${key}\`\n`,
    `${schema.description ?? ""}\n`,
    "| key | value | default | says |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ path, schema: one }, index) => {
      const says = index === 0 ? "" : (one.description ?? "");
      return `| \`${path.join(".")}\` | ${cell(formsOf(one))} | ${cell(defaultOf(path))} | ${says.replaceAll("|", "\\|")} |`;
    }),
    "",
  ];
}

interface Row {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

/** A key and the keys below it, an object's row left out where its keys say all. */
function rowsOf(path: readonly string[], schema: JsonSchema): readonly Row[] {
  const inner = [schema, ...(schema.anyOf ?? [])].flatMap(({ properties = {} }) => Object.entries(properties));
  return [{ path, schema }, ...inner.flatMap(([key, below]) => rowsOf([...path, key], below))];
}

/** What may be written, in words. */
function formsOf(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(formsOf))].join(", or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (schema.type === "array") return `list of: ${formsOf(schema.items ?? {})}`;
  if (schema.type !== "object") return schema.type ?? "anything";
  const { additionalProperties } = schema;
  return typeof additionalProperties === "object" ? `object of: ${formsOf(additionalProperties)}` : "object";
}

function defaultOf(path: readonly string[]): string {
  const value = path.reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], DEFAULT_SETTINGS);
  const isShown = value !== undefined && (typeof value !== "object" || value === null || Array.isArray(value));
  return isShown ? JSON.stringify(value) : "";
}

function cell(text: string): string {
  return text === "" ? "" : `\`${text.replaceAll("|", "\\|")}\``;
}
