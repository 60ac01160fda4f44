import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../src/gate/judged.ts";
import type { GatePolicy } from "../../../../src/gate/policy.ts";
import { defaultPolicy } from "../../../../src/gate/policy.ts";
import { containmentRule } from "../../../../src/gate/rules/containment.ts";
import { fileNamesRule } from "../../../../src/gate/rules/file-names.ts";
import { gitInternalsRule } from "../../../../src/gate/rules/git-internals.ts";
import { protectedPathsRule } from "../../../../src/gate/rules/protected-paths.ts";
import { ask, commit, deletion, openPull, severities, write } from "../fixtures.ts";

describe("containment", () => {
  const rule = containmentRule();
  it.each<[string, Judged]>([
    ["a path out of the repository", write("../outside.txt")],
    ["an absolute path", write("/etc/cron.d/x")],
    ["a URL", write("file:///etc/passwd")],
    ["a NUL byte in a path", write("src/a.ts\0.png")],
    ["git's own folder", write("vendor/x/.git/config")],
    ["git's own folder in another spelling", write("vendor/.G\u200cit/config")],
    ["the deletion of a file outside", deletion("../x")],
    ["such a path in a change set", commit({ "src/../../x": { after: "x" } })],
    ["a move from outside", commit({ "a.ts": { after: "x", movedFrom: "../a.ts" } })],
    ["a new link", commit({ link: { after: "/etc/passwd", mode: "120000" } })],
    ["a new link inside the repository", openPull({ link: { after: "README.md", mode: "120000" } })],
    ["a file that becomes a link", commit({ "a.ts": { before: "x", after: "b.ts", mode: "120000" } })],
    ["a link that points elsewhere than before", commit({ link: { before: "a", modeBefore: "120000", after: "b", mode: "120000" } })],
    ["a submodule", commit({ sub: { after: "x", mode: "160000" } })],
    ["a file whose bytes are not there", { ...commit(), changes: { ...commit().changes, blobs: new Map() } }],
  ])("blocks %s", async (_, judged) => {
    expect(severities(await ask(rule, judged))).toEqual(["block"]);
  });

  it.each<[string, Judged]>([
    ["an ordinary file", write("src/git/hooks.ts")],
    ["an executable", commit({ "run.sh": { after: "#!/bin/sh\n", mode: "100755" } })],
    ["the deletion of a link", commit({ link: { before: "README.md", modeBefore: "120000" } })],
    ["the deletion of a submodule", commit({ sub: { before: "x", modeBefore: "160000" } })],
    ["a link that becomes a file", commit({ link: { before: "a", modeBefore: "120000", after: "text" } })],
    [
      "a change of mode alone, without bytes",
      { ...commit(), changes: { ...commit({ a: { before: "x", after: "x", mode: "100755" } }).changes, blobs: new Map() } },
    ],
    ["names with dots, brackets and blanks", write("src/[...slug]/a b.$id.tsx")],
  ])("lets through %s", async (_, judged) => {
    expect(await ask(rule, judged)).toEqual([]);
  });
});

describe("git-internals", () => {
  const rule = gitInternalsRule();
  it.each([
    ".gitmodules",
    "sub/.gitmodules",
    ".GitModules",
    ".gitattributes",
    "src/.gitattributes",
    ".mailmap",
    ".gitconfig",
    ".lfsconfig",
    "sub/HEAD",
    "HEAD",
    ".githooks/pre-commit",
    ".git-blame-ignore-revs",
  ])("blocks a write to %s and its deletion", async (path) => {
    expect(severities(await ask(rule, write(path)))).toEqual(["block"]);
    expect(severities(await ask(rule, deletion(path)))).toEqual(["block"]);
    expect(severities(await ask(rule, commit({ [path]: { after: "x" } })))).toEqual(["block"]);
  });

  it.each([
    ".gitignore",
    "docs/.gitkeep",
    "src/head",
    "src/Head.tsx",
    "src/git/hooks/a.ts",
    "hooks/useThing.ts",
    "gitmodules",
    "docs/gitattributes.md",
  ])("lets %s through", async (path) => {
    expect(await ask(rule, write(path))).toEqual([]);
  });

  it.each([
    ["sub/config", "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"],
    ["sub/config", "[core] fsmonitor = touch /tmp/x\n"],
    ["sub/Config", "[CORE]\n\tHooksPath = x\n"],
    ["sub/config.worktree", `${"# comment\n".repeat(200_000)}[core]\nsshCommand = x\n`],
    ["sub/objects/info/packs", ""],
    ["sub/objects/info/alternates", "/x\n"],
    ["sub/objects/pack/pack-1.idx", "x"],
    [`sub/objects/ab/${"c".repeat(38)}`, "x"],
    ["sub/refs/heads/main", `${"a".repeat(40)}\n`],
    ["sub/refs/heads/main", "ref: refs/heads/x\n"],
    ["sub/packed-refs", "# pack-refs with: peeled fully-peeled sorted \n"],
  ])("blocks %s of a repository inside the tree", async (path, text) => {
    expect(severities(await ask(rule, write(path, text)))).toEqual(["block"]);
    expect(severities(await ask(rule, commit({ [path]: { after: text } })))).toEqual(["block"]);
  });

  it.each([
    ["config", "[server]\nport = 1\neditor = x\n"],
    [".dvc/config", "[core]\n    remote = origin\n['remote \"origin\"']\n    url = s3://x\n"],
    ["config/index.ts", "export const bare = true"],
    ["src/objects/info.ts", "x"],
    ["docs/refs/heads/main", "The main head.\n"],
    ["src/objects/pack/index.ts", "x"],
  ])("lets %s through, which only looks like one", async (path, text) => {
    expect(await ask(rule, write(path, text))).toEqual([]);
  });
});

describe("file-names", () => {
  const paths = ["README.md", "src/a.ts", "src/Übung.ts", "SRC2/x", "docs/guide.md"];
  const rule = fileNamesRule({ basePaths: () => paths });

  it.each<[string, string, Judged]>([
    ["block", "a direction override", write("src/\u202est.a.ts")],
    ["block", "a zero-width space", write("src/a\u200b.ts")],
    ["block", "a joiner after ASCII", write("src/a\u200d.ts")],
    ["block", "a filler that looks like nothing", write("src/\u3164")],
    ["block", "tag characters", write("src/a\u{e0041}.ts")],
    ["block", "a stream of another file", write("src/a.ts::$DATA")],
    ["block", "four hundred folders", write(`${"d/".repeat(400)}x`)],
    ["block", "a twin by case", write("readme.md")],
    ["block", "a folder's twin by case", write("SRC/b.ts")],
    ["block", "a twin by Unicode form", write("src/U\u0308bung.ts")],
    ["block", "a twin by full-width letters", write("ｄｏｃｓ/guide.md")],
    ["warn", "a Cyrillic letter among Latin ones", write("\u0455rc/index.ts")],
  ])("answers %s for %s", async (severity, _, judged) => {
    expect(severities(await ask(rule, judged))).toEqual([severity]);
  });

  it("blocks two new files that differ by case only, and a file that is another's folder", async () => {
    expect(severities(await ask(rule, commit({ "new/a.ts": { after: "1" }, "new/A.ts": { after: "2" } })))).toEqual(["block"]);
    expect(severities(await ask(rule, commit({ Folder: { after: "1" }, "folder/a": { after: "2" } })))).toEqual(["block"]);
  });

  it.each<[string, Judged]>([
    ["other scripts", write("docs/日本語.md")],
    ["emoji with a joiner and a selector", write("docs/👩\u200d💻❤\ufe0f.md")],
    ["a Persian name with its joiner", write("docs/می\u200cخواهم.md")],
    ["whole Cyrillic names", write("docs/привет.md")],
    ["at signs, dollars and brackets", write("src/@types/[...slug].$id.ts")],
    ["a change of case as a rename", commit({ "README.md": { before: "x" }, "Readme.md": { after: "x", movedFrom: "README.md" } })],
    ["an edit of what is spelled so already", write("src/a\u200b.ts", "new", "old")],
    ["the deletion of a strange name", deletion("src/\u202ex")],
    ["a new file in an existing folder", write("SRC2/y")],
  ])("lets through %s", async (_, judged) => {
    expect(await ask(rule, judged)).toEqual([]);
  });

  it("does without the base's paths where nobody knows them", async () => {
    expect(await ask(fileNamesRule({ basePaths: () => undefined }), write("readme.md"))).toEqual([]);
  });
});

describe("protected-paths", () => {
  const ruleFor = (protectedGlobs: GatePolicy["protected"] = {}) =>
    protectedPathsRule({ policy: { ...defaultPolicy, protected: protectedGlobs } });
  const rule = ruleFor();

  it.each([
    ".github/sallyport.yml",
    ".github/workflows/ci.yml",
    ".github/workflows/NEW.YAML",
    ".GitHub/workflows/x.yml",
    ".github/ｗorkflows/x.yml",
    ".github/actions/setup/action.yml",
    "action.yml",
    "tools/x/action.yaml",
    "CODEOWNERS",
    ".github/CODEOWNERS",
    "docs/CODEOWNERS",
    ".github/codeowners",
    ".github/dependabot.yml",
    "renovate.json",
    ".renovaterc",
    ".renovaterc.json5",
    ".github/settings.yml",
    ".mergify.yml",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "azure-pipelines.yml",
    "Jenkinsfile",
    ".buildkite/pipeline.yml",
    ".travis.yml",
    "AGENTS.md",
    "agents.md",
    "sub/dir/AGENTS.override.md",
    "src/agents.md",
    "docs/AGENTS.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "pkg/GEMINI.md",
    ".cursorrules",
    ".cursor/rules/x.mdc",
    ".windsurfrules",
    ".github/copilot-instructions.md",
    ".github/prompts/x.prompt.md",
    ".github/instructions/x.instructions.md",
    ".aider.conf.yml",
    ".claude/settings.json",
    ".gemini/settings.json",
    ".codex/config.toml",
    ".mcp.json",
    "sub/.claude/agents/x.md",
    ".vscode/tasks.json",
    ".vscode/settings.json",
    ".vscode/launch.json",
    ".devcontainer.json",
    ".devcontainer/post.sh",
    ".idea/workspace.xml",
    ".envrc",
    ".ripgreprc",
    ".exrc",
    ".husky/pre-commit",
    ".pre-commit-config.yaml",
    ".lefthook.yml",
    ".npmrc",
    "packages/a/.npmrc",
    ".yarnrc.yml",
    ".yarn/plugins/x.cjs",
    ".pnpmfile.cjs",
    "bunfig.toml",
    "pip.conf",
    ".cargo/config.toml",
    "binding.gyp",
    "node_modules/lodash/index.js",
    "gradlew",
  ])("blocks a write to %s, its deletion and a move from there", async (path) => {
    expect(severities(await ask(rule, write(path)))).toEqual(["block"]);
    expect(severities(await ask(rule, deletion(path)))).toEqual(["block"]);
    expect(severities(await ask(rule, commit({ "other.txt": { after: "x", movedFrom: path }, [path]: { before: "x" } })))).toEqual([
      "block",
    ]);
  });

  it.each([
    "Makefile",
    "Dockerfile",
    "docker/app.Dockerfile",
    "docker-compose.yml",
    "vitest.config.ts",
    "packages/a/webpack.config.js",
    "conftest.py",
    "pyproject.toml",
    "build.gradle.kts",
    ".npmignore",
    "scripts/release.sh",
  ])("warns of a change to %s", async (path) => {
    expect(severities(await ask(rule, write(path)))).toEqual(["warn"]);
  });

  it.each([
    "docs/agents.md",
    "website/guides/claude.md",
    "src/agents.ts",
    "src/workflows/parser.ts",
    "test/fixtures/.github-sample/ci.yml",
    "src/action.ts",
    "actions/index.ts",
    "docs/codeowners.md",
    "src/CODEOWNERS.ts",
    ".github/ISSUE_TEMPLATE/bug.yml",
    ".github/pull_request_template.md",
    ".gitignore",
    ".editorconfig",
    "package.json",
    "src/config.ts",
    "src/settings.json",
    "docs/husky.md",
    "my.npmrc.md",
    "src/vscode/tasks.json",
    "src/makefile-parser.ts",
    "src/renovate.ts",
    "tsconfig.json",
    "lib/cursor/rules.ts",
  ])("lets %s through", async (path) => {
    expect(await ask(rule, write(path))).toEqual([]);
  });

  it.each<[string, GatePolicy["protected"], string, string[]]>([
    ["adds globs of the operator", { "docs/**": "ask" }, "docs/guide.md", ["ask"]],
    ["matches ** at the root", { "**/secret.txt": "block" }, "secret.txt", ["block"]],
    ["matches without regard to case", { "docs/**": "ask" }, "DOCS/guide.md", ["ask"]],
    ["lets the operator move a glob of the table", { ".github/workflows/**": "ask" }, ".github/workflows/ci.yml", ["ask"]],
    ["lets the operator move a single path", { "tools/action.yml": "warn" }, "tools/action.yml", ["warn"]],
    ["lets the operator tighten a warning", { Makefile: "block" }, "Makefile", ["block"]],
    ["takes the severest of several globs", { "docs/**": "warn", "docs/legal/**": "block" }, "docs/legal/x.md", ["block"]],
    ["is not loosened by a broader glob", { ".github/**": "warn", "**": "warn" }, ".github/workflows/ci.yml", ["block"]],
    ["keeps the rest when one is moved", { ".github/workflows/**": "warn" }, ".github/CODEOWNERS", ["block"]],
  ])("%s", async (_, globs, path, expected) => {
    expect(severities(await ask(ruleFor(globs), write(path)))).toEqual(expected);
  });

  it("says the place, the reason and what to do", async () => {
    expect(await ask(rule, write(".github/workflows/ci.yml"))).toEqual([
      {
        rule: "protected-paths",
        severity: "block",
        where: { path: ".github/workflows/ci.yml" },
        why: expect.stringContaining("secrets") as string,
        fix: expect.stringContaining("a person") as string,
      },
    ]);
  });
});
