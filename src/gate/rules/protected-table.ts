import type { Protection } from "../policy.ts";

/** Files that are acted on before anybody has reviewed them, or that decide who reviews. Globs match without regard to case. */
export interface ProtectedRow {
  readonly globs: readonly string[];
  readonly severity: Protection;
  readonly reason: string;
  /** Exempt, with regard to case: names that only look like the rule's. */
  readonly except?: readonly string[];
}

const DOCUMENTATION = "{docs,doc,website,site,content,blog,wiki}/**";

export const PROTECTED: readonly ProtectedRow[] = [
  {
    globs: [".github/sallyport.{yml,yaml}"],
    severity: "block",
    reason: "it is this bot's own policy",
  },
  {
    globs: [".github/workflows/**"],
    severity: "block",
    reason: "GitHub runs it with the repository's secrets as soon as the branch is pushed, before any review",
  },
  {
    globs: [".github/actions/**", "**/action.{yml,yaml}"],
    severity: "block",
    reason: "trusted workflows run it",
  },
  {
    globs: ["CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"],
    severity: "block",
    reason: "it decides who must review",
  },
  {
    globs: [
      ".github/dependabot.{yml,yaml}",
      "**/renovate.{json,json5}",
      "**/.renovaterc{,.*}",
      ".github/renovate.{json,json5}",
      ".github/settings.{yml,yaml}",
      ".github/{branch-protection,rulesets}/**",
      "{.mergify.yml,.mergify/**,.github/mergify.yml}",
      "{.kodiak.toml,.github/.kodiak.toml,bors.toml,.bulldozer.yml,.palantir/**}",
      ".github/{auto-merge,auto_assign,stale,probot,labeler,release}*.{yml,yaml}",
    ],
    severity: "block",
    reason: "another bot acts on it: merges, settings, registries",
  },
  {
    globs: [
      ".gitlab-ci.{yml,yaml}",
      "{render.yaml,railway.{json,toml},.platform.app.yaml}",
      ".gitlab/ci/**",
      ".circleci/**",
      "{azure-pipelines*,.azure-pipelines/**,.azuredevops/**}",
      ".travis.yml",
      "**/Jenkinsfile*",
      ".drone.{yml,yaml,star,jsonnet}",
      "bitbucket-pipelines.yml",
      ".buildkite/**",
      "{appveyor,.appveyor}.yml",
      "{.woodpecker/**,.woodpecker.{yml,yaml}}",
      ".cirrus.{yml,yaml,star}",
      ".semaphore/**",
      ".teamcity/**",
      "{cloudbuild,buildspec,codefresh}.{yml,yaml}",
      "{netlify.toml,vercel.json,.forgejo/**,.gitea/**}",
      ".pre-commit-ci.yaml",
    ],
    severity: "block",
    reason: "a CI service runs it as soon as the branch is pushed",
  },
  {
    globs: [
      "**/AGENTS{,.*}.md",
      "**/CLAUDE{,.*}.md",
      "**/GEMINI{,.*}.md",
      "**/QWEN{,.*}.md",
      "**/{CONVENTIONS,SKILL}.md",
      "**/{AGENT,WARP,JULES,QODO,CODEX,CRUSH,IFLOW,AMAZONQ,.agent}.md",
      "replit.md",
    ],
    except: [`${DOCUMENTATION}/{agents,claude,gemini,qwen,conventions,skill,agent,warp,jules,qodo,codex,crush,iflow,amazonq}.md`],
    severity: "block",
    reason: "coding agents, this one too, take it as their instructions",
  },
  {
    globs: [
      "**/{.cursorrules,.windsurfrules,.clinerules,.roorules,.rules,.goosehints,.augment-guidelines,.continuerules}",
      "**/{.cursor,.windsurf,.clinerules,.roo,.augment,.continue,.junie,.kiro,.amazonq,.trae,.opencode,.goose,.agents,.agent}/**",
      "**/{.claude,.gemini,.codex,.copilot,.qwen,.factory,.openhands,.sallyport}/**",
      "**/{.qodo,.tabnine,.codeium,.cody,.vibe,.cursor-plugin,.claude-plugin,.mcp,.qoder,.lingma,.codebuddy,.ruler,.rulesync,memory-bank}/**",
      "**/{.openhands_instructions,gemini-extension.json,mcp.config.json,claude_desktop_config.json}",
      "{.pr_agent.toml,best_practices.md,.coderabbit.{yml,yaml},greptile.json,.greptile/**,.sourcery.yaml,ellipsis.yaml,.bito.yaml}",
      "**/{.mcp.json,mcp.json,.aider*,.claude.json,opencode.json{,c},.roomodes,.crushrc}",
      ".github/copilot-instructions.md",
      ".github/{copilot,instructions,prompts,chatmodes,agents,skills,hooks}/**",
      "**/*.{prompt,instructions,chatmode}.md",
      "**/{.cursorignore,.aiexclude,.geminiignore,.claudeignore,.copilotignore}",
    ],
    severity: "block",
    reason: "coding agents read it as instructions, or start what it names",
  },
  {
    globs: [
      "**/.vscode/{tasks,settings,launch,extensions,mcp}.json",
      "**/*.code-workspace",
      "**/{.idea,.fleet,.zed,.vs,.nova,.theia}/**",
      "**/{.devcontainer/**,.devcontainer.json,devcontainer.json}",
      "**/{.gitpod.yml,.gitpod.Dockerfile,.gitpod/**,.replit,replit.nix,.idx/**,.codesandbox/**,.stackblitzrc}",
      "**/{.vimrc,.exrc,.nvimrc,.nvim.lua,.dir-locals.el,.dir-locals-2.el,.sublime-project,.editorconfig-exec}",
      "**/*.sublime-{project,workspace}",
    ],
    severity: "block",
    reason: "an editor runs what it names when the folder is opened",
  },
  {
    globs: [
      "**/{.config/mise/**,.rvmrc,.powrc,.byebugrc,.pythonrc.py,.ipython/**,.jupyter/**,.xinitrc,.terraformrc,ansible.cfg,.docker/config.json}",
      "**/{.envrc,.direnvrc,.mise.toml,mise.toml,.mise/**,.rtx.toml,.tool-versions,.autoenv,.autoenv.zsh,.env.zsh}",
      "**/{.bashrc,.bash_profile,.profile,.zshrc,.zshenv,.zprofile,.inputrc,.lldbinit,.gdbinit,.pdbrc,.irbrc,.pryrc,.Rprofile}",
      "**/{.ripgreprc,.fdignore-exec,.wgetrc,.curlrc,.netrc,.pgpass,.my.cnf,.psqlrc,.screenrc,.tmux.conf}",
      "**/{sitecustomize,usercustomize}.py",
      "**/*.pth",
    ],
    severity: "block",
    reason: "a shell or a tool runs it when somebody works in the folder",
  },
  {
    globs: [
      "**/{.husky,.lefthook,.lefthook-local,.githooks,githooks}/**",
      "**/hooks/{applypatch-msg,commit-msg,post-checkout,post-commit,post-merge,post-rewrite,pre-applypatch,pre-commit,pre-merge-commit,pre-push,pre-rebase,prepare-commit-msg}",
      "**/{lefthook,.lefthook,lefthook-local}.{yml,yaml,toml,json}",
      "**/.pre-commit-{config,hooks}.{yml,yaml}",
      "**/{.overcommit.yml,.git-hooks.yml,.lintstagedrc*,lint-staged.config.*,.simple-git-hooks*,simple-git-hooks.*,.czrc}",
    ],
    severity: "block",
    reason: "it runs on developers' machines at their next commit",
  },
  {
    globs: [
      "**/{.npmrc,.yarnrc,.yarnrc.yml,.pnpmrc,.pnpmfile.*,bunfig.toml,.bunfig.toml,.bowerrc,lerna.json}",
      "**/.yarn/{plugins,releases,sdks,patches}/**",
      "**/{pip.conf,pip.ini,.pip/**,.pypirc,uv.toml,.condarc,poetry.toml}",
      "**/.cargo/**",
      "**/{nuget.config,.nuget/**,gradle-wrapper.properties,gradle-wrapper.jar,gradlew,gradlew.bat,mvnw,mvnw.cmd}",
      "**/.mvn/**",
      "**/{.bundle/**,.gemrc,auth.json,.composer/**}",
      "**/{GOFLAGS,go.env,.sdkmanrc}",
    ],
    severity: "block",
    reason: "it decides where packages come from, or is run by the package manager",
  },
  {
    globs: ["**/binding.gyp", "**/node_modules/**", "**/.pnp.*js", "**/bower_components/**"],
    severity: "block",
    reason: "the package manager builds or runs it without being asked",
  },
  {
    globs: [
      "**/{Makefile,GNUmakefile,makefile.*,*.mk,justfile,.justfile,Taskfile.{yml,yaml},CMakeLists.txt,*.cmake,SConstruct,meson.build}",
      "**/{Dockerfile*,*.Dockerfile,Containerfile,docker-compose*.{yml,yaml},compose*.{yml,yaml},docker-bake.*}",
      "**/{vite,vitest,jest,webpack,rollup,rspack,babel,eslint,prettier,playwright,cypress,karma,next,nuxt,svelte,astro,tailwind,postcss,tsup,esbuild,metro,remix,stylelint,commitlint,release,ava,wdio,stencil,vue,craco,gatsby-*,hardhat}.config.{js,cjs,mjs,ts,cts,mts}",
      "**/{vitest.workspace,vitest.setup,jest.setup,setupTests,.eslintrc,.babelrc,.mocharc,.prettierrc,gulpfile,Gruntfile}.{js,cjs,mjs,ts}",
      "**/{gulpfile,Gruntfile}.{babel.js,coffee}",
      "**/{conftest,setup,noxfile,fabfile,tasks,manage}.py",
      "**/{tox.ini,pytest.ini,setup.cfg,.coveragerc,pyproject.toml}",
      "**/{build.gradle,build.gradle.kts,settings.gradle,settings.gradle.kts,pom.xml,build.xml,build.sbt,build.rs,Rakefile,*.gemspec,Package.swift}",
      "**/{Directory.Build.props,Directory.Build.targets,*.csproj,*.fsproj,*.vcxproj,turbo.json,nx.json,angular.json,project.json}",
      "**/{.goreleaser.{yml,yaml},.releaserc*,Procfile,Vagrantfile,Tiltfile,Earthfile,WORKSPACE,BUILD,BUILD.bazel,MODULE.bazel,.bazelrc}",
      "{scripts,ci,.ci,tools,build}/**/*.{sh,bash,ps1,bat,cmd}",
    ],
    severity: "warn",
    reason: "builds and tests execute it, on CI as well",
  },
  {
    globs: ["**/{.hg,.svn,.bzr,.jj,CVS}/**", "**/.hgrc"],
    severity: "block",
    reason: "another version control acts on it in this folder",
  },
  {
    globs: [
      "**/{.babelrc,.swcrc,.mocharc.{json,jsonc,yml,yaml},.eslintrc.{json,yml,yaml},.eslintrc,nodemon.json,jest.config.json,deno.{json,jsonc}}",
      "**/{karma,protractor,wallaby}.conf.{js,cjs,mjs,ts}",
      "**/{wallaby.js,phpunit.xml,phpunit.xml.dist,.php-cs-fixer.php,.php-cs-fixer.dist.php,.rspec,Brewfile,fastlane/**,Setup.hs,dune-project}",
      "**/{rust-toolchain,rust-toolchain.toml,clippy.toml,global.json,gradle.properties,init.gradle,init.gradle.kts}",
      "**/{shell.nix,default.nix,flake.nix,devbox.json,*.tf}",
      ".github/scripts/**",
    ],
    severity: "warn",
    reason: "builds and tests execute it, on CI as well",
  },
  {
    globs: [
      "**/{fly.toml,firebase.json,wrangler.{toml,json,jsonc},appspec.{yml,yaml},skaffold.{yml,yaml},.ebextensions/**}",
      "app.{yml,yaml}",
    ],
    severity: "warn",
    reason: "it decides what is deployed, and how",
  },
  {
    globs: [
      "**/{.snyk,.trivyignore,.trivyignore.{yml,yaml},.gitleaks.toml,.gitleaksignore,.semgrepignore,.semgrep.yml,.semgrep/**,.secretlintrc*,.secretlintignore}",
      "{,.github/}{zizmor.yml,actionlint.{yml,yaml},codecov.{yml,yaml}}",
      "{.codecov.yml,.deepsource.toml,.codeclimate.yml,sonar-project.properties,.github/codeql/**}",
    ],
    severity: "warn",
    reason: "it decides what scanners and reviewers overlook",
  },
  {
    globs: ["**/.npmignore", "**/MANIFEST.in"],
    severity: "warn",
    reason: "it decides what a package publishes",
  },
];
