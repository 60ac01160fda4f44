import semver from "semver";
import type { Requirement, Wanted } from "./facts.ts";

/** Longest requirement that is read, in characters. */
const LONGEST = 1_000;

/** A project's name as the index compares names. Source: https://packaging.python.org/specifications/name-normalization/ */
export function pythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/**
 * A requirement as PEP 508 writes it: `name[extra]>=1,<2; marker` or `name @ https://…`. Undefined for what is none.
 * Source: https://packaging.python.org/specifications/dependency-specifiers/
 */
export function readPep508(text: string, section: string): Requirement | undefined {
  if (text.length > LONGEST) return undefined;
  const match = /^\s*([a-z0-9](?:[\w.-]*[a-z0-9])?)\s*(?:\[[\w\s,.-]*\])?\s*(.*)$/is.exec(text);
  if (match === null) return undefined;
  const [, name = "", rest = ""] = match;
  if (rest.startsWith("@")) {
    const address = rest.slice(1).split(/\s;/)[0]?.trim() ?? "";
    return { name: pythonName(name), section, spec: text.trim(), wanted: pythonPlace(address) };
  }
  const spec = (rest.split(";")[0] ?? "").trim().replace(/^\((.*)\)$/s, "$1");
  const wanted = readSpecifiers(spec);
  return wanted === undefined ? undefined : { name: pythonName(name), section, spec, wanted };
}

/** Where a direct reference points: a folder of the repository, or elsewhere. */
export function pythonPlace(address: string): Wanted {
  if (/^(\.{0,2}\/|\.{1,2}$|file:(?!\/\/[^/]))/i.test(address)) return { kind: "local", path: address.replace(/^file:(\/\/)?/i, "") };
  const host = /^[a-z+]+:\/\/(?:[^@/]*@)?([^/:?#]+)/i.exec(address)?.[1];
  return { kind: "elsewhere", from: host === undefined ? "a place that cannot be read" : `the host ${host}` };
}

/** Version specifiers of PEP 440, or Poetry's, as far as npm's notation can say them. Undefined for what is neither. */
export function readSpecifiers(spec: string): Extract<Wanted, { readonly kind: "registry" }> | undefined {
  if (spec === "" || spec === "*") return { kind: "registry", isOpen: true };
  const ranges: string[] = [];
  const lows: string[] = [];
  let exact: string | undefined;
  let isBounded = false;
  for (const part of spec
    .split(",")
    .map((piece) => piece.trim())
    .filter(Boolean)) {
    const match = /^(===|==|~=|!=|<=|>=|<|>|\^|~|=)?\s*v?(\d[\w.+!-]*(?:\.\*)?)$/.exec(part);
    if (match === null) return undefined;
    const [, operator = "==", version = ""] = match;
    const wildcard = version.endsWith(".*");
    if (!wildcard && /^={1,3}$/.test(operator)) exact = version;
    if (!/^(>=?|!=)$/.test(operator)) isBounded = true;
    if (!/^[<!]/.test(operator)) lows.push(version.replace(/\.\*$/, ""));
    const range = asRange(operator, version.replace(/\.\*$/, ""), wildcard);
    if (range !== undefined) ranges.push(range);
  }
  const range = semver.validRange(ranges.join(" "));
  const [lowest] = lows.toSorted((a, b) => semver.compare(padded(b) ?? "0.0.0", padded(a) ?? "0.0.0"));
  return {
    kind: "registry",
    ...(exact !== undefined && { version: exact }),
    ...(range !== null && ranges.length > 0 && { range }),
    ...(lowest !== undefined && { lowest }),
    ...(!isBounded && { isOpen: true }),
  };
}

function asRange(operator: string, version: string, wildcard: boolean): string | undefined {
  const full = padded(version);
  if (full === undefined) return undefined;
  const parts = version.split(".");
  if (wildcard) return operator === "!=" ? undefined : `${parts.slice(0, 3).join(".")}.x`.replace(/^(\d+\.\d+\.\d+)\.x$/, "~$1");
  if (operator === "~=")
    return parts.length > 2 ? `>=${full} <${parts[0]}.${Number(parts[1]) + 1}.0` : `>=${full} <${Number(parts[0]) + 1}.0.0`;
  if (operator === "^" || operator === "~") return `${operator}${full}`;
  if (operator === "!=") return undefined;
  return `${operator.replace(/^=+$/, "=")}${full}`;
}

function padded(version: string): string | undefined {
  return /^\d{1,9}(\.\d{1,9}){0,2}$/.test(version) ? [...version.split("."), "0", "0"].slice(0, 3).map(Number).join(".") : undefined;
}
