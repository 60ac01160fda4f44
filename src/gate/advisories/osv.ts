import { compareVersions, isInRange } from "../dependencies/versions.ts";
import type { StoredAdvisory } from "./stored.ts";

/** What one file in OSV's format came to. */
export type OsvReading =
  | { readonly kind: "advisory"; readonly advisory: StoredAdvisory; readonly modified: string }
  /** It is known and counts for nothing: withdrawn, not reviewed, or about no package of a registry. */
  | { readonly kind: "left-out"; readonly modified: string }
  | { readonly kind: "unreadable"; readonly why: string };

type Json = { readonly [key: string]: unknown };

/** OSV's names of registries as GitHub's API spells them. Source: https://ossf.github.io/osv-schema/#defined-ecosystems */
const ECOSYSTEMS: Readonly<Record<string, string>> = {
  npm: "npm",
  PyPI: "pip",
  Go: "go",
  "crates.io": "rust",
  Maven: "maven",
  RubyGems: "rubygems",
  NuGet: "nuget",
  Packagist: "composer",
  "GitHub Actions": "actions",
  Pub: "pub",
  Hex: "erlang",
  SwiftURL: "swift",
};
const SEVERITIES: Readonly<Record<string, StoredAdvisory["severity"]>> = {
  LOW: "low",
  MODERATE: "medium",
  MEDIUM: "medium",
  HIGH: "high",
  CRITICAL: "critical",
};
/** Embedded malicious code. Source: https://cwe.mitre.org/data/definitions/506.html */
const MALICIOUS = "CWE-506";
/** As versions and ranges may be written; anything else would be another range when it is read again. */
const VERSION = /^[^\s<>=,]{1,100}$/;

/**
 * Reads one advisory as GitHub's advisory database publishes it (OSV 1.x). Of vulnerabilities only reviewed ones count, as on GitHub; malware
 * counts always. Source: https://ossf.github.io/osv-schema/ and https://github.com/github/advisory-database#readme
 */
export function readOsv(value: unknown): OsvReading {
  if (!isObject(value) || typeof value["id"] !== "string" || !/^[A-Za-z][\w-]{1,60}$/.test(value["id"]))
    return { kind: "unreadable", why: "it has no id" };
  const { id, withdrawn, affected, database_specific: own } = value;
  const modified = dateOf(value["modified"]) ?? dateOf(value["published"]);
  if (modified === undefined) return { kind: "unreadable", why: `${id} does not say when it was changed` };
  const details = isObject(own) ? own : {};
  const weaknesses = Array.isArray(details["cwe_ids"]) ? details["cwe_ids"] : [];
  const isMalware = id.startsWith("MAL-") || weaknesses.includes(MALICIOUS) || details["type"] === "malware";
  if (typeof withdrawn === "string" || (!isMalware && details["github_reviewed"] === false)) return { kind: "left-out", modified };
  if (affected !== undefined && !Array.isArray(affected)) return { kind: "unreadable", why: `${id} has no list of what it affects` };
  const affects = (affected ?? []).flatMap((entry: unknown) => readAffected(entry));
  if (affects.length === 0) return { kind: "left-out", modified };
  const severity = SEVERITIES[String(details["severity"]).toUpperCase()] ?? (isMalware ? "critical" : "unknown");
  return { kind: "advisory", modified, advisory: { id, severity, isMalware, affects } };
}

function readAffected(entry: unknown): StoredAdvisory["affects"] {
  if (!isObject(entry) || !isObject(entry["package"])) return [];
  const { name, ecosystem: long } = entry["package"];
  // `Maven:https://…` names a registry beside the usual one.
  const ecosystem = ECOSYSTEMS[String(long).split(":", 1)[0] ?? ""];
  if (typeof name !== "string" || name === "" || ecosystem === undefined) return [];
  const { ranges, versions, database_specific: own } = entry;
  const end = isObject(own) ? own["last_known_affected_version_range"] : undefined;
  const list = (Array.isArray(ranges) ? ranges : []).filter((range) => isObject(range) && range["type"] !== "GIT") as readonly Json[];
  const spans = list.flatMap(({ events }) => spansOf(Array.isArray(events) ? events : [], typeof end === "string" ? end : undefined));
  const exact = (Array.isArray(versions) ? versions : []).flatMap((version: unknown) => {
    if (typeof version !== "string" || !VERSION.test(version)) return [{ range: "" }];
    return spans.some(({ range }) => isInRange(version, range, ecosystem)) ? [] : [{ range: `= ${version}` }];
  });
  const found = [...spans, ...exact];
  // What says nothing about versions affects all of them.
  return (found.length > 0 ? found : [{ range: "" }]).map((span) => ({ ecosystem, name, ...span }));
}

interface Span {
  readonly range: string;
  readonly patched?: string;
}

/** The stretches between an event that introduces and the next one that ends, in GitHub's notation. Events may stand in any order. */
function spansOf(events: readonly unknown[], lastKnown: string | undefined): readonly Span[] {
  const read = events.flatMap((event) => (isObject(event) ? Object.entries(event) : []));
  if (read.some(([, version]) => typeof version !== "string" || !VERSION.test(version))) return [{ range: "" }];
  const sorted = (read as readonly (readonly [string, string])[]).toSorted(
    (a, b) =>
      (a[1] === "0" ? -1 : b[1] === "0" ? 1 : compareVersions(a[1], b[1])) || Number(b[0] === "introduced") - Number(a[0] === "introduced"),
  );
  const spans: Span[] = [];
  let from: string | undefined;
  const close = (end: string | undefined, patched?: string): void => {
    if (from === undefined) return;
    const start = from === "0" ? [] : [`>= ${from}`];
    const parts = [...start, ...(end === undefined ? [] : [end])];
    spans.push({ range: parts.length === 0 ? ">= 0" : parts.join(", "), ...(patched !== undefined && { patched }) });
    from = undefined;
  };
  for (const [kind, version] of sorted) {
    if (kind === "introduced") from ??= version;
    else if (kind === "fixed") close(`< ${version}`, version);
    else if (kind === "last_affected") close(`<= ${version}`);
    else if (kind === "limit" && version !== "*") close(`< ${version}`);
  }
  close(lastKnown !== undefined && /^(?:<=?|=) ?[^\s<>=,]{1,100}$/.test(lastKnown) ? lastKnown : undefined);
  return spans;
}

function dateOf(value: unknown): string | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
