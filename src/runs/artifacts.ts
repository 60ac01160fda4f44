import { createHash } from "node:crypto";
import type { Journal, JournalEntry } from "../core/journal.ts";
import type { ArtifactStore } from "../extensions/api.ts";

/** Bytes of all that one run keeps. */
const ROOM = 16 * 1024 * 1024;

/** What a run keeps stands in its journal, so it is there again after a crash and goes when the transcript goes. */
export function artifactsOf(journal: Journal): ArtifactStore {
  const kept = () => journal.entries.filter((entry): entry is Extract<JournalEntry, { kind: "artifact" }> => entry.kind === "artifact");
  return {
    async save(name, given, mediaType) {
      if (!/^[\w][\w. -]{0,99}$/.test(name))
        throw new TypeError(`${JSON.stringify(name)} is no name for an artifact: letters, digits, dots and hyphens`);
      if (!/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(mediaType))
        throw new TypeError(`${JSON.stringify(mediaType)} is no media type such as text/plain`);
      const bytes = Uint8Array.from(given);
      const used = kept().reduce((sum, entry) => sum + entry.bytes, 0);
      if (used + bytes.length > ROOM) throw new RangeError(`a run keeps at most ${ROOM} bytes, and ${used} are kept already`);
      const blob = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
      await journal.append({ kind: "artifact", name, mediaType, blob, bytes: bytes.length }, new Map([[blob, bytes]]));
    },
    async load(name) {
      const entry = kept().findLast((one) => one.name === name);
      return entry === undefined ? undefined : journal.blob(entry.blob);
    },
  };
}
