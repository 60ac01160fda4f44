/** Package registries, as GitHub's advisories name them. */
export type Ecosystem = "npm" | "pip" | "go" | "rust" | "maven" | "rubygems" | "nuget" | "composer";

/** Where a manifest wants a package from, and in which version. */
export type Wanted =
  | {
      readonly kind: "registry";
      /** The one version that will do. */
      readonly version?: string;
      /** Versions that will do, in npm's notation, where they can be said in it. */
      readonly range?: string;
      /** The lowest of them. */
      readonly lowest?: string;
      /** Any future version will do. */
      readonly isOpen?: boolean;
    }
  /** A git repository, a URL, another registry: not the ecosystem's own. */
  | { readonly kind: "elsewhere"; readonly from: string }
  /** A folder or file of the repository, relative to the manifest. */
  | { readonly kind: "local"; readonly path: string };

export interface Requirement {
  /** As the registry knows it. */
  readonly name: string;
  /** The name that code uses, where a manifest gives the package another. */
  readonly shownAs?: string;
  /** Where in the manifest: `dependencies`, `overrides`. */
  readonly section: string;
  /** Verbatim. */
  readonly spec: string;
  readonly wanted: Wanted;
}

/** A line of a manifest that decides where packages come from, or that makes an installation run code. */
export interface Setting {
  readonly kind: "source" | "code" | "note";
  readonly key: string;
  readonly value: string;
  readonly why: string;
}

/** One package as a lockfile pins it. */
export interface Locked {
  /** Its place in the file; one place is one package. */
  readonly key: string;
  readonly name: string;
  readonly version: string;
  /** URL that it is fetched from; absent where the lockfile names none. */
  readonly source?: string;
  /** Hashes of what is fetched. */
  readonly integrity: readonly string[];
  readonly runsScripts?: boolean;
  /** Installed under another name than its own. */
  readonly shownAs?: string;
  /** A folder of the repository, or a part of another package: nothing is fetched. */
  readonly isLocal?: boolean;
}

/** What one manifest or lockfile says, as far as rules ask. */
export interface Facts {
  readonly requirements: readonly Requirement[];
  readonly settings: readonly Setting[];
  readonly locked: readonly Locked[];
  /** Of a lockfile: the direct requirements that it was made from, by folder of the manifest (relative to the lockfile) and name. */
  readonly declared?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Of a lockfile: names that some package in it requires, with what they are required as. */
  readonly needed?: ReadonlyMap<string, readonly string[]>;
  /** Everything that was not read into facts, in a form that only changes when its meaning may; absent where all that matters was read. */
  readonly rest?: string;
}

export const NO_FACTS: Facts = { requirements: [], settings: [], locked: [] };

/** The file cannot be read as what its name says. The message says why, in words that follow "it". */
export class UnreadableError extends Error {}
