import type { ReadBase, TestCommand } from "./candidate.ts";
import { readable } from "./plausible.ts";

type Confidence = TestCommand["confidence"];
type Detector = (read: ReadBase) => Promise<TestCommand | undefined>;

/** What manifests and task files declare, in the order in which a repository that has several would mean them. */
export async function fromManifests(read: ReadBase): Promise<TestCommand[]> {
  const capped: ReadBase = async (path) => readable(await read(path));
  const found: TestCommand[] = [];
  for (const detector of DETECTORS) {
    const one = await detector(capped);
    if (one !== undefined) found.push(one);
  }
  return found;
}

/** The first of several files that matches. */
function whenFile(paths: readonly string[], pattern: RegExp, command: string, confidence: Confidence): Detector {
  return async (read) => {
    for (const source of paths) {
      const text = await read(source);
      if (text !== undefined && pattern.test(text)) return { command, source, confidence };
    }
    return undefined;
  };
}

const EXISTS = /^/;
/** What `npm init` writes, which fails on purpose. Source: npm's init-package-json. */
const NO_TEST = /no test specified/;

const DETECTORS: readonly Detector[] = [
  packageJson,
  whenFile(["Makefile", "makefile", "GNUmakefile"], /^test\s*:(?!=)/m, "make test", "medium"),
  whenFile(["Makefile", "makefile", "GNUmakefile"], /^check\s*:(?!=)/m, "make check", "medium"),
  whenFile(["justfile", "Justfile", ".justfile"], /^test(?:\s[^:\n]*)?:(?!=)/m, "just test", "medium"),
  python,
  whenFile(["tox.ini"], /^\[tox\]|^\[testenv/m, "tox", "medium"),
  whenFile(["noxfile.py"], EXISTS, "nox", "medium"),
  whenFile(["go.mod"], /^module\s/m, "go test ./...", "high"),
  whenFile(["Cargo.toml"], /^\[(?:package|workspace)\]/m, "cargo test", "high"),
  whenFile(["gradlew"], EXISTS, "./gradlew test", "medium"),
  whenFile(["mvnw"], EXISTS, "./mvnw -q test", "medium"),
  whenFile(["pom.xml"], /<project/, "mvn -q test", "medium"),
  whenFile(["build.gradle", "build.gradle.kts"], EXISTS, "gradle test", "low"),
  ruby,
  composer,
];

async function packageJson(read: ReadBase): Promise<TestCommand | undefined> {
  const source = "package.json";
  const manifest = parseJson(await read(source));
  const script = textField(manifest?.["scripts"], "test");
  if (script === undefined || script.trim() === "" || NO_TEST.test(script)) return undefined;
  return { command: `${await managerOf(manifest, read)} test`, source, confidence: "high" };
}

/** The package manager by its own field, else by its lockfile. Source: Corepack's `packageManager`. */
async function managerOf(manifest: Readonly<Record<string, unknown>> | undefined, read: ReadBase): Promise<string> {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(typeof manifest?.["packageManager"] === "string" ? manifest["packageManager"] : "")?.[1];
  if (named !== undefined) return named === "bun" ? "bun run" : named;
  const lockfiles = [
    ["package-lock.json", "npm"],
    ["npm-shrinkwrap.json", "npm"],
    ["pnpm-lock.yaml", "pnpm"],
    ["yarn.lock", "yarn"],
    ["bun.lock", "bun run"],
    ["bun.lockb", "bun run"],
  ] as const;
  for (const [file, manager] of lockfiles) if ((await read(file)) !== undefined) return manager;
  return "npm";
}

async function python(read: ReadBase): Promise<TestCommand | undefined> {
  const project = await read("pyproject.toml");
  const declares = project !== undefined && /^\[tool\.pytest\b|\bpytest\b/m.test(project);
  const command = "python3 -m pytest";
  if (declares) return { command, source: "pyproject.toml", confidence: /^\[tool\.pytest\b/m.test(project) ? "high" : "medium" };
  for (const [source, pattern] of [
    ["pytest.ini", EXISTS],
    ["setup.cfg", /^\[tool:pytest\]/m],
    ["conftest.py", EXISTS],
    ["tests/conftest.py", EXISTS],
    ["requirements-dev.txt", /^pytest\b/m],
    ["requirements.txt", /^pytest\b/m],
  ] as const) {
    const text = await read(source);
    if (text !== undefined && pattern.test(text)) return { command, source, confidence: "medium" };
  }
  if (project === undefined && (await read("setup.py")) === undefined) return undefined;
  const hasTests = (await read("tests/__init__.py")) !== undefined || (await read("test/__init__.py")) !== undefined;
  return hasTests
    ? { command: "python3 -m unittest", source: project === undefined ? "setup.py" : "pyproject.toml", confidence: "low" }
    : undefined;
}

async function ruby(read: ReadBase): Promise<TestCommand | undefined> {
  const gems = await read("Gemfile");
  if (gems === undefined) return undefined;
  if ((await read(".rspec")) !== undefined || /\brspec\b/.test(gems))
    return { command: "bundle exec rspec", source: "Gemfile", confidence: "medium" };
  const tasks = await read("Rakefile");
  return tasks !== undefined && /\bTestTask\b|\btask\s*:?["']?test\b/.test(tasks)
    ? { command: "bundle exec rake test", source: "Rakefile", confidence: "medium" }
    : undefined;
}

async function composer(read: ReadBase): Promise<TestCommand | undefined> {
  const source = "composer.json";
  const manifest = parseJson(await read(source));
  if (manifest === undefined) return undefined;
  const scripts = manifest["scripts"];
  if (typeof scripts === "object" && scripts !== null && "test" in scripts) return { command: "composer test", source, confidence: "high" };
  const named = JSON.stringify(manifest["require-dev"] ?? {});
  if (!named.includes("phpunit/phpunit")) return undefined;
  return { command: "vendor/bin/phpunit", source, confidence: "medium" };
}

function parseJson(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function textField(value: unknown, name: string): string | undefined {
  const field = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof field === "string" ? field : undefined;
}
