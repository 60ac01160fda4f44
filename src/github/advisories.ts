import type { Advisory, AdvisoryAnswer, AdvisorySource, PackageVersion } from "../core/advisory.ts";
import { messageOf } from "../core/errors.ts";
import { reading } from "./answer.ts";
import type { GitHubSession } from "./client.ts";

/** GitHub takes a thousand; a URL of eight thousand bytes is reached before. */
const MOST_IN_ONE = 1_000;
/** Bytes of the list of packages in one URL, in percent form. */
const LONGEST_LIST = 6_000;
/** Pages of one list; a hundred advisories each. */
const MOST_PAGES = 20;
/** Requests under way at once. */
const AT_ONCE = 4;
/** Milliseconds for all of one question. */
const TIME_LIMIT_MS = 8_000;
/** Milliseconds for which an answer is good, and for which a failure is not tried again. */
const GOOD_FOR_MS = 10 * 60_000;
const FAILED_FOR_MS = 20_000;
/** Versions that are remembered; the oldest are forgotten first. */
const MOST_REMEMBERED = 50_000;
/** Longest text that is kept of an advisory, in characters. */
const LONGEST_SUMMARY = 200;

/** What the global advisories say, asked with a run's own session and remembered for all runs of the process. */
export type AdvisorySources = (session: Pick<GitHubSession, "octokit">) => AdvisorySource;

export interface AdvisoryOptions {
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
  readonly timeLimitMs?: number;
}

interface Remembered {
  readonly until: number;
  readonly answer: Promise<readonly Advisory[]>;
}

/**
 * Looks versions up in GitHub's advisories, reviewed ones and malware, in batches. What cannot be read whole counts as unavailable.
 * Source: https://docs.github.com/rest/security-advisories/global-advisories
 */
export function createAdvisorySources({
  now = () => performance.now(),
  timeLimitMs = TIME_LIMIT_MS,
}: AdvisoryOptions = {}): AdvisorySources {
  const remembered = new Map<string, Remembered>();
  const remember = (key: string, answer: Promise<readonly Advisory[]>): void => {
    remembered.delete(key);
    remembered.set(key, { until: now() + GOOD_FOR_MS, answer });
    answer.catch(() => remembered.set(key, { until: now() + FAILED_FOR_MS, answer }));
    for (const old of remembered.keys()) {
      if (remembered.size <= MOST_REMEMBERED) return;
      remembered.delete(old);
    }
  };
  return ({ octokit }) => ({
    async affecting(ecosystem, packages): Promise<AdvisoryAnswer> {
      const wanted = new Map(packages.map((one) => [`${ecosystem} ${one.name}@${one.version}`, one]));
      const signal = AbortSignal.timeout(timeLimitMs);
      const open = [...wanted].filter(([key]) => (remembered.get(key)?.until ?? -1) <= now());
      const turns = createTurns(AT_ONCE);
      for (const batch of batchesOf(open)) {
        const asked = turns(() =>
          ask(
            octokit,
            ecosystem,
            batch.map(([, one]) => one),
            signal,
          ),
        );
        for (const [key] of batch) remember(key, asked);
      }
      try {
        const asked = new Set([...wanted.keys()].flatMap((key) => remembered.get(key)?.answer ?? []));
        // Whatever does not heed the signal, such as an exchange of tokens, is not waited for either.
        const answers = await Promise.race([Promise.all(asked), aborted(signal)]);
        return { status: "known", advisories: [...new Map(answers.flat().map((one) => [one.id, one])).values()] };
      } catch (error) {
        return { status: "unavailable", why: signal.aborted ? `no answer within ${timeLimitMs / 1000} s` : messageOf(error) };
      }
    },
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

/** Runs at most so many at once, the others in turn. */
function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go));
    running++;
    try {
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
}

type Wanted = readonly [key: string, one: PackageVersion];

function* batchesOf(wanted: readonly Wanted[]): Iterable<readonly Wanted[]> {
  let batch: Wanted[] = [];
  let length = 0;
  for (const one of wanted) {
    const size = encodeURIComponent(specOf(one[1])).length + 3;
    if (batch.length > 0 && (batch.length >= MOST_IN_ONE || length + size > LONGEST_LIST)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(one);
    length += size;
  }
  if (batch.length > 0) yield batch;
}

/** A comma would end one package and begin another; no name or version holds one. */
function specOf({ name, version }: PackageVersion): string {
  const spec = version === "" ? name : `${name}@${version}`;
  return spec.replaceAll(/[,\s]/g, "");
}

async function ask(
  octokit: GitHubSession["octokit"],
  ecosystem: string,
  packages: readonly PackageVersion[],
  signal: AbortSignal,
): Promise<readonly Advisory[]> {
  const affects = packages.map(specOf).join(",");
  const lists = await Promise.all(
    ["reviewed", "malware"].map((type) => allOf(octokit, { ecosystem, affects, type, per_page: 100, request: { signal } })),
  );
  // One advisory can be about packages of one name in several registries.
  return lists.flat().map(({ id, summary, severity, isMalware, affects: entries }) => ({
    id,
    summary,
    severity,
    isMalware,
    affects: entries
      .filter((entry) => (entry.ecosystem ?? ecosystem) === ecosystem)
      .map(({ name, range, patched }) => ({ name, range, ...(patched !== undefined && { patched }) })),
  }));
}

/** An advisory as GitHub lists it, with the registry of each package. */
export interface ListedAdvisory extends Omit<Advisory, "affects"> {
  readonly affects: readonly (Advisory["affects"][number] & { readonly ecosystem?: string })[];
  readonly isWithdrawn: boolean;
}

/** All pages of one list. @throws when there are more than `MOST_PAGES`: what was read in part must not pass for the whole. */
async function allOf(octokit: GitHubSession["octokit"], parameters: Record<string, unknown>): Promise<readonly ListedAdvisory[]> {
  const advisories: ListedAdvisory[] = [];
  let pages = 0;
  await reading("look up security advisories", async () => {
    for await (const { data } of octokit.paginate.iterator<unknown>("GET /advisories", parameters)) {
      if (++pages > MOST_PAGES) throw new TypeError(`the list of advisories has more than ${MOST_PAGES} pages`);
      advisories.push(...data.map(readAdvisory).filter(({ isWithdrawn }) => !isWithdrawn));
    }
  });
  return advisories;
}

const SEVERITIES: readonly Advisory["severity"][] = ["low", "medium", "high", "critical"];

/** @throws {TypeError} for something that is no advisory: an answer that cannot be read is none. */
export function readAdvisory(value: unknown): ListedAdvisory {
  const {
    ghsa_id: id,
    summary,
    severity,
    type,
    vulnerabilities,
    withdrawn_at: withdrawn,
  } = (value ?? {}) as { readonly [key: string]: unknown };
  if (typeof id !== "string" || !/^GHSA-[\w-]{1,40}$/.test(id) || !Array.isArray(vulnerabilities))
    throw new TypeError("GitHub answered something that is no advisory");
  return {
    id,
    summary: typeof summary === "string" ? summary.slice(0, LONGEST_SUMMARY) : "",
    severity: SEVERITIES.find((one) => one === severity) ?? "unknown",
    isMalware: type === "malware",
    isWithdrawn: typeof withdrawn === "string",
    affects: vulnerabilities.flatMap((entry: unknown) => readAffected(entry)),
  };
}

function readAffected(entry: unknown): ListedAdvisory["affects"] {
  const {
    package: of,
    vulnerable_version_range: range,
    first_patched_version: patched,
  } = (entry ?? {}) as { readonly [key: string]: unknown };
  const { name, ecosystem } = (of ?? {}) as { readonly name?: unknown; readonly ecosystem?: unknown };
  if (typeof name !== "string") return [];
  return [
    {
      name,
      ...(typeof ecosystem === "string" && { ecosystem: ecosystem.toLowerCase() }),
      range: typeof range === "string" ? range : "",
      ...(typeof patched === "string" && /^[\w.+-]{1,60}$/.test(patched) && { patched }),
    },
  ];
}
