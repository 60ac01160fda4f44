import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";

/** Whether a regular file stands there, with no link on the way to it. */
export async function isPlainFile(directory: string, path: string): Promise<boolean> {
  try {
    const real = await realpath(directory);
    return (await realpath(join(real, path))) === join(real, path) && (await lstat(join(real, path))).isFile();
  } catch {
    return false;
  }
}
