import { SallyportError } from "../../core/errors.ts";
import { blobMap } from "../read-blobs.ts";
import { readTree, textOf } from "../tree.ts";
import type { WorkspaceSource } from "../workspace.ts";
import type { Checkout, Revision } from "./open-checkout.ts";

export interface RevisionSourcesRequest {
  readonly checkout: Checkout;
  readonly revision: Revision;
  /** Which paths are read at all. */
  readonly isWanted: (path: string) => boolean;
  /** Larger files are listed and not read. */
  readonly largest: number;
}

/** The files of one revision of a checkout. The first that is read brings the bytes of all: one git process, not one a file. */
export async function revisionSources({
  checkout,
  revision,
  isWanted,
  largest,
}: RevisionSourcesRequest): Promise<readonly WorkspaceSource[]> {
  const { git, gitDir } = checkout;
  const tree = await readTree(git, gitDir, revision.tree);
  const files = [...tree.files].flatMap(([raw, { mode, sha, size }]) => {
    const path = textOf(raw);
    return path === undefined || !mode.startsWith("100") || !isWanted(path) ? [] : [{ path, blob: sha, size }];
  });
  const shas = files.filter(({ size }) => size <= largest).map(({ blob }) => blob);
  let all: Promise<ReadonlyMap<string, Uint8Array>> | undefined;
  return files.map((file) => ({
    ...file,
    async bytes() {
      all ??= blobMap({ git, gitDir, shas, maxBytes: largest });
      const bytes = (await all).get(file.blob);
      if (bytes === undefined) throw new SallyportError(`${file.path} was not read at ${revision.name}.`, { code: "blob-missing" });
      return bytes;
    },
  }));
}
