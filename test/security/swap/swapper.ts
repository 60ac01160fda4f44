import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs as a process of its own until it is killed: puts files, symbolic links, hard links and whole folders in each other's place, in the
 * workspace that a test takes change sets of. Arguments: the workspace, a folder outside it in which `secret` stands, and how many names.
 */
const [workspace = "", outside = "", count = "8"] = process.argv.slice(2);
const secret = join(outside, "secret");
const aside = join(workspace, ".aside");
const names = Array.from({ length: Number(count) }, (_, index) => join(workspace, "race", `${index}.txt`));

mkdirSync(join(workspace, "race"), { recursive: true });
mkdirSync(join(workspace, "real"), { recursive: true });
writeFileSync(join(workspace, "real", "secret"), "harmless\n");

/** Puts something in a name's place in one step, as an attacker would: there is never nothing. */
function replace(name: string, make: (at: string) => void): void {
  try {
    rmSync(aside, { recursive: true, force: true });
    make(aside);
    renameSync(aside, name);
  } catch {
    // A folder stands there for the moment: the next round is another chance.
  }
}

for (let round = 0; ; round++) {
  for (const [index, name] of names.entries()) {
    const kind = (round + index) % 5;
    if (kind === 0) replace(name, (at) => symlinkSync(secret, at));
    else if (kind === 2) replace(name, (at) => linkSync(secret, at));
    else replace(name, (at) => writeFileSync(at, `round ${round}\n`.repeat(1 + (round % 500))));
  }
  // The folder itself is swapped for a link to the one outside, where a file of the same name stands.
  const folder = join(workspace, "folder");
  rmSync(folder, { recursive: true, force: true });
  if (round % 2 === 0) symlinkSync(outside, folder);
  else {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "secret"), `inside ${round}\n`);
  }
}
