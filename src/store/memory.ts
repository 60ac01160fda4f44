import type { Actor } from "../core/run.ts";
import type { Database, Executor } from "./sql.ts";

/** Facts that one repository may have, and that one run may note. */
const MOST_KEPT = 200;
const MOST_NOTED = 50;
/** Days after which a note that nobody kept is gone. */
export const NOTED_DAYS = 30;

type Person = Pick<Actor, "id" | "login">;

/** What one run noted about its repository, or, without a value, that it wants what is kept under the key to be forgotten. */
export interface StoredFact {
  readonly key: string;
  readonly value: string | undefined;
  /** `noted`: known to its own run alone, until a person keeps it. */
  readonly state: "noted" | "kept";
  /** Where it comes from: the run, the thread that it was asked for on, and who asked. */
  readonly run: string;
  readonly thread: string;
  readonly asker: Person;
  readonly notedAt: Date;
  readonly keptBy: Person | undefined;
}

/** A run's place in the memory of its repository. */
export interface FactPlace {
  readonly repositoryId: number;
  readonly run: string;
  readonly thread: string;
  readonly asker: Person;
}

interface FactRow {
  readonly key: string;
  readonly value: string | null;
  readonly state: StoredFact["state"];
  readonly run_id: string;
  readonly thread: string;
  readonly asker: Person;
  readonly noted_at: Date;
  readonly kept_by: Person | null;
}

const COLUMNS = "key, value, state, run_id, thread, asker, noted_at, kept_by";

/** Notes a fact, over what the same run noted under its key. Answers `full` when the run has noted as many as it may. */
export async function noteFact(
  database: Database,
  { repositoryId, run, thread, asker }: FactPlace,
  { key, value }: { readonly key: string; readonly value: string | undefined },
): Promise<"noted" | "full"> {
  return database.transaction(async (tx) => {
    await tx.query(
      "delete from sallyport.facts where repository_id = $1 and state = 'noted' and noted_at < now() - $2 * interval '1 day'",
      [repositoryId, NOTED_DAYS],
    );
    const rows = await tx.query(
      `insert into sallyport.facts (repository_id, key, value, state, run_id, thread, asker)
       select $1, $2::text, $3::text, 'noted', $4::text, $5::text, $6::json
       where (select count(*) from sallyport.facts where repository_id = $1 and run_id = $4 and state = 'noted' and key <> $2) < $7
       on conflict (repository_id, run_id, key) where state = 'noted' do update set value = excluded.value, noted_at = now() returning key`,
      [repositoryId, key, value ?? null, run, thread, JSON.stringify({ id: asker.id, login: asker.login }), MOST_NOTED],
    );
    return rows.length === 0 ? "full" : "noted";
  });
}

/** Takes a run's own note back; false when there was none. */
export async function dropNote(
  database: Executor,
  { repositoryId, run }: Pick<FactPlace, "repositoryId" | "run">,
  key: string,
): Promise<boolean> {
  const rows = await database.query(
    "delete from sallyport.facts where repository_id = $1 and run_id = $2 and key = $3 and state = 'noted' returning key",
    [repositoryId, run, key],
  );
  return rows.length > 0;
}

/** What is kept for all runs of a repository, and what one run noted, by key. */
export async function listFacts(database: Executor, repositoryId: number, run?: string): Promise<readonly StoredFact[]> {
  const rows = await database.query<FactRow>(
    `select ${COLUMNS} from sallyport.facts where repository_id = $1 and (state = 'kept' or run_id = $2) order by key, state`,
    [repositoryId, run ?? ""],
  );
  return rows.map(factOf);
}

export type Kept =
  | { readonly status: "kept" | "forgotten"; readonly fact: StoredFact }
  /** No run of the thread noted anything under this key. */
  | { readonly status: "unknown" }
  /** Runs of the thread noted different things under it: a person must say which is meant. */
  | { readonly status: "several"; readonly facts: readonly StoredFact[] }
  | { readonly status: "full"; readonly most: number };

export interface Keeping {
  readonly repositoryId: number;
  readonly thread: string;
  readonly key: string;
  readonly by: Person;
}

/**
 * A person lets later runs know what a run of this thread noted, or forget what it asked to forget. Only what that thread's runs noted: what
 * another thread put under the same key is not what the person has seen.
 */
export async function keepFact(database: Database, { repositoryId, thread, key, by }: Keeping): Promise<Kept> {
  return database.transaction(async (tx): Promise<Kept> => {
    const rows = await tx.query<FactRow>(
      `select ${COLUMNS} from sallyport.facts where repository_id = $1 and thread = $2 and key = $3 and state = 'noted'
       order by noted_at for update`,
      [repositoryId, thread, key],
    );
    const facts = rows.map(factOf);
    const last = facts.at(-1);
    if (last === undefined) return { status: "unknown" };
    if (facts.some(({ value }) => value !== last.value)) return { status: "several", facts };
    if (last.value !== undefined) {
      const [count] = await tx.query<{ facts: number }>(
        "select count(*)::integer as facts from sallyport.facts where repository_id = $1 and state = 'kept' and key <> $2",
        [repositoryId, key],
      );
      if ((count?.facts ?? 0) >= MOST_KEPT) return { status: "full", most: MOST_KEPT };
    }
    await tx.query("delete from sallyport.facts where repository_id = $1 and key = $2 and (state = 'kept' or thread = $3)", [
      repositoryId,
      key,
      thread,
    ]);
    if (last.value === undefined) return { status: "forgotten", fact: last };
    await tx.query(
      `insert into sallyport.facts (repository_id, key, value, state, run_id, thread, asker, noted_at, kept_by)
       values ($1, $2, $3, 'kept', $4, $5, $6::json, $7, $8::json)`,
      [
        repositoryId,
        key,
        last.value,
        last.run,
        thread,
        JSON.stringify(last.asker),
        last.notedAt,
        JSON.stringify({ id: by.id, login: by.login }),
      ],
    );
    return { status: "kept", fact: { ...last, state: "kept", keptBy: by } };
  });
}

/** A person makes later runs forget a fact, and drops what runs noted under its key; false when there was nothing. */
export async function forgetFact(database: Executor, { repositoryId, key }: Pick<Keeping, "repositoryId" | "key">): Promise<boolean> {
  const rows = await database.query("delete from sallyport.facts where repository_id = $1 and key = $2 returning key", [repositoryId, key]);
  return rows.length > 0;
}

function factOf(row: FactRow): StoredFact {
  return {
    key: row.key,
    value: row.value ?? undefined,
    state: row.state,
    run: row.run_id,
    thread: row.thread,
    asker: row.asker,
    notedAt: row.noted_at,
    keptBy: row.kept_by ?? undefined,
  };
}
