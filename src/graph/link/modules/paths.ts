/** The folder of a path, without a slash at its end; empty for the top. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

/** `specifier` from `folder`, `.` and `..` resolved; undefined when it leaves the repository. */
export function joined(folder: string, specifier: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of specifier.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** A folder and all above it, nearest first. */
export function upwards(folder: string): string[] {
  const found = [folder];
  for (let at = folder; at !== "";) {
    at = folderOf(at);
    found.push(at);
  }
  return found;
}
