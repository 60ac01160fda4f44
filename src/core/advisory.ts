/** One version of one package. */
export interface PackageVersion {
  readonly name: string;
  /** As the registry writes it, without a leading `v`. */
  readonly version: string;
}

/** A known vulnerability, or malware, of packages of one registry. Source: https://docs.github.com/rest/security-advisories/global-advisories */
export interface Advisory {
  /** `GHSA-…` */
  readonly id: string;
  readonly summary: string;
  readonly severity: "unknown" | "low" | "medium" | "high" | "critical";
  readonly isMalware: boolean;
  readonly affects: readonly {
    readonly name: string;
    /** GitHub's notation: `>= 1.0, < 1.2.3`. */
    readonly range: string;
    readonly patched?: string;
  }[];
}

export type AdvisoryAnswer =
  | {
      readonly status: "known";
      readonly advisories: readonly Advisory[];
      /** Who answered, where it was not who should have, for people: `the stored database of 2026-11-29`. */
      readonly via?: string;
      /** Why more advisories may exist than are known here: then none for a package says nothing about it. */
      readonly doubt?: string;
    }
  /** Nobody can say: this is never the same as no advisory. */
  | { readonly status: "unavailable"; readonly why: string };

/** Where known vulnerabilities are looked up. */
export interface AdvisorySource {
  /** Advisories that affect any of these versions; names of registries are GitHub's (`npm`, `pip`, `go`, `rust` …). Never throws. */
  affecting(ecosystem: string, packages: readonly PackageVersion[]): Promise<AdvisoryAnswer>;
}
