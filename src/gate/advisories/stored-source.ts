import type { Advisory, AdvisoryAnswer, AdvisorySource } from "../../core/advisory.ts";
import { messageOf } from "../../core/errors.ts";
import { affects, foldPackage } from "../dependencies/affected.ts";
import type { AdvisoryDatabase, StoredAdvisory } from "./stored.ts";

export interface StoredSourceOptions {
  /** The database as it is now; undefined where there is none. May throw. */
  readonly load: () => Promise<AdvisoryDatabase | undefined>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const DAY_MS = 24 * 60 * 60_000;
/** Days after which a stored database is too old for its silence to count. */
const OLDEST_DAYS = 7;
/** Advisories that are indexed before others get their turn. */
const AT_ONCE = 2_000;

/**
 * Answers from a stored database. What it has, it says; what it lacks counts for nothing when the database is older than a week, claims to be
 * from the future, or has nothing at all of a registry.
 */
export function storedSource({ load, now = Date.now }: StoredSourceOptions): AdvisorySource {
  let last: { readonly database: AdvisoryDatabase; readonly index: Promise<Index> } | undefined;
  return {
    async affecting(ecosystem, packages): Promise<AdvisoryAnswer> {
      let database: AdvisoryDatabase | undefined;
      try {
        database = await load();
      } catch (error) {
        return { status: "unavailable", why: messageOf(error) };
      }
      if (database === undefined) return { status: "unavailable", why: "no advisories are stored" };
      if (last?.database !== database) last = { database, index: indexOf(database) };
      const byName = (await last.index).get(ecosystem);
      const via = `the stored advisories of ${database.asOf.slice(0, 10)}`;
      if (byName === undefined) return { status: "unavailable", why: `${via} have none of ${ecosystem}` };
      const found = new Map<string, Advisory>();
      for (const { name, version } of packages) {
        for (const stored of byName.get(foldPackage(name)) ?? []) {
          const advisory = within(stored, ecosystem);
          if (affects(advisory, { name, version: version === "" ? undefined : version, ecosystem })) found.set(advisory.id, advisory);
        }
      }
      const doubt = doubtOf(database, now());
      return { status: "known", advisories: [...found.values()], via, ...(doubt !== undefined && { doubt }) };
    },
  };
}

/** Asks one source, and another when that does not answer. */
export function withFallback(first: AdvisorySource, second: AdvisorySource): AdvisorySource {
  return {
    async affecting(ecosystem, packages) {
      const answer = await first.affecting(ecosystem, packages);
      if (answer.status === "known") return answer;
      const other = await second.affecting(ecosystem, packages);
      const why = `the source of advisories did not answer (${answer.why})`;
      return other.status === "known"
        ? { ...other, via: `${other.via ?? "another source"}, since ${why}` }
        : { status: "unavailable", why: `${answer.why}; ${other.why}` };
    },
  };
}

function doubtOf({ asOf }: AdvisoryDatabase, now: number): string | undefined {
  const days = (now - Date.parse(asOf)) / DAY_MS;
  if (days > OLDEST_DAYS) return `the stored advisories are ${Math.floor(days)} days old (limit ${OLDEST_DAYS})`;
  return days < -1 ? "the stored advisories bear a date that is yet to come" : undefined;
}

/** What an advisory says of one registry. */
function within({ id, severity, isMalware, affects: entries }: StoredAdvisory, ecosystem: string): Advisory {
  return { id, summary: "", severity, isMalware, affects: entries.filter((entry) => entry.ecosystem === ecosystem) };
}

/** Advisories by registry and folded name. */
type Index = ReadonlyMap<string, ReadonlyMap<string, readonly StoredAdvisory[]>>;

/** Gives way to others in between: there are hundreds of thousands. */
async function indexOf({ advisories }: AdvisoryDatabase): Promise<Index> {
  const index = new Map<string, Map<string, StoredAdvisory[]>>();
  let count = 0;
  for (const advisory of advisories.values()) {
    for (const key of new Set(advisory.affects.map(({ ecosystem, name }) => `${ecosystem} ${foldPackage(name)}`))) {
      const at = key.indexOf(" ");
      const [ecosystem, name] = [key.slice(0, at), key.slice(at + 1)];
      const byName = index.get(ecosystem) ?? new Map<string, StoredAdvisory[]>();
      index.set(ecosystem, byName);
      const list = byName.get(name);
      if (list === undefined) byName.set(name, [advisory]);
      else list.push(advisory);
    }
    if (++count % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return index;
}
