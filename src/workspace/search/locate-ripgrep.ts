import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { findProgram } from "../find-program.ts";

/**
 * Path of a ripgrep binary: the one of the package, which is the tested one, or one on `searchPath` (the environment's `PATH`, as the
 * composition root read it). Undefined where there is none.
 */
export async function locateRipgrep(searchPath: string): Promise<string | undefined> {
  return (await packaged()) ?? findProgram("rg", searchPath);
}

async function packaged(): Promise<string | undefined> {
  try {
    // The package throws while it is loaded where it has no binary for the platform.
    const { rgPath } = await import("@vscode/ripgrep");
    await access(rgPath, constants.X_OK);
    return rgPath;
  } catch {
    return undefined;
  }
}
