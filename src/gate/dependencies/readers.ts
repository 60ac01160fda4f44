import { fold } from "../names.ts";
import { readCargoLock, readCargoManifest } from "./cargo.ts";
import { readComposerLock, readComposerManifest } from "./composer.ts";
import type { Ecosystem, Facts } from "./facts.ts";
import { readGoMod, readGoSum } from "./go-mod.ts";
import { readGradle } from "./gradle.ts";
import { readPom } from "./maven.ts";
import { readNpmLock } from "./npm-lock.ts";
import { readNpmManifest, readPnpmWorkspace } from "./npm-manifest.ts";
import { readNugetLock, readNugetProject } from "./nuget.ts";
import { readPnpmLock } from "./pnpm-lock.ts";
import { readPipfile, readPyproject } from "./pyproject.ts";
import { readPackageList, readPipfileLock } from "./python-locks.ts";
import { readRequirements, REQUIREMENTS_NAME } from "./requirements.ts";
import { readGemfile, readGemfileLock } from "./ruby.ts";
import { readSetup } from "./setup.ts";
import { readYarnLock } from "./yarn-lock.ts";

export interface Reader {
  readonly ecosystem: Ecosystem;
  readonly role: "manifest" | "lock";
  /** @throws {UnreadableError} */
  readonly read: (text: string) => Facts;
}

interface Row extends Reader {
  /** Matches a file's folded name. */
  readonly name: RegExp;
}

const manifest = (ecosystem: Ecosystem, name: RegExp, read: Reader["read"]): Row => ({ ecosystem, role: "manifest", name, read });
const lock = (ecosystem: Ecosystem, name: RegExp, read: Reader["read"]): Row => ({ ecosystem, role: "lock", name, read });

const ROWS: readonly Row[] = [
  manifest("npm", /^package\.json$/, readNpmManifest),
  manifest("npm", /^pnpm-workspace\.ya?ml$/, readPnpmWorkspace),
  lock("npm", /^(package-lock|npm-shrinkwrap|\.package-lock)\.json$/, readNpmLock),
  lock("npm", /^yarn\.lock$/, readYarnLock),
  lock("npm", /^pnpm-lock\.ya?ml$/, readPnpmLock),
  manifest("pip", REQUIREMENTS_NAME, readRequirements),
  manifest("pip", /^pyproject\.toml$/, readPyproject),
  manifest("pip", /^pipfile$/, readPipfile),
  manifest("pip", /^setup\.(py|cfg)$/, readSetup),
  lock("pip", /^pipfile\.lock$/, readPipfileLock),
  lock("pip", /^(poetry|uv|pdm)\.lock$/, readPackageList),
  manifest("go", /^go\.(mod|work)$/, readGoMod),
  lock("go", /^go\.(work\.)?sum$/, readGoSum),
  manifest("rust", /^cargo\.toml$/, readCargoManifest),
  lock("rust", /^cargo\.lock$/, readCargoLock),
  manifest("maven", /^(pom|.*\.pom)(\.xml)?$/, readPom),
  manifest("maven", /^(.+\.)?(build|settings|init)?\.?gradle(\.kts)?$/, readGradle),
  manifest("rubygems", /^(gemfile|gems\.rb|.+\.gemspec)$/, readGemfile),
  lock("rubygems", /^(gemfile\.lock|gems\.locked)$/, readGemfileLock),
  manifest("nuget", /^(.+\.(cs|fs|vb)proj|directory\.(packages|build)\.(props|targets)|packages\.config)$/, readNugetProject),
  lock("nuget", /^packages\.lock\.json$/, readNugetLock),
  manifest("composer", /^composer\.json$/, readComposerManifest),
  lock("composer", /^composer\.lock$/, readComposerLock),
];

/** Files that name dependencies in a way that is not read here. */
const UNREAD =
  /^(package\.(json5|ya?ml)|bun\.lockb?|deno\.lock|pylock(\..+)?\.toml|environment\.ya?ml|conda-lock\.ya?ml|mix\.(exs|lock)|rebar\.(config|lock)|pubspec\.(yaml|lock)|package\.(swift|resolved)|podfile(\.lock)?|cartfile(\.resolved)?|flake\.(nix|lock)|gradle\.lockfile|verification-metadata\.xml|libs\.versions\.toml|ivy\.xml|build\.sbt|plugins\.sbt|paket\.(dependencies|lock)|renv\.lock|cpanfile(\.snapshot)?|shard\.(yml|lock)|deps\.edn|project\.clj|stack\.yaml(\.lock)?|cabal\.project(\.freeze)?|gopkg\.(toml|lock)|glide\.(yaml|lock)|bower\.json|vcpkg\.json|conanfile\.(txt|py)|conan\.lock)$/;

/** How a file is read for dependencies: by a reader, not at all although it names some, or it names none. */
export function readerOf(path: string): Reader | "unread" | undefined {
  const parts = path.split("/").map(fold);
  const name = parts.at(-1) ?? "";
  const row = ROWS.find((one) => one.name.test(name));
  if (row !== undefined) return row;
  if (parts.at(-2) === "requirements" && /\.(txt|in)$/.test(name)) return { ecosystem: "pip", role: "manifest", read: readRequirements };
  if (parts.at(-2) === "vendor" && name === "modules.txt") return "unread";
  return UNREAD.test(name) ? "unread" : undefined;
}
