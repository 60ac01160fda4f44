/** Most test files that are run first. */
const MOST = 10;
const MOST_PER_FILE = 3;
const IN_TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?)\//i;
const NAMED_AS_TEST = /(?:[._-](?:test|spec)|Tests?|Spec)\.\w+$|(?:^|\/)test_[^/]*\.py$/;
const FAMILIES: readonly (readonly string[])[] = [
  ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte"],
  ["py"],
  ["go"],
  ["rb"],
];

/** The test files that most likely speak of the changed files: those of the same name, nearest first, and changed tests themselves. */
export function nearestTests(changed: readonly string[], paths: readonly string[]): readonly string[] {
  const tests = paths.filter((path) => familyOf(path) !== undefined && (NAMED_AS_TEST.test(path) || IN_TEST_FOLDER.test(path)));
  const there = new Set(paths);
  const found = changed.flatMap((path) => {
    if (!there.has(path)) return [];
    if (tests.includes(path) && NAMED_AS_TEST.test(path)) return [path];
    const stem = stemOf(path);
    const fits = tests.filter((test) => test !== path && stemOf(test) === stem && familyOf(test) === familyOf(path));
    return fits.toSorted((a, b) => shared(b, path) - shared(a, path) || (a < b ? -1 : 1)).slice(0, MOST_PER_FILE);
  });
  return [...new Set(found)].slice(0, MOST);
}

const extensionOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
const familyOf = (path: string): number | undefined => {
  const family = FAMILIES.findIndex((extensions) => extensions.includes(extensionOf(path)));
  return family < 0 ? undefined : family;
};

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return name
    .replace(/[._-](?:test|spec)$|(?<=.)(?:Tests?|Spec)$/, "")
    .replace(/^test_(?=.)/, "")
    .toLowerCase();
}

/** How near two files lie: folders in common, and a little more where the innermost is one of them, as in `test/deep` beside `src/deep`. */
function shared(a: string, b: string): number {
  const [left, right] = [a, b].map((path) => path.split("/").slice(0, -1)) as [string[], string[]];
  const inCommon = left.filter((segment) => right.includes(segment)).length;
  return 2 * inCommon + (left.at(-1) === right.at(-1) ? 1 : 0);
}

/** Options alone may stand behind a runner: who names files already has chosen. */
const OPTIONS = String.raw`(?:\s+--?[\w-]+(?:=[\w./-]+)?)*`;
const JAVASCRIPT = new RegExp(
  String.raw`^(?:[A-Z_]+=\S+\s+)*(?:cross-env\s+(?:[A-Z_]+=\S+\s+)*)?(?:npx\s+)?(?:vitest(?:\s+run)?|jest|mocha|ava|node\s+--test)${OPTIONS}$`,
);
const PYTEST = new RegExp(String.raw`^(?:(?:uv|poetry|pdm|hatch)\s+run\s+)?(?:python3?\s+-m\s+)?pytest${OPTIONS}$`);
const RSPEC = new RegExp(String.raw`^(?:bundle\s+exec\s+)?rspec${OPTIONS}$`);
const MANAGER = /^(npm|pnpm|yarn|bun)(?:\s+run)?\s+(?:test|t)$/;
/** Names that need no quoting, and that no command takes for an option. */
const PLAIN = /^[\w][\w./-]*$/;

/**
 * The command that runs some test files alone; undefined where that cannot be told from the command.
 * @param script what `npm test` stands for, where the command is such a one
 */
export function focusedCommand(command: string, script: string | undefined, files: readonly string[]): string | undefined {
  const named = files.filter((file) => PLAIN.test(file));
  if (named.length === 0) return undefined;
  const manager = MANAGER.exec(command)?.[1];
  const runner = manager === undefined ? command : script?.trim();
  if (runner === undefined) return undefined;
  const ending = (extensions: readonly string[]): string => named.filter((file) => extensions.includes(extensionOf(file))).join(" ");
  const append = (list: string, separator = ""): string | undefined => (list === "" ? undefined : `${command}${separator} ${list}`);
  if (JAVASCRIPT.test(runner)) return append(ending(FAMILIES[0] ?? []), manager === "npm" ? " --" : "");
  if (PYTEST.test(runner)) return append(ending(["py"]));
  if (RSPEC.test(runner)) return append(ending(["rb"]));
  if (/^go\s+test\s+(?:-\S+\s+)*\.\/\.\.\.$/.test(runner)) {
    const folders = named.filter((file) => file.endsWith(".go")).map((file) => `./${file.slice(0, file.lastIndexOf("/") + 1)}`);
    return folders.length === 0 ? undefined : runner.replace("./...", [...new Set(folders)].join(" "));
  }
  return undefined;
}

/** Whether a run of chosen files says nothing, since the runner did not take them for tests. */
export function ranNothing(output: string): boolean {
  return /no tests? (?:files? )?(?:found|ran|were run|collected)|no tests? to run|could not find|not found:|0 tests? (?:found|collected)|collected 0 items/i.test(
    output,
  );
}
