import { resolve } from "node:path";
import { SallyportError } from "../core/errors.ts";
import { silent } from "../core/log.ts";
import { openDatabase } from "../store/database.ts";
import { setPaused, type PauseScope } from "../store/pauses.ts";
import { askServer } from "./ask-server.ts";

export interface PauseOptions {
  readonly paused: boolean;
  /** The id of one installation, as it was written; all when left out. */
  readonly installation: string | undefined;
}

export interface PauseWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The folder that the server works in, absolute. */
  readonly cwd: string;
  readonly write: (text: string) => void;
}

const DATA_DIR = "./.sallyport";

/**
 * `sallyport pause` and `resume`: stops all runs, or those of one installation, until they are released. The flag stands in the database; where
 * a running server holds the embedded one, it is asked to set it. Answers the exit status. @throws {SallyportError} when nobody does.
 */
export async function pause({ paused, installation }: PauseOptions, { variables, cwd, write }: PauseWorld): Promise<number> {
  const scope = scopeOf(installation);
  const directory = resolve(cwd, variables["SALLYPORT_DATA_DIR"]?.trim() || DATA_DIR);
  const url = variables["DATABASE_URL"]?.trim() || undefined;
  const what = scope === "all" ? "All runs" : `The runs of installation ${scope}`;
  try {
    const database = await openDatabase({ ...(url === undefined ? {} : { url }), directory, log: silent });
    try {
      const isNew = await setPaused(database, scope, paused);
      write(`${what} ${isNew ? "are" : "were already"} ${paused ? "paused" : "released"}.\n`);
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof SallyportError) || error.code !== "data-folder-in-use") throw error;
    await askServer(directory, { scope, paused });
    write(`${what} are ${paused ? "paused" : "released"}; the running server was told.\n`);
  }
  return 0;
}

function scopeOf(installation: string | undefined): PauseScope {
  if (installation === undefined) return "all";
  const id = Number(installation);
  if (/^\d+$/.test(installation) && Number.isSafeInteger(id) && id > 0) return id;
  throw new SallyportError(`${JSON.stringify(installation)} is no installation's id: expected a number.`, {
    code: "misused",
    hint: "It is the last part of the installation's address on GitHub.",
  });
}
