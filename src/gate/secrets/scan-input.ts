import { filesOf, textsAndSources } from "../contents.ts";
import type { Judged } from "../judged.ts";

/** What secrets are looked for in, as plain data that can be handed to another thread. */
export interface ScanInput {
  readonly texts: readonly { readonly field: string; readonly text: string }[];
  readonly files: readonly ScanFile[];
}
interface ScanFile {
  readonly path: string;
  /** Absent for a deletion, and where the bytes are not at hand. */
  readonly after?: Uint8Array;
  readonly before?: Uint8Array;
  /** The bytes are those that stood there before, under whatever name and mode. */
  readonly isSame: boolean;
}

/** Every text and file of what is judged. */
export function scanInputOf(judged: Judged): ScanInput {
  return {
    texts: textsAndSources(judged),
    files: filesOf(judged).map(({ path, before, after }) => ({
      path,
      ...(after?.bytes !== undefined && { after: after.bytes }),
      ...(before?.bytes !== undefined && { before: before.bytes }),
      isSame: after?.ref !== undefined && after.ref.sha === before?.ref?.sha,
    })),
  };
}
