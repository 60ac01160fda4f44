/** One place of a segment's pattern: a letter, any run of letters, or any one letter. */
type Piece = { readonly letter: string } | "any-run" | "any-one";
/** A folder's or file's name as a pattern has it, or any number of folders. */
type Segment = readonly Piece[] | "any-folders";

/**
 * A pattern of CODEOWNERS as a question about paths; undefined for one that GitHub does not take. It is gitignore's, without negation and
 * ranges, and with one rule of its own: `docs/*` means what stands in `docs` itself, nothing deeper.
 */
export function compileOwnerPattern(pattern: string): ((path: string) => boolean) | undefined {
  if (/^!|^\\?#|^\/?$|\/\/|\*\*\*|[[\]]/.test(pattern)) return undefined;
  const isFolder = pattern.endsWith("/");
  const bare = pattern.replace(/^\//, "").replace(/\/$/, "");
  const isAnchored = pattern.startsWith("/") || bare.includes("/");
  const written = bare.split("/");
  const isFlat = !isFolder && isAnchored && written.at(-1) === "*";
  const segments = written.map((one, index): Segment => {
    if (one !== "**") return piecesOf(one);
    // At the end it stands for everything inside, which is at least one name.
    return index === written.length - 1 ? ["any-run"] : "any-folders";
  });
  const all: readonly Segment[] = isAnchored ? segments : ["any-folders", ...segments];
  return (path) => {
    const names = path.split("/");
    const ends = endsOf(all, names);
    if (isFlat) return ends.has(names.length);
    return [...ends].some((end) => end > 0 && (isFolder ? end < names.length : end <= names.length));
  };
}

/** After how many names of a path the whole pattern may be through. */
function endsOf(segments: readonly Segment[], names: readonly string[]): ReadonlySet<number> {
  let at = new Set([0]);
  for (const segment of segments) {
    const next = new Set<number>();
    for (const place of at) {
      if (segment === "any-folders") for (let end = place; end <= names.length; end++) next.add(end);
      else if (place < names.length && fits(segment, Array.from(names[place] ?? ""))) next.add(place + 1);
    }
    at = next;
  }
  return at;
}

function piecesOf(segment: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const letters = Array.from(segment);
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? "";
    if (letter === "\\") pieces.push({ letter: letters[(at += 1)] ?? "" });
    else if (letter === "?") pieces.push("any-one");
    else if (letter !== "*") pieces.push({ letter });
    else if (pieces.at(-1) !== "any-run") pieces.push("any-run");
  }
  return pieces;
}

/** Whether a name fits, in time that grows with the product of both lengths: what fails goes back to the last run alone. */
function fits(pieces: readonly Piece[], name: readonly string[]): boolean {
  let piece = 0;
  let letter = 0;
  let run = -1;
  let from = 0;
  while (letter < name.length) {
    const wanted = pieces[piece];
    if (wanted === "any-run") {
      run = piece;
      from = letter;
      piece += 1;
    } else if (wanted !== undefined && (wanted === "any-one" || wanted.letter === name[letter])) {
      piece += 1;
      letter += 1;
    } else if (run >= 0) {
      piece = run + 1;
      from += 1;
      letter = from;
    } else {
      return false;
    }
  }
  while (pieces[piece] === "any-run") piece += 1;
  return piece === pieces.length;
}
