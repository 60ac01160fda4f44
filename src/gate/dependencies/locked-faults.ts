import type { Ecosystem, Locked } from "./facts.ts";

/** What is wrong with an entry, and how much so. */
export interface Fault {
  readonly severity: "block" | "ask";
  readonly why: string;
}

const blocked = (why: string): Fault => ({ severity: "block", why });

/** What became of the hashes of a version that stays. */
export function changedHash(before: Locked, after: Locked, ecosystem: Ecosystem): Fault | undefined {
  if (before.isLocal !== true && after.isLocal === true)
    return { severity: "ask", why: "is no longer fetched, but taken from a folder or another package" };
  if (before.integrity.length === 0 || before.isLocal === true || after.isLocal === true) return undefined;
  if (after.integrity.length === 0) return blocked("loses its hash");
  const kept = after.integrity.filter((hash) => before.integrity.includes(hash));
  if (kept.length === 0) return blocked("keeps its version and changes its hash");
  const strongest = (hashes: readonly string[]): number => Math.max(...hashes.map(strengthOf));
  if (strongest(kept) < strongest(before.integrity)) return blocked("keeps its version and loses the strongest of its hashes");
  const added = after.integrity.filter((hash) => !before.integrity.includes(hash) && strengthOf(hash) >= strongest(before.integrity));
  if (added.length === 0) return undefined;
  // npm takes any of several hashes; on the Python index a version may get more archives later.
  return ecosystem === "pip"
    ? { severity: "ask", why: "keeps its version and gets another hash" }
    : blocked("keeps its version and gets another hash");
}

function strengthOf(hash: string): number {
  const kind = /^(?:\d+c?\d*\/)?([a-z0-9]+?)(?:-hex)?[-:=]/i.exec(hash)?.[1]?.toLowerCase();
  return ["md5", "sha1", undefined, "sha256", "sha384", "sha512"].indexOf(kind);
}

/** Whether an entry that is new has no hash and should. */
export function missingHash({ integrity, isLocal = false, source = "" }: Locked, ecosystem: Ecosystem, path: string): Fault | undefined {
  // A commit is its own hash; manifests that also pin (requirements) may leave single lines without.
  if (
    integrity.length > 0 ||
    isLocal ||
    /^git[+:]|\.git[#?]/.test(source) ||
    ecosystem === "maven" ||
    ecosystem === "composer" ||
    (ecosystem === "rubygems" && !path.includes("lock"))
  )
    return undefined;
  return blocked("is locked without a hash, unlike the others");
}

/** Whether an address is another package's. Source: tarballs of npm lie at `/<name>/-/<name without scope>-<version>.tgz`. */
export function strangeAddress({ name, version, source, isLocal = false }: Locked, ecosystem: Ecosystem): Fault | undefined {
  if (source === undefined || isLocal || ecosystem !== "npm" || !/^https?:/i.test(source)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(new URL(source).pathname).toLowerCase();
  } catch {
    return blocked("is locked to an address that cannot be read");
  }
  const bare = name.split("/").at(-1) ?? name;
  const isOwn = /^https?:\/\/registry\.(npmjs\.org|yarnpkg\.com)\//i.test(source);
  const tarball = `/${name}/-/${bare}-${version}.tgz`.toLowerCase();
  if (
    isOwn ? path === tarball : path.endsWith(tarball) || (path.includes(`/${name.toLowerCase()}/`) && path.includes(version.toLowerCase()))
  )
    return undefined;
  return blocked("is locked to the address of another package");
}
