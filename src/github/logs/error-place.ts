import { judgePath } from "../../core/repository-path.ts";
import type { LoggedError } from "../../core/run-logs.ts";
import type { NumberedLine } from "./log-step.ts";

/** Lines on either side of an error in which its place is looked for. */
const NEAR = 12;
/** How much of a line is looked at. */
const LOOKED_AT = 400;
/** Where runners unpack a repository: GitHub's own, containers', Windows'. The repository's name stands there once or twice. */
const CHECKOUT = /^(?:file:\/\/)?(?:\/home\/runner\/work|\/Users\/runner\/work|\/__w|\/github\/workspace|[A-Za-z]:[/\\]a)[/\\]/;
/** Code that is not the repository's. */
const FOREIGN = /(?:^|[/\\])(?:node_modules|site-packages|\.cargo|\.rustup|vendor|dist-packages)[/\\]|^node:|^internal[/\\]/;

const PATH = String.raw`((?:[A-Za-z]:)?[\w@~./\\+-]*[\w@+-]\.[A-Za-z]\w{0,9})`;
const PLACES: readonly RegExp[] = [
  // TypeScript, C#: src/a.ts(3,5)
  new RegExp(String.raw`(?:^|[\s"'(])${PATH}\((\d+)(?:,\d+)?\)`),
  // Python's tracebacks.
  /File "([^"\n]{1,300})", line (\d+)/,
  // Maven: /path/Sum.java:[3,5]
  new RegExp(String.raw`${PATH}:\[(\d+),\d+\]`),
  // Compilers, stack frames, Rust's arrow, Go: src/a.c:3:5, ./sum.go:3, at x (/a/b.js:5:1)
  new RegExp(String.raw`(?:^|[\s"'(]|file:\/\/)${PATH}:(\d+)(?::\d+)?`),
];
/** ESLint names the file in a line of its own, above its findings. */
const STYLISH = /^\s*(\d+):\d+\s+error\b/;
const BARE_PATH = new RegExp(`^${PATH}$`);

/** Where an error says that it stands: in its own line, else in one near it. Undefined where no file of the repository is named. */
export function errorPlace(
  line: string,
  before: readonly NumberedLine[],
  after: readonly NumberedLine[],
): LoggedError["place"] | undefined {
  const above = before.slice(-NEAR).toReversed();
  const stylish = STYLISH.exec(line);
  if (stylish !== null) {
    const path = above.map(({ text }) => BARE_PATH.exec(text.trim().slice(0, LOOKED_AT))?.[1]).find((found) => found !== undefined);
    const place = path === undefined ? undefined : placed(path, stylish[1]);
    if (place !== undefined) return place;
  }
  for (const text of [line, ...after.slice(0, NEAR).map((one) => one.text), ...above.map((one) => one.text)]) {
    const place = placeIn(text.slice(0, LOOKED_AT));
    if (place !== undefined) return place;
  }
  return undefined;
}

function placeIn(text: string): LoggedError["place"] | undefined {
  for (const pattern of PLACES) {
    const found = pattern.exec(text);
    const place = found?.[1] === undefined ? undefined : placed(found[1], found[2]);
    if (place !== undefined) return place;
  }
  return undefined;
}

function placed(raw: string, line: string | undefined): LoggedError["place"] | undefined {
  const path = relative(raw);
  if (path === undefined || FOREIGN.test(path) || !judgePath(path).ok) return undefined;
  const number = Number(line);
  return { path, ...(Number.isSafeInteger(number) && number > 0 ? { line: number } : {}) };
}

/** A runner's path without where the runner unpacked the repository; undefined for a path that leads elsewhere. */
function relative(raw: string): string | undefined {
  const inside = CHECKOUT.exec(raw);
  if (inside === null) return /^(?:[/\\~]|[A-Za-z]:)/.test(raw) ? undefined : raw.replace(/^(?:\.[/\\])+/, "").replaceAll("\\", "/");
  const rest = raw.slice(inside[0].length).replaceAll("\\", "/");
  if (inside[0].includes("/github/workspace")) return rest;
  const [name, second, ...others] = rest.split("/");
  return (name === second ? others : [second, ...others]).filter((part) => part !== undefined).join("/");
}
