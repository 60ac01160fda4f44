import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from "yaml";
import type { Document, Node } from "yaml";
import { YAML_OPTIONS, yamlFault } from "../../text/yaml-fault.ts";

/** A place in a YAML file: what stands there, as plain data where it is a scalar, and its 1-based line. */
export interface YamlPlace {
  /** The keys that lead there; items of a list are their index. */
  readonly keys: readonly (string | number)[];
  readonly value: unknown;
  readonly line: number;
}

/** Longest file that is read, in UTF-16 units; no workflow is near it. */
const LONGEST = 512 * 1024;
/** Places that are looked at, aliases followed: an alias of aliases could stand for billions. */
const MOST_PLACES = 50_000;
const DEEPEST = 64;

/** Every scalar and every collection of a YAML text, in its order. Undefined when it cannot be read whole: broken, too long, or a bomb. */
export function readYaml(text: string): readonly YamlPlace[] | undefined {
  if (text.length > LONGEST) return undefined;
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { ...YAML_OPTIONS, lineCounter: lines, stringKeys: false });
  if (!Array.isArray(documents)) return [];
  const places: YamlPlace[] = [];
  const isRead = documents.every(
    (document) =>
      document.errors.length === 0 && yamlFault(document)?.isCostly !== true && walk({ document, lines, places }, document.contents, []),
  );
  return isRead ? places : undefined;
}

interface Reading {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly places: YamlPlace[];
}

/** `named`: where the key stands, which is where people look for a collection. Answers false when there is more than is looked at. */
function walk(reading: Reading, node: unknown, keys: readonly (string | number)[], named?: Node): boolean {
  const { document, lines, places } = reading;
  if (places.length >= MOST_PLACES || keys.length > DEEPEST) return false;
  const target = isAlias(node) ? node.resolve(document) : (node as Node | null | undefined);
  const lineAt = (at: Node | null | undefined): number => lines.linePos(at?.range?.[0] ?? 0).line;
  if (isMap(target)) {
    places.push({ keys, value: {}, line: lineAt(named ?? target) });
    return target.items.every(({ key, value }) => {
      const name = isScalar(key) ? String(key.value) : "?";
      // `<<: *base` brings the keys of another map; what it brings is read as if it stood here.
      return walk(reading, value, name === "<<" ? keys : [...keys, name], key as Node);
    });
  }
  if (isSeq(target)) {
    places.push({ keys, value: [], line: lineAt(named ?? target) });
    return target.items.every((item, index) => walk(reading, item, [...keys, index]));
  }
  places.push({ keys, value: isScalar(target) ? target.value : undefined, line: lineAt(isAlias(node) ? node : (target ?? named)) });
  return true;
}

/** The text at some keys; `*` stands for any one key. */
export function textsAt(places: readonly YamlPlace[], pattern: readonly string[]): readonly (YamlPlace & { readonly value: string })[] {
  return placesAt(places, pattern).flatMap((place) => {
    const { value } = place;
    if (typeof value === "string") return [{ ...place, value }];
    return typeof value === "number" || typeof value === "boolean" ? [{ ...place, value: String(value) }] : [];
  });
}

/** The places at some keys; `*` stands for any one key. */
export function placesAt(places: readonly YamlPlace[], pattern: readonly string[]): readonly YamlPlace[] {
  return places.filter(
    ({ keys }) => keys.length === pattern.length && pattern.every((part, index) => part === "*" || part === String(keys[index])),
  );
}
