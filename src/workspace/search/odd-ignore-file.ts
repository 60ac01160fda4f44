import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** How many folders are read at a time. */
const AT_ONCE = 16;

/**
 * The path of a `.gitignore` below a folder that is no regular file, if there is one. ripgrep opens whatever has that name: through a link, what
 * is found or not would tell line by line what a file of the host holds, and a pipe would never answer. (git has refused such links since 2.32.)
 */
export async function oddIgnoreFile(directory: string, signal: AbortSignal): Promise<string | undefined> {
  let folders = [""];
  while (folders.length > 0) {
    signal.throwIfAborted();
    const read = await Promise.all(folders.slice(0, AT_ONCE).map((folder) => readFolder(directory, folder)));
    const odd = read.find((found) => found.odd !== undefined)?.odd;
    if (odd !== undefined) return odd;
    folders = [...folders.slice(AT_ONCE), ...read.flatMap((found) => found.folders)];
  }
  return undefined;
}

async function readFolder(directory: string, folder: string): Promise<{ readonly odd?: string; readonly folders: readonly string[] }> {
  // What cannot be read here cannot be read by ripgrep either.
  const entries = await readdir(join(directory, folder), { withFileTypes: true }).catch(() => []);
  const below = (name: string) => (folder === "" ? name : `${folder}/${name}`);
  const odd = entries.find((entry) => entry.name === ".gitignore" && !entry.isFile() && !entry.isDirectory());
  return {
    folders: entries.filter((entry) => entry.isDirectory() && entry.name !== ".git").map(({ name }) => below(name)),
    ...(odd === undefined ? {} : { odd: below(odd.name) }),
  };
}
