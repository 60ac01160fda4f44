import { UnreadableError, type Facts, type Locked, type Requirement, type Setting, type Wanted } from "./facts.ts";

const OWN = /^https:\/\/(?:index\.)?rubygems\.org\/?$/;
/** `gem "name", "~> 1.2", ">= 1.2.3", require: false, group: :test` with plain literals only. */
const GEM =
  /^(?:gem|\w+\.add_(?:runtime_|development_)?dependency)[\s(]+(["'])([\w.-]+)\1((?:\s*,\s*(?:["'][^"'#\\]*["']|:?\w+["']?\s*(?:=>|:)\s*(?:["'][^"'#\\]*["']|:?\w+|\[[\s\w:,"'.-]*\])))*)\s*\)?$/;

/** Longest line that is read, in characters. */
const LONGEST = 500;

/** Gemfile and *.gemspec are programs: plain lines that name a gem are read, everything else is `rest`. */
export function readGemfile(text: string): Facts {
  const requirements: Requirement[] = [];
  const settings: Setting[] = [];
  const rest: string[] = [];
  for (const raw of text.split(/\r?\n/)) {
    const whole = raw.trim().replace(/\s/g, " ");
    // A longer line is no plain one, and matching takes more than linear time.
    const line = whole.length > LONGEST || whole.startsWith("#") ? whole : whole.replace(/ +#[^"']*$/, "").replace(/ +/g, " ");
    if (line === "" || line.startsWith("#")) continue;
    const gem = line.length > LONGEST ? null : GEM.exec(line);
    const source = /^source[\s(]+(["'])([^"'#]*)\1\)?(?:\s+do)?$/.exec(line)?.[2];
    if (source !== undefined) {
      if (!OWN.test(source)) settings.push({ kind: "source", key: "source", value: source, why: "it decides where gems come from" });
    } else if (gem === null) {
      rest.push(line);
    } else {
      requirements.push(requirement(gem[2] ?? "", gem[3] ?? "", line));
    }
  }
  return { requirements, settings, locked: [], rest: rest.join("\n") };
}

function requirement(name: string, rest: string, line: string): Requirement {
  const options = new Map(
    [...rest.matchAll(/:?(\w+)["']?\s*(?:=>|:)\s*["']([^"']*)["']/g)].map(([, key = "", value = ""]) => [key, value]),
  );
  const place = ["git", "github", "gist", "bitbucket", "source"].find((key) => options.has(key));
  const path = options.get("path");
  const bare = rest.replace(/,\s*:?\w+["']?\s*(?:=>|:)\s*(?:["'][^"']*["']|:?\w+|\[[^\]]*\])/g, "");
  const specs = [...bare.matchAll(/["']([^"']*)["']/g)].map(([, spec = ""]) => spec.trim());
  const isOwnSource = place === "source" && OWN.test(options.get("source") ?? "");
  const wanted: Wanted =
    place !== undefined && !isOwnSource
      ? { kind: "elsewhere", from: `${place} ${(options.get(place) ?? "").slice(0, 80)}` }
      : path === undefined
        ? wantedBy(specs)
        : { kind: "local", path };
  return { name, section: "gems", spec: specs.join(", ") || line.slice(0, 100), wanted };
}

function wantedBy(specs: readonly string[]): Wanted {
  const exact = specs.length === 1 ? /^=?\s*(\d[\w.-]*)$/.exec(specs[0] ?? "")?.[1] : undefined;
  if (exact !== undefined) return { kind: "registry", version: exact, lowest: exact };
  const lowest = specs.map((spec) => /^(?:>=|~>|=)\s*(\d[\w.-]*)$/.exec(spec)?.[1]).find((version) => version !== undefined);
  const isOpen = !specs.some((spec) => /^(~>|<|=)/.test(spec));
  return { kind: "registry", ...(lowest !== undefined && { lowest }), ...(isOpen && { isOpen }) };
}

/** Gemfile.lock. @throws {UnreadableError} */
export function readGemfileLock(text: string): Facts {
  const locked: Locked[] = [];
  const settings: Setting[] = [];
  const needed = new Map<string, string[]>();
  const sums = new Map<string, string>();
  let section = "";
  let remote = "";
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trimEnd();
    if (line === "") continue;
    if (/^(<{7}|>{7}|={7})/.test(line)) throw new UnreadableError(`holds a merge conflict (line ${index + 1})`);
    if (/^[A-Z]/.test(line)) {
      section = line;
      remote = "";
    } else if (/^ {2}remote: /.test(line)) {
      remote = line.slice(10).trim();
      if (section === "GEM" && !OWN.test(remote))
        settings.push({ kind: "source", key: "remote", value: remote, why: "gems come from there" });
      if (section === "GIT" || section === "PLUGIN SOURCE")
        settings.push({ kind: "source", key: section, value: remote, why: "gems come from there" });
    } else if (section === "CHECKSUMS") {
      const match = /^ {2}(\S+) \(([^)]+)\) (\S+)$/.exec(line);
      if (match !== null) sums.set(`${match[1]} ${match[2]}`, match[3] ?? "");
    } else if (section === "DEPENDENCIES") {
      needed.set(/^\s*([\w.-]+)/.exec(line)?.[1] ?? "", [""]);
    } else {
      const spec = /^ {4}([\w.-]+) \(([^)]+)\)$/.exec(line);
      const inner = /^ {6}([\w.-]+)/.exec(line);
      if (inner !== null) needed.set(inner[1] ?? "", [""]);
      if (spec !== null) locked.push(lockedGem(spec[1] ?? "", spec[2] ?? "", section, remote));
    }
  }
  return {
    requirements: [],
    settings,
    needed,
    locked: locked.map((entry) => ({ ...entry, integrity: [sums.get(entry.key)].filter((sum) => sum !== undefined) })),
  };
}

function lockedGem(name: string, version: string, section: string, remote: string): Locked {
  const base = {
    key: `${name} ${version}`,
    name,
    version: version.replace(/-(x86|x64|arm|aarch|java|universal|mingw|mswin).*$/, ""),
    integrity: [],
  };
  if (section === "PATH") return { ...base, isLocal: true };
  return section === "GEM" && OWN.test(remote) ? base : { ...base, source: remote };
}
