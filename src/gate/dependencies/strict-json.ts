import { UnreadableError } from "./facts.ts";

/** Deepest nesting that any manifest or lockfile comes near. */
const DEEPEST = 100;

/**
 * Parses JSON that has one reading only: a key that stands twice in one object is refused, since one tool takes the first and another the
 * last. Linear. @throws {UnreadableError}
 */
export function parseJson(text: string): unknown {
  const plain = text.replace(/^\ufeff/, "");
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch {
    throw new UnreadableError("is no valid JSON");
  }
  refuseRepeatedKeys(plain);
  return value;
}

/** Walks text that is known to be JSON: only strings, brackets, colons and commas matter then. */
function refuseRepeatedKeys(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [piece] = match;
    if (piece === "{" || piece === "[") {
      if (open.push(piece === "{" ? new Set() : undefined) > DEEPEST)
        throw new UnreadableError(`is nested more than ${DEEPEST} levels deep`);
    } else if (piece === "}" || piece === "]") {
      open.pop();
    } else {
      const keys = open.at(-1);
      if (keys === undefined || !/^\s*:/.test(text.slice(token.lastIndex, token.lastIndex + 1_000))) continue;
      const key = JSON.parse(piece) as string;
      if (keys.has(key))
        throw new UnreadableError(`has the key ${JSON.stringify(key.slice(0, 80))} twice in one object, which tools read differently`);
      keys.add(key);
    }
  }
}
