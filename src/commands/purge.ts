import { resolve } from "node:path";
import { SallyportError } from "../core/errors.ts";
import { silent } from "../core/log.ts";
import { openDatabase } from "../store/database.ts";
import { readTarget, repositoriesOf } from "../store/forget.ts";
import { purgeRepositories } from "../store/purge.ts";
import { openGit } from "../workspace/git.ts";
import { openStores } from "../workspace/store.ts";
import { askServer } from "./ask-server.ts";
import type { PauseWorld } from "./pause.ts";

export interface PurgeOptions {
  /** `owner/name`, or a repository's id, as it was written. */
  readonly repository: string | undefined;
  /** Nobody is asked. */
  readonly yes: boolean;
}

export interface PurgeWorld extends PauseWorld {
  /** Asks whoever sits at the terminal; absent where nobody does. */
  readonly ask?: (question: string) => Promise<boolean>;
}

const DATA_DIR = "./.sallyport";

/**
 * `sallyport purge <owner/repo>`: deletes all that is kept of a repository but for the rows of the audit log. Copies on other machines go as
 * soon as their servers look, within a minute. Answers the exit status. @throws {SallyportError} when nobody says yes, or nobody can do it.
 */
export async function purge({ repository = "", yes }: PurgeOptions, { variables, cwd, write, ask }: PurgeWorld): Promise<number> {
  const target = readTarget(repository);
  if (target === undefined) {
    const hint = "Give owner/name, or the repository's id where nothing but facts is left of it.";
    throw new SallyportError(`${JSON.stringify(repository)} names no repository.`, { code: "misused", hint });
  }
  if (!yes && ask === undefined) {
    throw new SallyportError("Nobody can be asked here.", { code: "misused", hint: "Say --yes to delete without being asked." });
  }
  const question = `Delete all runs, transcripts, facts and copies of ${repository}? The audit log stays.`;
  if (!yes && (await ask?.(question)) !== true) {
    write("Nothing was deleted.\n");
    return 1;
  }
  const directory = resolve(cwd, variables["SALLYPORT_DATA_DIR"]?.trim() || DATA_DIR);
  const url = variables["DATABASE_URL"]?.trim() || undefined;
  try {
    const database = await openDatabase({ ...(url === undefined ? {} : { url }), directory, log: silent });
    try {
      const ids = await repositoriesOf(database, target);
      if (ids.length === 0) {
        write(`Nothing is kept of ${repository}.\n`);
        return 0;
      }
      const gone = await purgeRepositories(database, ids);
      const path = variables["PATH"] ?? "";
      const stores = openStores({ git: openGit({ path }), folder: resolve(directory, "stores"), path });
      for (const id of gone) await stores.remove(id);
      write(`What was kept of ${repository} is deleted.\n`);
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof SallyportError) || error.code !== "data-folder-in-use") throw error;
    await askServer(directory, { purge: target });
    write(`What was kept of ${repository} is deleted; the running server was told.\n`);
  }
  return 0;
}
