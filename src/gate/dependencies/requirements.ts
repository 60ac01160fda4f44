import { UnreadableError, type Facts, type Locked, type Requirement, type Setting } from "./facts.ts";
import { pythonName, pythonPlace, readPep508 } from "./python-spec.ts";

/** Options of pip that decide where packages come from. Source: https://pip.pypa.io/en/stable/reference/requirements-file-format/ */
const SOURCES: ReadonlySet<string> = new Set([
  "-i",
  "--index-url",
  "--pypi-url",
  "--extra-index-url",
  "-f",
  "--find-links",
  "--trusted-host",
  "--no-index",
  "--proxy",
  "--cert",
  "--client-cert",
]);
/** Options that hand arguments to what builds a package. */
const BUILDS: ReadonlySet<string> = new Set([
  "--install-option",
  "--global-option",
  "--build-option",
  "--config-settings",
  "-C",
  "--config-setting",
]);
const HARMLESS: ReadonlySet<string> = new Set([
  "--require-hashes",
  "--prefer-binary",
  "--no-binary",
  "--only-binary",
  "--use-feature",
  "--no-deps",
  "--upgrade",
  "-U",
]);

/** File names that are read as requirements; another file named by `-r` would not be looked at. */
export const REQUIREMENTS_NAME = /^([\w.]+[-_.])?(requirements|constraints)([-_.][\w.-]+)?\.(txt|in|pip)$/;

/** Whether a path below a manifest's folder names a file that is read as requirements. */
export function isReadAsRequirements(path: string): boolean {
  const parts = path.toLowerCase().split("/");
  const name = parts.at(-1) ?? "";
  return REQUIREMENTS_NAME.test(name) || (parts.at(-2) === "requirements" && /\.(txt|in)$/.test(name));
}

/** Longest address that is read, in characters. */
const LONGEST = 2_000;

/** requirements.txt, constraints.txt and pip-tools' `.in` files. @throws {UnreadableError} */
export function readRequirements(text: string): Facts {
  const requirements: Requirement[] = [];
  const settings: Setting[] = [];
  const locked: Locked[] = [];
  for (const { line, number } of logicalLines(text)) {
    const option = /^(--?[a-zA-Z][\w-]*)(?:[=\s]\s*(.*))?$/s.exec(line) ?? /^(-[a-zA-Z])(\S.*)$/s.exec(line);
    if (option !== null) {
      readOption(option[1] ?? "", (option[2] ?? "").trim(), number, { requirements, settings });
      continue;
    }
    const [bare = "", ...extras] = line.split(/\s+(?=--[a-z])/);
    const requirement = readPep508(bare, "requirements") ?? readPlace(bare);
    if (requirement === undefined) throw new UnreadableError(`holds a line that is no requirement (line ${number})`);
    requirements.push(requirement);
    const hashes: string[] = [];
    for (const extra of extras) {
      const [key = "", value = ""] = extra.split(/[=\s]\s*/, 2);
      if (key === "--hash") hashes.push(value);
      else if (BUILDS.has(key)) settings.push(builds(`${requirement.name} ${key}`, value));
      else throw new UnreadableError(`gives a requirement an option that is not known (line ${number})`);
    }
    const version = requirement.wanted.kind === "registry" ? requirement.wanted.version : undefined;
    if (version !== undefined) locked.push({ key: requirement.name, name: requirement.name, version, integrity: hashes });
  }
  return { requirements, settings, locked: withoutRepeats(locked) };
}

/** Lines as pip joins them, without comments. */
function logicalLines(text: string): readonly { readonly line: string; readonly number: number }[] {
  const lines: { line: string; number: number }[] = [];
  let pending: { parts: string[]; number: number } | undefined;
  for (const [index, raw] of text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    const isComment = /^\s*#/.test(raw);
    const continues = raw.endsWith("\\") && !isComment;
    pending ??= { parts: [], number: index + 1 };
    pending.parts.push(continues ? raw.slice(0, -1) : raw);
    if (continues) continue;
    const line = pending.parts
      .join(" ")
      .replace(/(^|\s)#.*$/s, "")
      .trim();
    if (line !== "") lines.push({ line, number: pending.number });
    pending = undefined;
  }
  if (pending !== undefined) lines.push({ line: pending.parts.join(" ").trim(), number: pending.number });
  return lines;
}

function readOption(
  name: string,
  value: string,
  number: number,
  { requirements, settings }: { readonly requirements: Requirement[]; readonly settings: Setting[] },
): void {
  if (name === "-r" || name === "--requirement" || name === "-c" || name === "--constraint") {
    if (/^[a-z+]+:\/\//i.test(value) || /(^|\/)\.\.(\/|$)/.test(value) || value.startsWith("/")) {
      // One folder up is where requirements of a monorepo's parts lie; whether it stays inside is seen where the path is known.
      settings.push({ kind: "source", key: name, value, why: "it takes requirements from another place" });
    } else if (!isReadAsRequirements(value)) {
      settings.push({
        kind: "source",
        key: name,
        value,
        why: "it takes requirements from a file whose name does not say that it holds some",
      });
    }
  } else if (name === "-e" || name === "--editable") {
    requirements.push(
      readPep508(value, "requirements") ??
        readPlace(value) ?? { name: "(editable)", section: "requirements", spec: value, wanted: pythonPlace(value) },
    );
  } else if (SOURCES.has(name)) {
    if (!isOwnIndex(value) || name === "--trusted-host" || name === "--no-index")
      settings.push({ kind: "source", key: name, value, why: "it decides where packages come from" });
  } else if (name === "--pre") {
    settings.push({ kind: "note", key: name, value, why: "it lets pre-releases in" });
  } else if (BUILDS.has(name)) {
    settings.push(builds(name, value));
  } else if (!HARMLESS.has(name)) {
    throw new UnreadableError(`holds an option that is not known (line ${number})`);
  }
}

export function isOwnIndex(value: string): boolean {
  return /^https:\/\/(pypi\.org|pypi\.python\.org)\/(simple\/?|pypi\/?)?$/.test(value);
}

function builds(key: string, value: string): Setting {
  return { kind: "code", key, value, why: "it hands arguments to the code that builds a package" };
}

/** A bare URL, path or archive: the name is the archive's or the egg's. */
function readPlace(text: string): Requirement | undefined {
  if (text.length > LONGEST) return undefined;
  const address = text.split(/\s;/)[0]?.trim() ?? "";
  const isPlace =
    /^([a-z]+(\+[a-z]+)?:)/i.test(address) ||
    /^\.{0,2}\//.test(address) ||
    address === "." ||
    /\.(whl|zip|tar\.\w+|tgz)$/i.test(address) ||
    /^\.\.?\[/.test(address);
  if (!isPlace) return undefined;
  const egg = /#(?:.*&)?egg=([\w.-]+)/.exec(address)?.[1];
  const file = /([^/]+?)(?:-\d[^/]*)?\.(?:whl|zip|tar\.\w+|tgz|git)(?:[@#].*)?$/i.exec(address)?.[1];
  const wanted = /^[\w.-]+\.(whl|zip|tar\.\w+|tgz)$/i.test(address)
    ? ({ kind: "local", path: address } as const)
    : pythonPlace(address.replace(/\[[\w,\s-]*\]$/, ""));
  return { name: pythonName(egg ?? file ?? address.slice(0, 80)), section: "requirements", spec: text.trim(), wanted };
}

/** A package under two markers stands twice; each version is one entry then. */
function withoutRepeats(locked: readonly Locked[]): readonly Locked[] {
  const counts = new Map<string, number>();
  return locked.map((entry) => {
    const count = counts.get(entry.key) ?? 0;
    counts.set(entry.key, count + 1);
    return count === 0 ? entry : { ...entry, key: `${entry.key} ${count + 1}` };
  });
}
