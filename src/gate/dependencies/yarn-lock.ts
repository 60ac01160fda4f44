import { parseBlockYaml } from "./block-yaml.ts";
import { UnreadableError, type Facts, type Locked } from "./facts.ts";
import { need } from "./npm-lock.ts";
import { entriesOf, fieldOf, tableIn, textIn } from "./plain-data.ts";

/** yarn.lock of yarn 1 and of the later ones, which write YAML. @throws {UnreadableError} */
export function readYarnLock(text: string): Facts {
  return /^__metadata:/m.test(text) ? readBerry(text) : readClassic(text);
}

interface Entry {
  readonly descriptors: readonly string[];
  readonly fields: Map<string, string>;
}

/** Yarn 1 has a notation of its own: indented lines of a key and a value. Source: https://classic.yarnpkg.com/lang/en/docs/yarn-lock/ */
function readClassic(text: string): Facts {
  const needed = new Map<string, string[]>();
  const entries: Entry[] = [];
  const seen = new Set<string>();
  let inside = false;
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.replace(/\s+$/, "");
    const content = line.trimStart();
    if (content === "" || content.startsWith("#")) continue;
    const indent = line.length - content.length;
    const entry = entries.at(-1);
    const refuse = (): never => {
      throw new UnreadableError(`is not written as yarn writes it (line ${index + 1})`);
    };
    if (indent === 0) {
      if (!content.endsWith(":")) refuse();
      const descriptors = content
        .slice(0, -1)
        .split(/,\s*/)
        .map((part) => unquoted(part) ?? refuse());
      for (const descriptor of descriptors) {
        if (seen.has(descriptor))
          throw new UnreadableError(`has the entry ${JSON.stringify(descriptor.slice(0, 80))} twice, which tools read differently`);
        seen.add(descriptor);
      }
      entries.push({ descriptors, fields: new Map() });
      inside = false;
    } else if (entry !== undefined && indent === 2 && /^(dependencies|optionalDependencies|peerDependencies):$/.test(content)) {
      inside = true;
    } else if (entry !== undefined && (indent === 2 || (indent === 4 && inside))) {
      const match = /^("(?:[^"\\]|\\.)*"|[^\s":]+) ("(?:[^"\\]|\\.)*"|[^\s"]+)$/.exec(content) ?? refuse();
      const [key, value] = [unquoted(match[1] ?? ""), unquoted(match[2] ?? "")];
      if (key === undefined || value === undefined) return refuse();
      if (indent === 4) need(needed, key, value);
      else if (entry.fields.has(key)) refuse();
      else entry.fields.set(key, value);
      if (indent === 2) inside = false;
    } else {
      refuse();
    }
  }
  return { requirements: [], settings: [], locked: entries.map(classicLocked), needed };
}

function classicLocked({ descriptors, fields }: Entry): Locked {
  const [first = ""] = descriptors;
  const at = first.indexOf("@", 1);
  const shown = at < 0 ? first : first.slice(0, at);
  const real = /@npm:((?:@[^/@]+\/)?[^@/]+)@/.exec(first)?.[1];
  const source = fields.get("resolved");
  // Yarn adds the SHA-1 of what it fetched to the address.
  const [address, digest] = source?.split("#") ?? [];
  const isGit = source !== undefined && /^git|\.git(#|$)/.test(source);
  const hashes = fields.get("integrity")?.split(/\s+/).filter(Boolean) ?? [];
  return {
    key: descriptors.toSorted().join(", "),
    name: real ?? shown,
    version: fields.get("version") ?? "",
    integrity: digest === undefined || isGit ? hashes : [...hashes, `sha1-hex-${digest}`],
    ...(real !== undefined && real !== shown && { shownAs: shown }),
    ...(source !== undefined && { source: isGit ? source : (address ?? source) }),
    ...(source === undefined && /@(file|link):/.test(first) && { isLocal: true }),
  };
}

function unquoted(text: string): string | undefined {
  if (!text.startsWith('"')) return /^[^\s"]+$/.test(text) ? text : undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Source: https://yarnpkg.com/configuration/manifest and what yarn 2 to 4 write. */
function readBerry(text: string): Facts {
  const lock = tableIn(parseBlockYaml(text), "yarn.lock");
  const needed = new Map<string, string[]>();
  const declared = new Map<string, ReadonlyMap<string, string>>();
  const locked: Locked[] = [];
  for (const [key, entry] of entriesOf(lock)) {
    if (key === "__metadata") continue;
    const resolution = textIn(entry, "resolution") ?? key;
    const at = resolution.indexOf("@", 1);
    const name = at < 0 ? resolution : resolution.slice(0, at);
    const place = at < 0 ? "" : resolution.slice(at + 1);
    const dependencies = ["dependencies", "peerDependencies"].flatMap((section) => entriesOf(fieldOf(entry, section)));
    for (const [wanted, spec] of dependencies) need(needed, wanted, spec);
    if (place.startsWith("workspace:")) {
      const direct = dependencies.map(([wanted, spec]) => [wanted, String(spec).replace(/^npm:/, "")] as const);
      declared.set(place.slice("workspace:".length).replace(/^\.$/, ""), new Map(direct));
      continue;
    }
    const shown = key.slice(0, Math.max(0, key.indexOf("@", 1)));
    const isRegistry = /^npm:[^:]*$/.test(place);
    const archive = /::.*__archiveUrl=([^&]+)/.exec(place)?.[1];
    const checksum = textIn(entry, "checksum");
    locked.push({
      key,
      name,
      version: textIn(entry, "version") ?? "",
      integrity: checksum === undefined ? [] : [checksum],
      ...(shown !== name && shown !== "" && { shownAs: shown }),
      ...(archive !== undefined && { source: decoded(archive) }),
      ...(!isRegistry && archive === undefined && !/^(patch:.*builtin<|file:|link:|portal:)/.test(place) && { source: place }),
      ...(/^(file|link|portal):|^patch:.*builtin</.test(place) && { isLocal: true }),
    });
  }
  return { requirements: [], settings: [], locked, needed, ...(declared.size > 0 && { declared }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
