import { isDeepStrictEqual } from "node:util";
import { SERVER_ONLY, type FileSettings } from "./file-schema.ts";
import { settingsOf } from "./settings.ts";

/** One layer of the configuration with the name by which people know it. */
export interface NamedLayer {
  /** `the server's file /etc/sallyport.yml`, `.github/sallyport.yml of main`. */
  readonly name: string;
  readonly settings: FileSettings;
}

/** One value that holds, and where it came from. */
export interface Explained {
  /** `gate.limits.files`. */
  readonly key: string;
  readonly value: unknown;
  /** The layer's name; `default` where nobody set it; several where the value is made of what they say. */
  readonly from: string;
  /** What layers say that does not hold, since it would loosen what one before them set. */
  readonly overruled?: readonly { readonly name: string; readonly value: unknown }[];
}

const DEFAULT = "default";
/** Server keys whose values are credentials of others. */
const HIDDEN = /^(?:mcp\.[^.]+\.(?:env|headers)\.|extensions\.config\..*(?:token|key|secret|password))/i;

/** Every value of the merged configuration with the layer that it came from: the server's layer first, the repository's last. */
export function explain(layers: readonly NamedLayer[]): readonly Explained[] {
  const { max_usd_is_set: _, ...settings } = settingsOf(layers.map((layer) => layer.settings));
  const server = layers[0]?.settings ?? {};
  const own = Object.fromEntries(Object.entries(server).filter(([key]) => SERVER_ONLY.has(key)));
  return [...leavesOf(settings, []), ...leavesOf(own, [])].map(({ path, value }) => {
    const key = path.join(".");
    const said = layers.flatMap(({ name, settings: layer }) => {
      const there = valueAt(layer, path);
      return there === undefined ? [] : [{ name, value: there }];
    });
    const source = said.findLast((one) => isDeepStrictEqual(one.value, value));
    const overruled = source === undefined ? [] : said.slice(said.indexOf(source) + 1);
    return {
      key,
      value: HIDDEN.test(key) ? "(hidden)" : value,
      from: source?.name ?? (said.map(({ name }) => name).join(" and ") || DEFAULT),
      ...(overruled.length > 0 && { overruled }),
    };
  });
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Values one by one; a list is one value, and so is an object without keys. */
function leavesOf(value: unknown, path: readonly string[]): readonly Leaf[] {
  if (!isPlain(value) || (Object.keys(value).length === 0 && path.length > 0)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : leavesOf(inner, [...path, key])));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isPlain(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The values as a table for people: key, value, and where it came from. */
export function renderExplained(explained: readonly Explained[]): string {
  const rows = explained.map(({ key, value, from, overruled = [] }) => ({
    key,
    value: JSON.stringify(value),
    from: [from, ...overruled.map((one) => `(${one.name} says ${JSON.stringify(one.value)}, which would loosen it)`)].join(" "),
  }));
  const widths = { key: widest(rows.map(({ key }) => key)), value: widest(rows.map(({ value }) => value)) };
  return rows.map(({ key, value, from }) => `${key.padEnd(widths.key)}  ${value.padEnd(widths.value)}  ${from}\n`).join("");
}

function widest(texts: readonly string[]): number {
  return Math.min(60, Math.max(...texts.map(({ length }) => length)));
}
