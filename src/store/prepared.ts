import type { Logger } from "../core/log.ts";

/** Starts a new embedded database from the prepared data directory. */
export async function unpackPrepared(_options: { readonly into: string; readonly log: Logger }): Promise<void> {}
