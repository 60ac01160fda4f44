import { UnreadableError, type Facts, type Locked, type Requirement, type Setting } from "./facts.ts";

const VERBS: ReadonlySet<string> = new Set([
  "module",
  "go",
  "toolchain",
  "require",
  "replace",
  "exclude",
  "retract",
  "tool",
  "ignore",
  "godebug",
  "use",
]);

/** go.mod and go.work. Source: https://go.dev/ref/mod#go-mod-file @throws {UnreadableError} */
export function readGoMod(text: string): Facts {
  const requirements: Requirement[] = [];
  const settings: Setting[] = [];
  let within: string | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const refuse = (): UnreadableError => new UnreadableError(`holds a line that go would not read (line ${index + 1})`);
    const line = raw.replace(/\/\/.*$/, "").trim();
    if (line === "") continue;
    if (within !== undefined && line === ")") {
      within = undefined;
      continue;
    }
    const opening = /^([a-z]+)\s*\($/.exec(line);
    if (within === undefined && opening !== null) {
      within = opening[1] ?? "";
      if (!VERBS.has(within)) throw refuse();
      continue;
    }
    const words = line.split(/\s+/).map((word) => /^"([^"]*)"$|^`([^`]*)`$/.exec(word)?.slice(1).join("") ?? word);
    const verb = within ?? words.shift() ?? "";
    if (!VERBS.has(verb) || words.some((word) => /["`()]/.test(word) && verb !== "retract")) throw refuse();
    readLine(verb, words, { requirements, settings }, refuse);
  }
  if (within !== undefined) throw new UnreadableError("has a block that does not end");
  return { requirements, settings, locked: [] };
}

function readLine(
  verb: string,
  words: readonly string[],
  { requirements, settings }: { readonly requirements: Requirement[]; readonly settings: Setting[] },
  refuse: () => UnreadableError,
): void {
  const [first = "", second = ""] = words;
  if (verb === "require") {
    if (words.length !== 2) throw refuse();
    requirements.push({ name: first, section: "require", spec: second, wanted: { kind: "registry", version: second, lowest: second } });
  } else if (verb === "replace") {
    const arrow = words.indexOf("=>");
    const [target = "", version] = words.slice(arrow + 1);
    if (arrow < 1 || target === "") throw refuse();
    requirements.push(replacement(first, target, version));
  } else if (verb === "toolchain") {
    if (!/^(default|go1\.\d+(\.\d+)?((rc|beta)\d+)?)$/.test(first))
      settings.push({ kind: "source", key: verb, value: first, why: "it names a toolchain that is not one of the Go project's" });
  } else if (verb === "use") {
    if (leaves(first)) settings.push({ kind: "source", key: verb, value: first, why: "it takes modules from outside the repository" });
  } else if (verb === "exclude") {
    settings.push({
      kind: "note",
      key: `exclude ${first}`,
      value: second,
      why: "it keeps a version out, which may be the one that mends a fault",
    });
  } else if (verb === "tool") {
    settings.push({ kind: "note", key: `tool ${first}`, value: first, why: "it is run by those who build the module" });
  }
}

function replacement(name: string, target: string, version: string | undefined): Requirement {
  const spec = version === undefined ? target : `${target} ${version}`;
  if (/^\.{0,2}\//.test(target) || target === "." || target === "..")
    return { name, section: "replace", spec, wanted: { kind: "local", path: target } };
  if (target === name && version !== undefined)
    return { name, section: "replace", spec, wanted: { kind: "registry", version, lowest: version } };
  return { name, section: "replace", spec, wanted: { kind: "elsewhere", from: `the module ${target.slice(0, 100)}` } };
}

function leaves(path: string): boolean {
  return path.startsWith("/") || path.split("/").includes("..");
}

/** go.sum and go.work.sum: one hash for each module version. @throws {UnreadableError} */
export function readGoSum(text: string): Facts {
  const locked = new Map<string, Locked>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const match = /^(\S+) (\S+) (h\d:[A-Za-z0-9+/]+={0,2})$/.exec(line.trim());
    if (match === null) throw new UnreadableError(`holds a line that go would not read (line ${index + 1})`);
    const [, name = "", version = "", hash = ""] = match;
    const key = `${name} ${version}`;
    const known = locked.get(key)?.integrity ?? [];
    locked.set(key, { key, name, version, integrity: [...known, hash] });
  }
  return { requirements: [], settings: [], locked: [...locked.values()] };
}
