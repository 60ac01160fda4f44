import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../../../src/gate/policy.ts";
import { protectedPathsRule } from "../../../../src/gate/rules/protected-paths.ts";
import { ask, severities, write } from "../fixtures.ts";

const rule = protectedPathsRule({ policy: defaultPolicy });

/** Paths by what is said of them, each a kind of its own; a blank stands between two. */
const KINDS: readonly (readonly [string, string, string])[] = [
  [
    "coding agents read them",
    "block",
    "AGENTS.md sub/AGENTS.md agents.md AGENT.md pkg/.agent.md CLAUDE.local.md sub/GEMINI.md WARP.md JULES.md QODO.md CODEX.md CRUSH.md IFLOW.md AmazonQ.md replit.md .cursorrules .cursor/rules/a.mdc .windsurfrules .windsurf/rules/a.md .clinerules .clinerules/a.md .roo/rules/a.md .github/copilot-instructions.md sub/.github/../a.prompt.md .github/instructions/a.instructions.md .junie/guidelines.md .kiro/steering/a.md .qodo/a.toml .tabnine/a .codeium/a .cody/a.json .qoder/rules/a.md .lingma/rules/a.md .codebuddy/a.md .ruler/a.md .rulesync/a.md memory-bank/a.md .openhands_instructions gemini-extension.json mcp.config.json .mcp/server.json .claude-plugin/plugin.json .cursor-plugin/plugin.json",
  ],
  [
    "reviewing bots read them",
    "block",
    ".pr_agent.toml best_practices.md .coderabbit.yaml greptile.json .greptile/rules.md .sourcery.yaml ellipsis.yaml .bito.yaml",
  ],
  ["CI services start at once", "block", ".gitlab-ci.yaml render.yaml railway.json .platform.app.yaml .github/workflows/a.yml .drone.yml"],
  [
    "shells and tools start them in the folder",
    "block",
    ".config/mise/config.toml .rvmrc .powrc .byebugrc .pythonrc.py .ipython/profile_default/startup/a.py .jupyter/a.py .xinitrc .terraformrc ansible.cfg .docker/config.json",
  ],
  [
    "hooks of version control run them",
    "block",
    ".githooks/pre-commit githooks/post-checkout hooks/pre-commit tools/hooks/pre-push .husky/pre-commit",
  ],
  ["another version control acts on them", "block", ".hg/hgrc .hgrc .svn/entries .bzr/branch .jj/repo"],
  [
    "builds and tests execute them",
    "warn",
    ".babelrc .swcrc .mocharc.json .eslintrc.json nodemon.json jest.config.json deno.json karma.conf.js phpunit.xml .php-cs-fixer.php .rspec Brewfile fastlane/Fastfile Setup.hs rust-toolchain.toml global.json gradle.properties init.gradle shell.nix flake.nix main.tf .github/scripts/a.js",
  ],
  ["deployments read them", "warn", "fly.toml firebase.json wrangler.toml appspec.yml skaffold.yaml app.yaml .ebextensions/a.config"],
  [
    "scanners overlook by them",
    "warn",
    ".snyk .trivyignore .gitleaks.toml .semgrepignore .secretlintrc.json zizmor.yml .github/zizmor.yml .github/actionlint.yaml codecov.yml sonar-project.properties .github/codeql/a.yml",
  ],
];
const LOOKALIKES =
  "docs/agents.md docs/claude.md docs/warp.md site/jules.md src/agents/list.ts src/rules.ts src/action.ts docs/workflows/ci.md README.md src/makefile-parser.ts src/mcp/client.ts test/fixtures/agents.txt src/prompts/system.ts src/hooks/use-thing.ts hooks/use-state.ts src/hooks/pre-commit.ts lib/docker.ts src/memory/store.ts docs/gemini-api.md CHANGELOG.md CONTRIBUTING.md public/llms.txt assets/logo.svg src/cursor/rules.ts examples/agent/main.py src/github/workflows.ts src/app.yaml.ts docs/app.yaml docs/best_practices.md tsconfig.json .nvmrc .dockerignore src/render.tsx src/terraform.ts config/global.jsonc";

describe("files that are acted on before anybody has reviewed them", () => {
  it.each(
    KINDS.flatMap(([kind, severity, paths]) => paths.split(" ").map((path) => [kind, path.replace("/.github/..", ""), severity] as const)),
  )("%s: %s", async (_, path, severity) => {
    expect(severities(await ask(rule, write(path)))).toEqual([severity]);
  });

  it.each(LOOKALIKES.split(" "))("are not meant by %s", async (path) => {
    expect(await ask(rule, write(path))).toEqual([]);
  });
});
