import { resolve } from "node:path";
import { readGitHub } from "../config/environment.ts";
import { SallyportError } from "../core/errors.ts";
import { silent } from "../core/log.ts";
import { loadStored, storeAdvisories, storedAdvisoriesFile } from "../gate/advisories/stored-file.ts";
import type { AdvisoryDatabase, StoredAdvisory } from "../gate/advisories/stored.ts";
import { createLedger } from "../gate/mint.ts";
import type { ListedAdvisory } from "../github/advisories.ts";
import { advisoriesChangedSince } from "../github/advisory-changes.ts";
import { createTokenSession } from "../github/client.ts";
import { readOsvFiles } from "./advisories/read-osv-files.ts";

export interface AdvisoriesWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The folder that the command works in, absolute. */
  readonly cwd: string;
  readonly write: (text: string) => void;
  readonly now?: () => number;
}

/** A change is looked for this much before the stored time: GitHub takes days, and its clock is not ours. Milliseconds. */
const OVERLAP_MS = 24 * 60 * 60_000;
const DATA_DIR = "./.sallyport";

/**
 * `sallyport advisories import <path>`, `update` and `status`: the advisories that are looked at when GitHub does not answer, or must not be
 * asked. Answers the exit status. @throws {SallyportError} for what cannot be read whole: nothing is stored then.
 */
export async function advisories([verb, path, ...more]: readonly string[], world: AdvisoriesWorld): Promise<number> {
  const { variables, cwd, write, now = Date.now } = world;
  const file = storedAdvisoriesFile(resolve(cwd, variables["SALLYPORT_DATA_DIR"]?.trim() || DATA_DIR));
  if (verb === "import" && path !== undefined && more.length === 0) {
    const { database, leftOut } = await readOsvFiles(resolve(cwd, path), now());
    await storeAdvisories(file, database);
    write(`${told(file, database)}\nLeft out as withdrawn or not reviewed: ${leftOut}.\n`);
    return 0;
  }
  if (verb === "update" && path === undefined) {
    const database = await update(await loadStored(file)(), world);
    await storeAdvisories(file, database);
    write(`${told(file, database)}\n`);
    return 0;
  }
  if (verb === "status" && path === undefined) {
    const database = await loadStored(file)();
    write(database === undefined ? `No advisories are stored at ${file}.\n` : `${told(file, database)}\n`);
    return database === undefined ? 1 : 0;
  }
  throw new SallyportError("It needs to know what to do: import <folder, .tar.gz or .jsonl>, update, or status.", { code: "misused" });
}

/** What is stored with all that GitHub changed since; everything that GitHub has where nothing is stored. */
async function update(
  stored: AdvisoryDatabase | undefined,
  { variables, write, now = Date.now }: AdvisoriesWorld,
): Promise<AdvisoryDatabase> {
  const token = (variables["GITHUB_TOKEN"] ?? variables["GH_TOKEN"] ?? "").trim();
  if (token === "") {
    throw new SallyportError("GITHUB_TOKEN is missing: GitHub lists its advisories to nobody in such numbers.", {
      code: "bad-environment",
      hint: "Any token will do, without any permission; or import a download of github.com/github/advisory-database.",
    });
  }
  const session = createTokenSession({ baseUrl: readGitHub(variables).apiUrl, ledger: createLedger(), log: silent, token, botLogin: "" });
  const asOf = new Date(now()).toISOString();
  const since = stored === undefined ? undefined : new Date(Date.parse(stored.asOf) - OVERLAP_MS).toISOString();
  const all = new Map(stored?.advisories);
  let changed = 0;
  for await (const page of advisoriesChangedSince(session, since)) {
    for (const one of page) {
      const kept = keep(one);
      if (kept === undefined) all.delete(one.id);
      else all.set(one.id, kept);
    }
    changed += page.length;
  }
  if (all.size === 0) throw new SallyportError("GitHub listed no advisories at all.", { code: "bad-advisories", hint: "Try again later." });
  write(`GitHub listed ${changed} advisories${since === undefined ? "" : ` changed since ${since.slice(0, 10)}`}.\n`);
  return { asOf, advisories: all };
}

function keep({ id, severity, isMalware, isWithdrawn, affects }: ListedAdvisory): StoredAdvisory | undefined {
  const known = affects.flatMap(({ ecosystem, ...entry }) => (ecosystem === undefined ? [] : [{ ecosystem, ...entry }]));
  return isWithdrawn || known.length === 0 ? undefined : { id, severity, isMalware, affects: known };
}

function told(file: string, { asOf, advisories: all }: AdvisoryDatabase): string {
  const counts = new Map<string, number>();
  for (const { affects } of all.values())
    for (const ecosystem of new Set(affects.map((entry) => entry.ecosystem))) counts.set(ecosystem, (counts.get(ecosystem) ?? 0) + 1);
  const malware = [...all.values()].filter(({ isMalware }) => isMalware).length;
  const listed = [...counts].toSorted(([, a], [, b]) => b - a).map(([ecosystem, count]) => `${ecosystem} ${count}`);
  return `${all.size} advisories (${malware} of malware) up to ${asOf} are stored at ${file}.\nBy registry: ${listed.join(", ")}.`;
}
