import { mkdirSync } from "node:fs";
import type { BigIntStats } from "node:fs";
import { kindOf, lookAt, openFolder } from "./folder.ts";
import type { EntryKind, Folder } from "./folder.ts";

/** Where a path leads. An answer that holds a `folder` holds it open: it is the caller's to close. */
export type Located =
  | {
      readonly status: "there";
      readonly folder: Folder;
      readonly name: Buffer;
      readonly stats: BigIntStats;
      readonly kind: EntryKind;
      /** As it is spelled on disk. */
      readonly path: string;
    }
  /** Its parent folder is there, it is not. */
  | { readonly status: "free"; readonly folder: Folder; readonly name: Buffer; readonly path: string }
  /** A parent folder is missing too. */
  | { readonly status: "missing" }
  /** A parent is no folder. */
  | { readonly status: "barred"; readonly why: string };

export interface LocateOptions {
  /** Missing parents are made. */
  readonly create?: boolean;
  /** The path is as the disk spells it: no name is looked for in other forms, for which its whole folder would be listed. */
  readonly exact?: boolean;
}

/**
 * Walks down to a path that `judgePath` has accepted, folder by folder by descriptor, never through a link.
 * A name that is not there is looked for in its other Unicode forms.
 */
export function locate(root: Folder, path: string, { create = false, exact = false }: LocateOptions = {}): Located {
  const segments = path.split("/");
  const spelled: string[] = [];
  let folder = openFolder(root, Buffer.from("."));
  const leave = (located: Located): Located => {
    folder[Symbol.dispose]();
    return located;
  };
  try {
    for (const [depth, segment] of segments.entries()) {
      const name = exact ? Buffer.from(segment, "utf8") : nameOnDisk(folder, segment);
      spelled.push(name.toString("utf8"));
      const here = spelled.join("/");
      const last = depth === segments.length - 1;
      let stats = lookAt(folder, name);
      if (last) {
        return stats === undefined
          ? { status: "free", folder, name, path: here }
          : { status: "there", folder, name, stats, kind: kindOf(stats), path: here };
      }
      if (stats === undefined) {
        if (!create) return leave({ status: "missing" });
        mkdirSync(folder.at(name), { mode: 0o755 });
        stats = lookAt(folder, name);
      }
      if (stats?.isDirectory() !== true) return leave({ status: "barred", why: `${JSON.stringify(here)} ${barrier(stats)}` });
      const next = openFolder(folder, name);
      folder[Symbol.dispose]();
      folder = next;
    }
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
  return leave({ status: "missing" });
}

function barrier(stats: BigIntStats | undefined): string {
  const kind = stats === undefined ? "special" : kindOf(stats);
  if (kind === "link") return "is a link; links are not followed";
  return kind === "file" ? "is a file, not a folder" : "is a special file";
}

/** The name itself when it is there, else the only one that equals it in composed form (macOS and editors decompose). */
function nameOnDisk(folder: Folder, segment: string): Buffer {
  const exact = Buffer.from(segment, "utf8");
  if (lookAt(folder, exact) !== undefined) return exact;
  const composed = segment.normalize("NFC");
  const others = folder.names().filter((name) => name.toString("utf8").normalize("NFC") === composed);
  return (others.length === 1 ? others[0] : undefined) ?? exact;
}
