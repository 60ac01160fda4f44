import type { Advisory } from "../../core/advisory.ts";
import { SallyportError } from "../../core/errors.ts";

/** An advisory as it is stored: without its text, and with the registry of each package. */
export interface StoredAdvisory extends Pick<Advisory, "id" | "severity" | "isMalware"> {
  readonly affects: readonly (Advisory["affects"][number] & {
    /** As GitHub's API spells it: `npm`, `pip`, `rust` … */
    readonly ecosystem: string;
  })[];
}

/** All that is known up to a moment. */
export interface AdvisoryDatabase {
  /** ISO time up to which nothing is missing. */
  readonly asOf: string;
  /** By id. */
  readonly advisories: ReadonlyMap<string, StoredAdvisory>;
}

/** The stored file is none, is of another version, or is damaged. */
export class StoredAdvisoriesError extends SallyportError {
  constructor(why: string, cause?: unknown) {
    super(`The stored advisories ${why}.`, {
      code: "bad-stored-advisories",
      hint: "Make them anew with sallyport advisories import.",
      cause,
    });
  }
}

const FORMAT = "sallyport-advisories";
const VERSION = 1;
const SEVERITIES: readonly Advisory["severity"][] = ["unknown", "low", "medium", "high", "critical"];
/** Rows that are read before others get their turn. */
const AT_ONCE = 2_000;

interface Head {
  readonly format: string;
  readonly version: number;
  readonly asOf: string;
  readonly count: number;
}

/** The database as lines of JSON: a head, then one row for each advisory, sorted by id. */
export function encodeDatabase({ asOf, advisories }: AdvisoryDatabase): string {
  const head: Head = { format: FORMAT, version: VERSION, asOf, count: advisories.size };
  const rows = [...advisories.values()]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, severity, isMalware, affects }) =>
      JSON.stringify([
        id,
        SEVERITIES.indexOf(severity),
        isMalware ? 1 : 0,
        affects.map(({ ecosystem, name, range, patched }) => [ecosystem, name, range, ...(patched === undefined ? [] : [patched])]),
      ]),
    );
  return `${[JSON.stringify(head), ...rows].join("\n")}\n`;
}

/** Reads what `encodeDatabase` wrote, giving way to others in between. @throws {StoredAdvisoriesError} for anything else: a part is no whole. */
export async function decodeDatabase(text: string): Promise<AdvisoryDatabase> {
  const end = text.indexOf("\n");
  const head = readHead(text.slice(0, Math.max(end, 0)));
  const advisories = new Map<string, StoredAdvisory>();
  let rows = 0;
  for (let at = end + 1; at < text.length; rows++) {
    const next = text.indexOf("\n", at);
    if (next < 0) throw new StoredAdvisoriesError("end in the middle of a row");
    const advisory = readRow(text.slice(at, next));
    advisories.set(advisory.id, advisory);
    at = next + 1;
    if (rows % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (advisories.size !== head.count) throw new StoredAdvisoriesError(`hold ${advisories.size} advisories where ${head.count} are named`);
  return { asOf: head.asOf, advisories };
}

function readHead(line: string): Head {
  const { format, version, asOf, count } = (parse(line) ?? {}) as { readonly [key in keyof Head]?: unknown };
  if (format !== FORMAT) throw new StoredAdvisoriesError("are of a format that is not known");
  if (version !== VERSION) throw new StoredAdvisoriesError(`are of version ${String(version)}, where ${VERSION} is read`);
  if (typeof asOf !== "string" || Number.isNaN(Date.parse(asOf)) || typeof count !== "number")
    throw new StoredAdvisoriesError("do not say of when they are");
  return { format, version, asOf, count };
}

function readRow(line: string): StoredAdvisory {
  const row = parse(line);
  if (Array.isArray(row)) {
    const [id, severity, isMalware, affects] = row as readonly unknown[];
    const level = SEVERITIES[Number(severity)];
    if (typeof id === "string" && level !== undefined && Array.isArray(affects) && affects.every(isAffected)) {
      return {
        id,
        severity: level,
        isMalware: isMalware === 1,
        affects: affects.map(([ecosystem, name, range, patched]) => ({
          ecosystem,
          name,
          range,
          ...(patched !== undefined && { patched }),
        })),
      };
    }
  }
  throw new StoredAdvisoriesError("hold a row that cannot be read");
}

function isAffected(value: unknown): value is readonly [string, string, string, string?] {
  return Array.isArray(value) && value.length >= 3 && value.length <= 4 && value.every((part) => typeof part === "string");
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
