import type { Finding } from "../../core/result.ts";
import type { DependencyChange, ReadDependencies } from "../dependencies/dependency-change.ts";
import type { Ecosystem, Locked, Requirement } from "../dependencies/facts.ts";
import { ecosystemsOf, newLocked, newRequirements, newSettings, presentIn, type At, type Present } from "../dependencies/present.ts";
import { wellKnownNames } from "../dependencies/well-known/names.ts";
import type { GateRule } from "../rule.ts";

const NAME = "registries";
const FIX = "Take the package from its registry; a person adds other sources.";
/** Findings that are listed for one change; more would only bury them. */
const MOST_LISTED = 25;

/** Hosts of each registry itself. */
const OWN_HOSTS: Readonly<Record<Ecosystem, readonly string[]>> = {
  npm: ["registry.npmjs.org", "registry.yarnpkg.com"],
  pip: ["pypi.org", "files.pythonhosted.org"],
  go: [],
  rust: ["index.crates.io", "static.crates.io"],
  maven: ["repo.maven.apache.org", "repo1.maven.org"],
  rubygems: ["rubygems.org", "index.rubygems.org"],
  nuget: ["api.nuget.org", "www.nuget.org"],
  composer: ["api.github.com", "codeload.github.com", "github.com", "repo.packagist.org", "gitlab.com", "bitbucket.org"],
};

/**
 * Packages come from their ecosystem's registry, or from where they came before: no other index or host, no git repository or URL, no
 * package under another's name, no folder outside the repository, no scope that changes its registry (dependency confusion, lockfile poisoning).
 */
export function registriesRule({ read }: { readonly read: ReadDependencies }): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    check: async (judged, run) => judgeChange(await read(judged, run)).slice(0, MOST_LISTED),
  };
}

function judgeChange(change: DependencyChange): readonly Finding[] {
  return [
    ...newSettings(change, "source").map(({ path, item }) => block(path, `${item.key} names another source: ${item.why}`)),
    ...ecosystemsOf(change).flatMap((ecosystem) => {
      const present = presentIn(change, ecosystem);
      const usual = usualOf(present);
      return [
        ...newRequirements(change, ecosystem, present).flatMap((one) => judgeRequirement(one, ecosystem, present)),
        ...newLocked(change, ecosystem).flatMap((one) => judgeLocked(one, ecosystem, present, usual)),
      ];
    }),
  ];
}

function judgeRequirement({ path, folder, item }: At<Requirement>, ecosystem: Ecosystem, present: Present): readonly Finding[] {
  const { name, shownAs, section, wanted } = item;
  const shown = JSON.stringify(shownAs ?? name);
  if (shownAs !== undefined) {
    const isTaken = present.names.has(shownAs) || wellKnownNames(ecosystem).targets.includes(shownAs);
    const isKnown = present.names.has(name) || wellKnownNames(ecosystem).targets.includes(name);
    const why = `${section} puts ${JSON.stringify(name)} in under the name ${shown}`;
    // A second name for a package that everybody knows deceives nobody, as long as it is nobody else's.
    return isKnown && !isTaken && wanted.kind === "registry"
      ? [finding("warn", path, why, "Check that it is meant so.")]
      : [block(path, why)];
  }
  if (wanted.kind === "elsewhere") return [block(path, `${section} takes ${shown} from ${wanted.from} instead of the registry`)];
  if (wanted.kind !== "local") return [];
  if (leaves(folder, wanted.path)) return [block(path, `${section} takes ${shown} from outside the repository`)];
  if (/\.(tgz|tar|tar\.\w+|zip|whl|jar|gem|crate|nupkg)$/i.test(wanted.path)) {
    return [finding("ask", path, `${section} takes ${shown} from a packed archive, which nobody can review`, FIX)];
  }
  return section === "replace"
    ? [finding("warn", path, `it replaces ${shown} by a folder of the repository`, "Check that it is meant so.")]
    : [];
}

/** Whether a path relative to a folder of the repository points out of it, or is none. */
function leaves(folder: string, path: string): boolean {
  if (/^[/~\\]|^[a-z]:|[\\]/i.test(path)) return true;
  let depth = folder.split("/").filter((part) => part !== "").length;
  for (const part of path.split("/")) {
    if (part === "..") depth--;
    else if (part !== "" && part !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

/** Where packages of one registry came from before. */
interface Usual {
  readonly hosts: ReadonlySet<string>;
  readonly byScope: ReadonlyMap<string, ReadonlySet<string>>;
}

function usualOf({ locked }: Present): Usual {
  const hosts = new Set<string>();
  const byScope = new Map<string, Set<string>>();
  for (const { name, source } of locked) {
    const host = source === undefined ? undefined : hostOf(source);
    if (host === undefined) continue;
    hosts.add(host);
    byScope.set(scopeOf(name), (byScope.get(scopeOf(name)) ?? new Set()).add(host));
  }
  return { hosts, byScope };
}

/** The scope of a name; one without is alone in its own. */
function scopeOf(name: string): string {
  return name.startsWith("@") ? `${name.split("/")[0]}/` : name;
}

function judgeLocked(
  { path, folder, item }: At<Locked>,
  ecosystem: Ecosystem,
  present: Present,
  { hosts, byScope }: Usual,
): readonly Finding[] {
  const { name, version, source, isLocal = false } = item;
  const shown = `${name}@${version}`;
  if (source === undefined) return [];
  if (isLocal) {
    const place = source.replace(/^(file|link|portal):/, "");
    return leaves(folder, place) ? [block(path, `${shown} is locked to a folder outside the repository`)] : [];
  }
  if (present.lockedOf(name).some((one) => one.source === source)) return [];
  const host = hostOf(source);
  if (host === undefined) return [block(path, `${shown} is locked to a place that is no https address of a registry`)];
  if (/^http:/i.test(source)) return [block(path, `${shown} is locked to a plain http address, which anybody on the way can change`)];
  const own = OWN_HOSTS[ecosystem];
  if (!own.includes(host) && !hosts.has(host)) return [block(path, `${shown} is locked to the host ${host}`)];
  // What has come from one registry goes on coming from there, all packages of its scope as well.
  const usual = byScope.get(scopeOf(name));
  if (usual === undefined || [...usual].some((one) => one === host || (own.includes(one) && own.includes(host)))) return [];
  return [block(path, `${shown} is locked to ${host}; ${scopeOf(name)} came from ${[...usual].join(", ")}`)];
}

/** The host of an http or https address without a user name; undefined for anything else. */
function hostOf(source: string): string | undefined {
  try {
    const { protocol, host, username } = new URL(source.replace(/^(registry|sparse)\+/, ""));
    return /^https?:$/.test(protocol) && username === "" ? host.toLowerCase() : undefined;
  } catch {
    return undefined;
  }
}

function block(path: string, why: string): Finding {
  return finding("block", path, why, FIX);
}

function finding(severity: Finding["severity"], path: string, why: string, fix: string): Finding {
  return { rule: NAME, severity, where: { path }, why, fix };
}
