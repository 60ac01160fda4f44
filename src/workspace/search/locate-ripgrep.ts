import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * Path of a ripgrep binary: the one of the package, which is the tested one, or one on `searchPath` (the environment's `PATH`, as the
 * composition root read it). Undefined where there is none.
 */
export async function locateRipgrep(searchPath: string): Promise<string | undefined> {
  return (await packaged()) ?? (await onPath(searchPath));
}

async function packaged(): Promise<string | undefined> {
  try {
    // The package throws while it is loaded where it has no binary for the platform.
    const { rgPath } = await import("@vscode/ripgrep");
    return (await isExecutable(rgPath)) ? rgPath : undefined;
  } catch {
    return undefined;
  }
}

async function onPath(searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const candidate = join(folder, "rg");
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
