/** Longest command line that is still one. */
const LONGEST = 300;

/** Whoever runs tests calls one of these; the word stands where a command begins. */
const RUNS_TESTS =
  /^(?:[A-Za-z_]\w*=\S*\s+)*(?:(?:npm|pnpm|bun)\s+(?:run\s+|run-script\s+)?(?:test|t\b|check|unit)|npm\s+t\b|yarn\s+(?:run\s+)?(?:test|check|unit)|npx\s+(?:--no-install\s+)?(?:vitest|jest|mocha|ava|tap|c8|nyc)|(?:vitest|jest|mocha|ava|tap)\b|node\s+(?:\S+\s+)*--test|deno\s+(?:task\s+test|test)|(?:uv\s+run\s+|poetry\s+run\s+|pdm\s+run\s+|hatch\s+run\s+|pipenv\s+run\s+)?(?:python3?\s+-m\s+)?(?:pytest|unittest|tox|nox)\b|hatch\s+test|go\s+test|gotestsum|cargo\s+(?:\+\S+\s+)?(?:test|nextest)|make\s+(?:-\S+\s+)*(?:test|check|unit)|just\s+(?:test|check)|(?:\.\/)?gradlew\s+(?:\S+\s+)*(?:test|check|build)|gradle\s+(?:\S+\s+)*(?:test|check)|(?:\.\/)?mvnw?\s+(?:\S+\s+)*(?:test|verify)|mvn\s+(?:\S+\s+)*(?:test|verify)|(?:bundle\s+exec\s+)?(?:rspec|rake(?:\s+\S*(?:test|spec)\S*)?|rails\s+test|minitest)(?:\s|$)|composer\s+(?:run\s+|run-script\s+)?test|(?:\.\/)?vendor\/bin\/(?:phpunit|pest)|dotnet\s+test|swift\s+test|mix\s+test|sbt\s+(?:\S+\s+)*test|bazel\s+test|ctest\b|zig\s+build\s+test|flutter\s+test|dart\s+test|(?:bash\s+|sh\s+)?(?:\.\/)?(?:script|scripts|bin|test|tests)\/(?:run[-_]?)?tests?(?:\.sh)?(?:\s|$))/;

/** What must not be run, or cannot work without a network, secrets or a person. */
const NOT_HERE =
  /\$\{\{|\b(?:publish|deploy|release|login|upload|push|ssh|scp|rsync|curl|wget|sudo|docker|podman|kubectl|helm|terraform|aws|gcloud|az|gh|codecov|coveralls|secrets?|token|password|watch|e2e|playwright|cypress|integration|smoke|bench(?:mark)?|browserstack|saucelabs|install-?deps)\b|--watch|test-?results|&\s*$|\brm\s|`|\$\(|>\s*\/|\beval\b/i;

/** Whether a line is one plausible, local command that runs tests: no secret, no publishing, no expression of the CI's own, no redirection out. */
function isTestCommand(line: string): boolean {
  const command = line.trim();
  return command.length <= LONGEST && !/[\n\r\u0000-\u001f]/.test(command) && RUNS_TESTS.test(command) && !NOT_HERE.test(command);
}

/**
 * The test commands of a script: continued lines joined, comments and prompts taken off. Of a chain (`npm ci && npm test`) the part that
 * tests is kept, with the folders that it goes into first: what comes before installs, and nothing can be installed without a network.
 */
export function testCommandsOf(script: string): string[] {
  return script
    .replace(/\s*\\\r?\n\s*/g, " ")
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*\$\s+/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap((line) => {
      const parts = line.split("&&").map((part) => part.trim());
      const test = parts.findIndex(isTestCommand);
      if (test < 0) return [];
      const folders = parts.slice(0, test).filter((part) => part.startsWith("cd "));
      if (!folders.every((part) => /^cd (?:\.\/)?[\w-][\w.-]*(?:\/[\w-][\w.-]*)*\/?$/.test(part))) return [];
      return [[...folders, parts[test]].join(" && ")];
    });
}

/** Whether a text is long enough to be looked through; generated and hostile giants are not. */
export function readable(text: string | undefined): string | undefined {
  return text === undefined || text.length > 1_000_000 ? undefined : text;
}
