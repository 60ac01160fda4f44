import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SallyportError } from "../../core/errors.ts";
import { isObjectId } from "../object-id.ts";
import type { Store } from "../store.ts";
import type { Checkout } from "./open-checkout.ts";

/**
 * A bare store of our own over the objects of somebody's checkout: nothing of its configuration, hooks and attributes has a say, and
 * nothing is written to it. What it does not hold cannot be fetched.
 * @param folder absolute; made here, must not exist
 */
export async function borrowStore({ git, gitDir: theirs }: Checkout, folder: string): Promise<Store> {
  await git.run(["init", "--quiet", "--bare", "--template=", "--object-format=sha1", "--initial-branch=none", folder]);
  await mkdir(join(folder, "objects", "info"), { recursive: true });
  const common = await commonFolder({ git, gitDir: theirs });
  await writeFile(join(folder, "objects", "info", "alternates"), `${join(common, "objects")}\n`);
  // Without it git would look for the parents that a shallow clone left out.
  await copyFile(join(common, "shallow"), join(folder, "shallow")).catch(() => undefined);
  const store: Store = {
    git,
    gitDir: folder,
    async fetchCommit({ sha }) {
      const tree = isObjectId(sha)
        ? (await git.text(["rev-parse", "--quiet", "--verify", `${sha}^{tree}`], { gitDir: folder, exitCodes: [0, 1, 128] })).trim()
        : "";
      if (!isObjectId(tree)) throw new SallyportError(`The checkout holds no commit ${JSON.stringify(sha)}.`, { code: "commit-missing" });
      return { commit: sha, tree };
    },
    async fetchCommits({ shas, ...request }) {
      for (const sha of shas) await store.fetchCommit({ ...request, sha });
    },
    deepen: () => Promise.resolve(),
  };
  return store;
}

/** Where the objects are: a linked work tree has them in the main one. */
async function commonFolder({ git, gitDir }: Pick<Checkout, "git" | "gitDir">): Promise<string> {
  const call = { gitDir, config: [["safe.directory", gitDir]] as const };
  return (await git.text(["rev-parse", "--path-format=absolute", "--git-common-dir"], call)).trim();
}
