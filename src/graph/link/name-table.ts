/** Rows of a table by their names and the place (a scope, a declaration) that they stand in. */
export interface NameTable {
  has(name: string): boolean;
  /** The rows of that name in that place, in order. */
  within(place: number, name: string): readonly number[];
}

const NONE: readonly number[] = [];
/** Rows of one name that are gone through one by one; a name that stands in more gets a table of its places. */
const FEW = 16;

/**
 * Chains the rows of each name, as a hash table does: most names stand in one or two places of a file, and a list for each
 * of hundreds of thousands of names would be most of what the tables take.
 */
export function nameTable(names: readonly string[], placeOf: (row: number) => number): NameTable {
  const heads = new Map<string, number>();
  const next = new Int32Array(names.length);
  const crowded = new Map<string, Map<number, number[]>>();
  for (let row = names.length - 1; row >= 0; row -= 1) {
    const name = names[row] ?? "";
    next[row] = heads.get(name) ?? -1;
    heads.set(name, row);
  }

  function placesOf(name: string, head: number): Map<number, number[]> {
    const places = new Map<number, number[]>();
    for (let row = head; row !== -1; row = next[row] ?? -1) {
      const place = placeOf(row);
      const rows = places.get(place);
      if (rows === undefined) places.set(place, [row]);
      else rows.push(row);
    }
    crowded.set(name, places);
    return places;
  }

  return {
    has: (name) => heads.has(name),
    within(place, name) {
      const head = heads.get(name);
      if (head === undefined) return NONE;
      let found: number[] | undefined;
      let steps = 0;
      for (let row = head; row !== -1; row = next[row] ?? -1) {
        if (steps === FEW) return (crowded.get(name) ?? placesOf(name, head)).get(place) ?? NONE;
        steps += 1;
        if (placeOf(row) !== place) continue;
        if (found === undefined) found = [row];
        else found.push(row);
      }
      return found ?? NONE;
    },
  };
}
