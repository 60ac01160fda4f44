import { isAlias, isMap, isScalar, isSeq, type Document } from "yaml";

/** What is wrong with a YAML text, and where its first fault begins, in UTF-16 units. */
export interface YamlFault {
  readonly at: number;
  readonly why: string;
  /** It must not be made plain data of: that would take longer than it is worth. */
  readonly isCostly?: true;
}

/** The parser looks for the anchor of each alias from the beginning; nobody writes that many. */
const MOST_ALIASES = 1000;

/**
 * How somebody else's YAML is parsed in time that grows linearly with it. The parser's own look for keys that come twice compares each key
 * with each, which a text of few hundred kilobytes makes last for minutes; `yamlFault` looks for them instead.
 */
export const YAML_OPTIONS = { prettyErrors: false, uniqueKeys: false, logLevel: "silent" } as const;

/** The first thing that is wrong with a document that was parsed with `YAML_OPTIONS`; undefined for a good one. Linear. */
export function yamlFault(document: Document): YamlFault | undefined {
  const [broken] = document.errors;
  const own = costlyOrTwice(document);
  if (broken === undefined || own?.isCostly === true) return own;
  const at = broken.pos[0];
  return own !== undefined && own.at < at ? own : { at, why: broken.message };
}

function costlyOrTwice(document: Document): YamlFault | undefined {
  const nodes: unknown[] = [document.contents];
  let aliases = 0;
  let twice: YamlFault | undefined;
  while (nodes.length > 0) {
    const node = nodes.pop();
    if (isAlias(node) && (aliases += 1) > MOST_ALIASES)
      return { at: node.range?.[0] ?? 0, why: `it has more than ${MOST_ALIASES} aliases`, isCostly: true };
    if (isSeq(node)) for (const item of node.items) nodes.push(item);
    if (!isMap(node)) continue;
    const seen = new Set<unknown>();
    for (const { key, value } of node.items) {
      nodes.push(key, value);
      if (!isScalar(key)) continue;
      const at = key.range?.[0] ?? 0;
      if (seen.has(key.value) && (twice === undefined || at < twice.at)) twice = { at, why: "Map keys must be unique" };
      seen.add(key.value);
    }
  }
  return twice;
}
