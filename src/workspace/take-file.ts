import { constants, fstatSync, readFileSync, readlinkSync } from "node:fs";
import type { FileMode } from "../core/change-set.ts";
import { lookAt, openFile } from "./folder.ts";
import { objectId } from "./object-id.ts";
import { sameStamp, stampOf } from "./unpack.ts";
import type { WalkEntry } from "./walk.ts";

/** A file as it was taken: the id is that of exactly these bytes. */
export interface TakenFile {
  readonly mode: FileMode;
  readonly sha: string;
  readonly bytes: Buffer;
  /** Names that the file has; more than one is a hard link. */
  readonly names: bigint;
}

export type Taken = { readonly ok: true; readonly file: TakenFile } | { readonly ok: false; readonly why: string };

/** What GitHub takes as one blob; nothing larger could be published. Source: REST API, "Create a blob". */
const LARGEST_BLOB = 40 * 1024 * 1024;
/** A file that changes under every reading is still being written. */
const READINGS = 3;

/**
 * Takes the bytes of a walked regular file or link, through the open folder and by descriptor: what is hashed is what is kept,
 * whatever happens to the name meanwhile.
 */
export function takeFile({ folder, name, kind }: Pick<WalkEntry, "folder" | "name" | "kind">): Taken {
  try {
    if (kind === "link") {
      const bytes = readlinkSync(folder.at(name), { encoding: "buffer" });
      return { ok: true, file: { mode: "120000", sha: objectId("blob", bytes), bytes, names: 1n } };
    }
    return takeRegular(folder, name);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    return { ok: false, why: `cannot be read (${code})` };
  }
}

function takeRegular(folder: WalkEntry["folder"], name: Buffer): Taken {
  for (let reading = 0; reading < READINGS; reading += 1) {
    using file = openFile(folder, name, constants.O_RDONLY);
    if (file.stats.size > LARGEST_BLOB)
      return { ok: false, why: `has ${file.stats.size} bytes, more than the ${LARGEST_BLOB} that GitHub takes` };
    const bytes = readFileSync(file.descriptor);
    const after = fstatSync(file.descriptor, { bigint: true });
    if (!sameStamp(stampOf(file.stats), stampOf(after)) || BigInt(bytes.length) !== after.size) continue;
    // Its names are counted while it is seen under this one: a second name that was gone between opening and looking would go unnoticed.
    const standing = lookAt(folder, name);
    if (standing === undefined || standing.dev !== after.dev || standing.ino !== after.ino) continue;
    const mode = (after.mode & 0o100n) === 0n ? "100644" : "100755";
    return { ok: true, file: { mode, sha: objectId("blob", bytes), bytes, names: standing.nlink } };
  }
  return { ok: false, why: "is still being written or replaced" };
}
