import type { BlobFacts } from "../facts.ts";

type Writable<Row> = { -readonly [Key in keyof Row]: Row[Key] };

/** Gives the one string that stands for all that are equal to it, and for nothing around it. */
export type Interned = (text: string) => string;

/**
 * A part that an engine cuts from a long string keeps the whole of it alive, so names cut from a file would keep its text. Each
 * distinct name is copied once, and shared by all files after that.
 */
export function internedStrings(): Interned {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const encoding = isNarrow(text) ? "latin1" : "utf16le";
    const own = Buffer.from(text, encoding).toString(encoding);
    known.set(own, own);
    return own;
  };
}

function isNarrow(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}

/** Replaces the names and specifiers in new facts, which nobody else has seen yet, by ones that stand for themselves. */
export function ownStrings(facts: BlobFacts, interned: Interned): void {
  const whole = facts as Writable<BlobFacts>;
  if (whole.package !== undefined) whole.package = interned(whole.package);
  for (const row of facts.expressions as Writable<BlobFacts["expressions"][number]>[])
    if (row.k === "name" || row.k === "member") row.name = interned(row.name);
  for (const row of facts.types as Writable<BlobFacts["types"][number]>[]) {
    if (row.k === "ref") row.name = row.name.map(interned);
    else if (row.k === "lookup") row.name = interned(row.name);
  }
  for (const row of facts.symbols as Writable<BlobFacts["symbols"][number]>[]) {
    row.name = interned(row.name);
    if (row.typeParameters !== undefined) row.typeParameters = row.typeParameters.map((each) => ({ ...each, name: interned(each.name) }));
    if (row.context !== undefined && "object" in row.context) row.context = { ...row.context, key: interned(row.context.key) };
  }
  for (const row of facts.bindings as Writable<BlobFacts["bindings"][number]>[]) row.name = interned(row.name);
  for (const row of [...facts.imports, ...facts.exports] as Writable<BlobFacts["exports"][number]>[]) {
    row.name = interned(row.name);
    if (row.module !== undefined) row.module = interned(row.module);
    if (row.local !== undefined) row.local = interned(row.local);
  }
}
