import { editDistance } from "./edit-distance.ts";
import type { Ecosystem } from "./facts.ts";
import { wellKnownNames } from "./well-known/names.ts";

/** Shorter names have too many neighbours that mean nothing; from this length on one changed letter counts. */
const ONE_EDIT = 5;
/** And from this one on, two. */
const TWO_EDITS = 10;
/** Longer than any name of a package that is depended upon; comparing takes the square of it. Characters. */
const LONGEST = 100;

interface Target {
  readonly name: string;
  readonly bare: string;
  readonly letters: number;
}

/** Names of one registry that others are compared with. */
interface Book {
  readonly known: ReadonlySet<string>;
  /** By the length of their bare form. */
  readonly targets: ReadonlyMap<number, readonly Target[]>;
  readonly byBare: ReadonlyMap<string, string>;
  readonly scopes: readonly string[];
}

/** Answers the name that `name` could be taken for, or nothing. */
export type FindLookalike = (name: string) => string | undefined;

/**
 * Compares names of packages with those that are depended upon most and with `present`, the repository's own: separators moved or left
 * out, a letter added, dropped, replaced or swapped (from ten letters on, two), a scope of nearly the same name, a scoped name without its scope.
 */
export function createLookalikes(): (ecosystem: Ecosystem, present: ReadonlySet<string>) => FindLookalike {
  const books = new Map<Ecosystem, Book>();
  return (ecosystem, present) => {
    const book = books.get(ecosystem) ?? bookOf(wellKnownNames(ecosystem));
    books.set(ecosystem, book);
    const own = bookOf({ targets: [...present], others: [] });
    const nearModule = ecosystem === "go" ? moduleFinder([...book.known, ...present]) : () => undefined;
    return (name) => {
      if (name.length > LONGEST || present.has(name) || book.known.has(name)) return undefined;
      if (ecosystem === "go") return nearModule(name);
      if (name.startsWith("@")) return nearScope(name, [...own.scopes, ...book.scopes]);
      // Packages of one family stand side by side on purpose; only one letter's difference to an own name is taken for a slip.
      return nearName(name, own, 1) ?? nearName(name, book, 2);
    };
  };
}

function bookOf({ targets, others }: { readonly targets: readonly string[]; readonly others: readonly string[] }): Book {
  const plain = targets.filter((name) => !name.startsWith("@"));
  return {
    known: new Set([...targets, ...others]),
    targets: byLength(plain.map((name) => ({ name, bare: bareOf(name), letters: lettersOf(bareOf(name)) }))),
    byBare: new Map(targets.toReversed().map((name) => [bareOf(name), name])),
    scopes: [...new Set([...targets, ...others].flatMap((name) => (name.startsWith("@") ? [scopeOf(name)] : [])))],
  };
}

function byLength(targets: readonly Target[]): ReadonlyMap<number, readonly Target[]> {
  const lengths = new Map<number, Target[]>();
  for (const target of targets) {
    const list = lengths.get(target.bare.length) ?? [];
    lengths.set(target.bare.length, list);
    list.push(target);
  }
  return lengths;
}

function nearName(name: string, book: Book, most: number): string | undefined {
  const bare = bareOf(name);
  const same = book.byBare.get(bare);
  if (same !== undefined && same !== name && bare.length >= 4) return same;
  const letters = lettersOf(bare);
  const near = [0, 1, -1, 2, -2].slice(0, 1 + 2 * most).flatMap((more) => book.targets.get(bare.length + more) ?? []);
  return near.find((target) => {
    const { length } = target.bare;
    const allowed = Math.min(most, length >= TWO_EDITS && !isOfOneFamily(name, target.name) ? 2 : length >= ONE_EDIT ? 1 : 0);
    if (allowed === 0 || target.name === name || Math.abs(length - bare.length) > allowed) return false;
    // Each edit changes the set of letters by two at most: this spares nearly all comparisons.
    return bitsOf(letters ^ target.letters) <= 2 * allowed && editDistance(bare, target.bare, allowed) <= allowed;
  })?.name;
}

/** `eslint-plugin-…`: names that begin with the same two words differ in what is left, and that is short. */
function isOfOneFamily(a: string, b: string): boolean {
  const [left, right] = [a.split(/[-_.]/), b.split(/[-_.]/)];
  return left.length > 2 && right.length > 2 && left[0] === right[0] && left[1] === right[1];
}

function nearScope(name: string, scopes: readonly string[]): string | undefined {
  const scope = scopeOf(name);
  if (scopes.includes(scope)) return undefined;
  return scopes.find((other) => bareOf(other) === bareOf(scope) || (other.length > ONE_EDIT && editDistance(scope, other, 1) <= 1));
}

/** A Go module is another's neighbour when nearly the same path lies with another owner. */
function moduleFinder(modules: readonly string[]): FindLookalike {
  const known = modules.map((name) => ({ name, path: modulePath(name).toLowerCase(), bare: bareOf(modulePath(name)) }));
  const owners = new Set(modules.map((name) => ownerOf(modulePath(name))));
  return (name) => {
    const path = modulePath(name);
    if (owners.has(ownerOf(path))) return undefined;
    const [folded, bare] = [path.toLowerCase(), bareOf(path)];
    return known.find((one) => one.path === folded || one.bare === bare || editDistance(folded, one.path, 1) <= 1)?.name;
  };
}

function modulePath(name: string): string {
  return name.replace(/\/v\d+$|\.v\d+$/, "");
}

function ownerOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

function scopeOf(name: string): string {
  return name.split("/")[0] ?? name;
}

/** A name without what people forget: separators, the at sign, an added `.js`. */
function bareOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[.]js$/, "")
    .replace(/[-_./@]/g, "");
}

/** Which letters a name holds, one bit each. */
function lettersOf(name: string): number {
  let letters = 0;
  for (let index = 0; index < name.length; index++) letters |= 1 << (name.charCodeAt(index) % 32);
  return letters;
}

function bitsOf(value: number): number {
  let bits = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}
