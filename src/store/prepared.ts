import { randomBytes } from "node:crypto";
import { readFile, rename, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, zstdDecompress } from "node:zlib";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { untar } from "./tar.ts";

/** Window of the compression, as a power of two: the archive repeats itself over tens of megabytes. */
export const PREPARED_WINDOW_LOG = 25;

/**
 * The archive of a new embedded database, migrated and with the lanes' queues, for one release of PGlite: its files fit that release only.
 * `scripts/prepare-database.ts` makes it.
 */
export async function preparedArchive(): Promise<URL> {
  const manifest = new URL("../package.json", import.meta.resolve("@electric-sql/pglite"));
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  return new URL(`./prepared/pglite-${version}.tar.zst`, import.meta.url);
}

export interface PreparedOptions {
  /** Must not exist, or hold nothing of worth. */
  readonly into: string;
  readonly log: Logger;
  /** Another archive than the running PGlite's: for tests. */
  readonly archive?: URL;
}

/**
 * Puts the prepared database into a new folder, whole or not at all: PGlite's own first start takes seconds. Where there is none for the
 * running PGlite, the folder is left to it. What is newer than the archive, the migrations add.
 */
export async function unpackPrepared({ into, log, archive }: PreparedOptions): Promise<void> {
  const aside = `${into}.${randomBytes(4).toString("hex")}`;
  try {
    const compressed = await readFile(archive ?? (await preparedArchive()));
    const params = { [constants.ZSTD_d_windowLogMax]: PREPARED_WINDOW_LOG };
    untar(await promisify(zstdDecompress)(compressed, { params }), aside);
    // What an interrupted first start left behind is in the way.
    await rm(into, { recursive: true, force: true });
    await rename(aside, into);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    log.warn({ error: messageOf(error) }, "the prepared database cannot be used; making a new one takes a few seconds");
  }
}
