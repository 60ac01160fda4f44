import semver from "semver";

/** Words that make a version come before the one without them. */
const BEFORE: ReadonlySet<string> = new Set([
  "a",
  "alpha",
  "b",
  "beta",
  "c",
  "rc",
  "cr",
  "pre",
  "preview",
  "dev",
  "snapshot",
  "m",
  "milestone",
  "next",
  "canary",
]);
/** Longer than any version; what is behind it is not compared. Characters. */
const LONGEST = 100;

/** Which of two versions of any registry comes first: negative, zero or positive. Numbers count as numbers, `rc` comes before nothing, `post` after. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = weightOf(left[index]) - weightOf(right[index]) || compareWords(left[index], right[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function partsOf(version: string): readonly (number | string)[] {
  const plain = version
    .trim()
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/^v(?=\d)/, "")
    .replace(/\+(?!incompatible).*$|\+incompatible$/, "");
  return (plain.match(/\d+|[a-z]+/g) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : part));
}

/** A missing part counts as zero; words stand below or above every number. */
function weightOf(part: number | string | undefined): number {
  if (typeof part === "string") return BEFORE.has(part) ? -1 : 0.5;
  return part ?? 0;
}

function compareWords(a: number | string | undefined, b: number | string | undefined): number {
  return typeof a === "string" && typeof b === "string" && a !== b ? (a < b ? -1 : 1) : 0;
}

/** What each sign asks of the order of a version and the one behind the sign. */
const COMPARED: Readonly<Record<string, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
  "=": (order) => order === 0,
};

/** Registries whose versions are ordered by https://semver.org: there any word behind a dash comes before the version without it. */
const SEMANTIC: ReadonlySet<string> = new Set(["npm", "rust", "go", "nuget", "actions", "pub", "erlang", "swift"]);

/** The order of two versions of one registry, by its own rules where it has others than most. */
function compareIn(ecosystem: string, a: string, b: string): number {
  if (!SEMANTIC.has(ecosystem) || !/[a-z]/i.test(a + b)) return compareVersions(a, b);
  const [left, right] = [semver.parse(a, { loose: true }), semver.parse(b, { loose: true })];
  return left === null || right === null ? compareVersions(a, b) : left.compare(right);
}

/** Whether a version of a registry lies in a range as GitHub's advisories write it. A range that cannot be read takes every version. */
export function isInRange(version: string, range: string, ecosystem: string): boolean {
  return range.split(",").every((part) => {
    const match = /^\s*(<=|>=|<|>|=)?\s*([^\s<>=]+)\s*$/.exec(part);
    if (match === null) return true;
    const order = compareIn(ecosystem, version, match[2] ?? "");
    return COMPARED[match[1] ?? "="]?.(order) ?? true;
  });
}

/** Whether every version that a range in npm's notation allows lies in an advisory's; false where that cannot be told. */
export function isWithin(range: string, advisoryRange: string): boolean {
  try {
    return semver.subset(range, advisoryRange.replaceAll(",", " "), { loose: true });
  } catch {
    return false;
  }
}

/** Whether a version satisfies a range in npm's notation; true where that cannot be told. */
export function satisfies(version: string, range: string | undefined): boolean {
  if (range === undefined || semver.valid(version, { loose: true }) === null) return true;
  return semver.satisfies(version, range, { loose: true, includePrerelease: true });
}

/** The versions that a range names as the last ones it takes: `4.17.11` of `<=4.17.11`. */
export function lastVersions(range: string): readonly string[] {
  try {
    return new semver.Range(range, { loose: true }).set.flatMap((all) =>
      all.filter(({ operator }) => operator === "<=").map((one) => one.semver.version),
    );
  } catch {
    return [];
  }
}

/** The first number of a version; undefined for what has none. */
export function majorOf(version: string | undefined): number | undefined {
  const digits = /^\s*v?(\d{1,15})/.exec(version ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}
