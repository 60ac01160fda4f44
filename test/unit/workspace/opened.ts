import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { checkOut } from "../../../src/workspace/check-out.ts";
import { openGit } from "../../../src/workspace/git.ts";
import type { Remote, Store } from "../../../src/workspace/store.ts";
import { openStores } from "../../../src/workspace/store.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { makeRepository, startHost } from "./git-host.ts";
import type { TestHost, TestRepository, TestTree } from "./git-host.ts";

/** A workspace over one commit of a test repository, with everything behind it. */
export interface Opened extends AsyncDisposable {
  readonly origin: TestRepository;
  readonly host: TestHost;
  readonly store: Store;
  readonly remote: Remote;
  readonly commit: string;
  readonly workspace: Workspace;
}

/** A repository and a commit of it that several tests look at. */
export interface TestOrigin {
  readonly origin: TestRepository;
  readonly commit: string;
}

/** One commit a version, each on the one before. */
export function makeOrigin(folder: string, versions: readonly TestTree[]): TestOrigin {
  const origin = makeRepository(folder);
  let commit = "";
  for (const [index, version] of versions.entries()) {
    commit = origin.commit(version, { message: `commit ${index}`, ...(commit === "" ? {} : { parent: commit }) });
  }
  return { origin, commit };
}

export function openTestWorkspace(folder: string, tree: TestTree): Promise<Opened> {
  return openTestOrigin(folder, makeOrigin(folder, [tree]));
}

export async function openTestOrigin(folder: string, { origin, commit }: TestOrigin): Promise<Opened> {
  const host = await startHost(origin);
  const path = process.env["PATH"] ?? "";
  const room = mkdtempSync(join(folder, "room-"));
  const store = await openStores({ git: openGit({ path }), folder: join(room, "stores"), path }).open(1);
  const remote = { url: host.url, token: () => Promise.resolve(undefined) };
  const workspace = await checkOut({ store, remote, commit, directory: join(room, "workspace") });
  return {
    origin,
    host,
    store,
    remote,
    commit,
    workspace,
    async [Symbol.asyncDispose]() {
      await workspace.dispose();
      await host[Symbol.asyncDispose]();
    },
  };
}
