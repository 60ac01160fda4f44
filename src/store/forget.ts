import type { Executor } from "./sql.ts";

/** Whose data is to go: all of an installation, or of some of its repositories. */
export type Forgotten = { readonly installationId: number } | { readonly repositoryIds: readonly number[] };

/**
 * Deletes all that is kept of an installation, or of repositories, but for the rows of the audit log. Who is at work on one of their runs can
 * write no more. Done again it changes nothing. Answers the ids of the repositories that had something.
 */
export async function forget(tx: Executor, what: Forgotten): Promise<readonly number[]> {
  const [condition, values] =
    "installationId" in what
      ? ["installation_id = $1", [what.installationId]]
      : ["repository_id = any($1::bigint[])", [what.repositoryIds]];
  const rows = await tx.query<{ repository_id: string | number }>(
    `select distinct repository_id from sallyport.runs where ${condition}`,
    values,
  );
  const scheduled =
    "installationId" in what
      ? await tx.query<{ id: string }>(
          "select distinct split_part(key, '.', 1) as id from pgboss.schedule where data -> 'repository' ->> 'installationId' = $1",
          [String(what.installationId)],
        )
      : [];
  const named = "repositoryIds" in what ? what.repositoryIds : scheduled.map(({ id }) => Number(id));
  const ids = [...new Set([...rows.map(({ repository_id: id }) => Number(id)), ...named])];
  await tx.query(`delete from sallyport.fault_reports where run_id in (select id from sallyport.runs where ${condition})`, values);
  await tx.query(`delete from sallyport.deliveries where id in (select delivery_id from sallyport.runs where ${condition})`, values);
  await tx.query(`delete from sallyport.runs where ${condition}`, values);
  for (const table of ["facts", "muted_threads"])
    await tx.query(`delete from sallyport.${table} where repository_id = any($1::bigint[])`, [ids]);
  // Kept by blob, for all repositories that hold it: nobody can say whose they are, and they are made again when they are needed.
  await tx.query("delete from sallyport.graph_facts");
  await tx.query("delete from pgboss.schedule where split_part(key, '.', 1) = any($1::text[])", [ids.map(String)]);
  await tx.query("insert into sallyport.forgotten (repository_id) select unnest($1::bigint[])", [ids]);
  if ("installationId" in what) await tx.query("delete from sallyport.pauses where scope = $1", [String(what.installationId)]);
  return ids;
}

/** Repositories that were forgotten after that position, and have no run that is not over, for a machine to remove its copies. */
export async function forgottenSince(
  database: Executor,
  position: number,
): Promise<{ readonly ids: readonly number[]; readonly position: number }> {
  const rows = await database.query<{ position: string | number; repository_id: string | number; is_back: boolean }>(
    `select position, repository_id, exists (
       select 1 from sallyport.runs r where r.repository_id = f.repository_id and r.state in ('queued', 'working')
     ) as is_back from sallyport.forgotten f where position > $1 order by position`,
    [position],
  );
  const gone = rows.filter(({ is_back: isBack }) => !isBack).map(({ repository_id: id }) => Number(id));
  return { ids: [...new Set(gone)], position: Number(rows.at(-1)?.position ?? position) };
}

/** A repository as people name it: `owner/name`, or its id. */
export type PurgeTarget = number | `${string}/${string}`;

/** Reads `owner/name`, or digits; undefined for anything else. */
export function readTarget(text: string): PurgeTarget | undefined {
  const id = Number(text);
  if (/^\d{1,15}$/.test(text) && id > 0) return id;
  return /^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(text) ? (text as PurgeTarget) : undefined;
}

/** The ids of repositories that something is kept of and that are called so now, as far as their last run or their schedules say. */
export async function repositoriesOf(database: Executor, target: PurgeTarget): Promise<readonly number[]> {
  if (typeof target === "number") return [target];
  const [owner = "", name = ""] = target.toLowerCase().split("/");
  const rows = await database.query<{ id: string | number }>(
    `select repository_id as id from sallyport.runs
     where position in (select max(position) from sallyport.runs group by repository_id)
       and strpos(lower(request::text), $1) > 0 and strpos(lower(request::text), $2) > 0
     union
     select split_part(key, '.', 1)::bigint from pgboss.schedule
     where lower(data -> 'repository' ->> 'owner') = $3 and lower(data -> 'repository' ->> 'name') = $4 and key ~ '^[0-9]+[.]'`,
    [`"owner":${JSON.stringify(owner)}`, `"name":${JSON.stringify(name)}`, owner, name],
  );
  return rows.map(({ id }) => Number(id));
}
