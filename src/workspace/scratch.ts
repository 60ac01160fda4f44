import { mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

export const SCRATCH = "scratch-";

/** A folder beside a store for one question; what a killed process leaves there is removed when the stores are tended. */
export interface Scratch extends AsyncDisposable {
  readonly folder: string;
}

export async function openScratch(gitDir: string): Promise<Scratch> {
  const folder = await mkdtemp(join(dirname(gitDir), SCRATCH));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
