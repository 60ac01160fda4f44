import type { RepositoryRef, RunRequest } from "../core/run.ts";
import type { Executor } from "./sql.ts";

/**
 * Runs of a repository that are not over follow it to its new name, owner and installation. Done again it changes nothing. Answers the ids of
 * those that have moved.
 */
export async function moveRuns(database: Executor, repository: RepositoryRef): Promise<readonly string[]> {
  const rows = await database.query<{ id: string; request: RunRequest }>(
    "select id, request from sallyport.runs where repository_id = $1 and state in ('queued', 'working', 'waiting')",
    [repository.id],
  );
  const { owner, name, installationId } = repository;
  const moved = rows.filter(
    ({ request: { repository: old } }) => old.owner !== owner || old.name !== name || old.installationId !== installationId,
  );
  for (const { id, request } of moved) {
    const followed: RunRequest = { ...request, repository: { ...request.repository, owner, name, installationId } };
    // What has changed in between has read the new name already.
    await database.query(
      `update sallyport.runs set request = $2::json, installation_id = $3
       where id = $1 and request -> 'repository' ->> 'name' = $4 and request -> 'repository' ->> 'owner' = $5`,
      [id, JSON.stringify(followed), installationId, request.repository.name, request.repository.owner],
    );
  }
  return moved.map(({ id }) => id);
}
