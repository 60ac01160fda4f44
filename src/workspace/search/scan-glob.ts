/** Whether a path, `/` between its segments, matches. */
export type PathTest = (path: string) => boolean;
export type ParsedGlob = { readonly ok: true; readonly matches: PathTest } | { readonly ok: false; readonly why: string };

type Token =
  | { readonly kind: "one"; readonly fits: (character: string) => boolean }
  /** Any number of characters within one segment. */
  | { readonly kind: "star" }
  /** Whole segments: `**` at the start with its slash, in the middle with both of its slashes, at the end with the one before it. */
  | { readonly kind: "start" | "middle" | "end" }
  | { readonly kind: "either"; readonly branches: readonly (readonly Token[])[] };

/** Thrown and caught in this file alone. */
class GlobError extends Error {}

/**
 * A glob as ripgrep reads it: `*` and `?` stay in one segment, `**` crosses segments where it is one itself, `[a-z]`, `[!a]` (which
 * takes a slash too), `{a,b}`, a backslash makes the next character an ordinary one. Matching takes time in proportion to glob and path, whatever they hold.
 * Source: the globset crate, with literal_separator.
 */
export function parseGlob(glob: string): ParsedGlob {
  try {
    const tokens = glob === "**" ? [{ kind: "start" } as const, { kind: "star" } as const] : tokensOf(Array.from(glob));
    return { ok: true, matches: machineOf(tokens) };
  } catch (error) {
    if (error instanceof GlobError) return { ok: false, why: `error parsing glob '${glob}': ${error.message}` };
    throw error;
  }
}

function tokensOf(characters: readonly string[]): readonly Token[] {
  let at = 0;
  const tokens = sequence(0);
  if (at < characters.length) throw new GlobError("unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)");
  return tokens;

  function sequence(depth: number): readonly Token[] {
    const found: Token[] = [];
    for (; at < characters.length; at++) {
      const character = characters[at] ?? "";
      if (character === "}" || (character === "," && depth > 0)) break;
      if (character === "*") star(found, depth);
      else if (character === "?") found.push(one((other) => other !== "/"));
      else if (character === "[") found.push(set());
      else if (character === "{") found.push(either(depth + 1));
      else found.push(literal(character === "\\" ? escaped() : character));
    }
    return found;
  }

  function escaped(): string {
    at++;
    const next = characters[at];
    if (next === undefined) throw new GlobError("dangling '\\'");
    return next;
  }

  function star(found: Token[], depth: number): void {
    if (characters[at + 1] !== "*") {
      found.push({ kind: "star" });
      return;
    }
    const before = characters[at - 1];
    const after = characters[at + 2];
    const begins = found.length === 0 && (before === undefined || (depth > 0 && (before === "{" || before === ",")));
    const ends = after === undefined || (depth > 0 && (after === "," || after === "}"));
    at++;
    if (begins && (after === "/" || ends)) {
      if (after === "/") at++;
      found.push({ kind: "start" });
      if (after !== "/") found.push({ kind: "star" });
    } else if (before === "/" && found.length > 0 && (after === "/" || ends)) {
      const slash = found.pop();
      if (slash?.kind === "start" || slash?.kind === "middle") found.push(slash);
      if (after === "/") at++;
      if (after !== "/") found.push(slash?.kind === "one" ? { kind: "end" } : { kind: "star" });
      else if (slash?.kind === "one") found.push({ kind: "middle" });
    } else {
      found.push({ kind: "star" });
    }
  }

  function set(): Token {
    const ranges: [string, string][] = [];
    let open = at + 1;
    const negated = characters[open] === "!" || characters[open] === "^";
    if (negated) open++;
    for (at = open; at < characters.length; at++) {
      const character = characters[at] ?? "";
      if (character === "]" && at > open) {
        return one((other) => ranges.some(([from, to]) => other >= from && other <= to) !== negated);
      }
      const last = ranges.at(-1);
      const next = characters[at + 1];
      if (character === "-" && last !== undefined && next !== undefined && next !== "]") {
        at++;
        if (next < last[0]) throw new GlobError(`invalid range; '${last[0]}' > '${next}'`);
        last[1] = next;
      } else {
        ranges.push([character, character]);
      }
    }
    throw new GlobError("unclosed character class; missing ']'");
  }

  function either(depth: number): Token {
    const branches: (readonly Token[])[] = [];
    do {
      at++;
      branches.push(sequence(depth));
    } while (characters[at] === ",");
    if (characters[at] !== "}") throw new GlobError("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)");
    return { kind: "either", branches };
  }
}

const one = (fits: (character: string) => boolean): Token => ({ kind: "one", fits });
const literal = (character: string): Token => one((other) => other === character);

/** A state of the machine: it takes one character that fits on to `next`, or, with `skip`, goes on without one. */
interface State {
  readonly fits?: (character: string) => boolean;
  next: number;
  readonly skip?: number;
}

/** Builds Thompson's machine and walks all of its states at once. */
function machineOf(tokens: readonly Token[]): PathTest {
  const states: State[] = [];
  const add = (state: State): number => states.push(state) - 1;
  const accepting = add({ next: -1 });
  const first = build(tokens, accepting);

  function loop(fits: (character: string) => boolean, next: number): number {
    const body = add({ fits, next: 0 });
    const entry = add({ next: body, skip: next });
    const state = states[body];
    if (state !== undefined) state.next = entry;
    return entry;
  }

  function build(sequence: readonly Token[], after: number): number {
    return sequence.reduceRight((next, token) => {
      const anything = () => true;
      switch (token.kind) {
        case "one":
          return add({ fits: token.fits, next });
        case "star":
          return loop((character) => character !== "/", next);
        case "start":
          return add({ next, skip: loop(anything, add({ fits: isSlash, next })) });
        case "middle":
          return add({ fits: isSlash, next: add({ next, skip: loop(anything, add({ fits: isSlash, next })) }) });
        case "end":
          return add({ fits: isSlash, next: loop(anything, next) });
        case "either":
          return token.branches.map((branch) => build(branch, next)).reduce((other, branch) => add({ next: branch, skip: other }));
      }
    }, after);
  }

  return (path) => {
    let active = new Set<number>();
    enter(active, first);
    for (const character of path) {
      const following = new Set<number>();
      for (const at of active) {
        const state = states[at];
        if (state?.fits?.(character) === true) enter(following, state.next);
      }
      if (following.size === 0) return false;
      active = following;
    }
    return active.has(accepting);
  };

  function enter(active: Set<number>, from: number): void {
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at < 0 || active.has(at)) continue;
      active.add(at);
      const state = states[at];
      if (state === undefined || state.fits !== undefined) continue;
      open.push(state.next);
      if (state.skip !== undefined) open.push(state.skip);
    }
  }
}

const isSlash = (character: string): boolean => character === "/";
