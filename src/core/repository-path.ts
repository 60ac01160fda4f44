/** A path inside a repository in its one canonical spelling: relative, `/` between segments, no dot segments. */
export type PathVerdict = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: string };

/** Longest path that is accepted, in UTF-8 bytes: what Linux takes in one call (PATH_MAX). */
const LONGEST_PATH = 4095;
/** Longest name that common file systems take, in UTF-8 bytes (NAME_MAX). */
const LONGEST_SEGMENT = 255;
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;
const encoder = new TextEncoder();

/**
 * The one rule for paths, used by every tool and by the gate: what it refuses is refused for reading and writing alike.
 * It only judges the spelling; whether a link stands on the way is for the one who opens the file.
 */
export function judgePath(raw: string): PathVerdict {
  const refuse = (why: string): PathVerdict => ({ ok: false, why: `${JSON.stringify(raw)} ${why}` });
  if (raw === "") return refuse("is empty; name a file relative to the repository root");
  if (!raw.isWellFormed()) return refuse("holds half of a surrogate pair");
  if (encoder.encode(raw).length > LONGEST_PATH) return refuse(`is longer than ${LONGEST_PATH} bytes`);
  if (/[\u0000-\u001f\u007f]/.test(raw)) return refuse("holds a control character");
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(raw)) return refuse("is a URL; name a file relative to the repository root");
  if (raw.startsWith("/")) return refuse("is absolute; name a file relative to the repository root");
  if (/^[a-z]:/i.test(raw)) return refuse("starts with a drive letter; name a file relative to the repository root");
  // A backslash is part of a name on Linux and a separator on Windows: neither reading may be a trick.
  for (const segment of raw.split(/[/\\]/)) {
    const why = wrongSegment(segment);
    if (why !== undefined) return refuse(why);
  }
  return { ok: true, path: raw };
}

function wrongSegment(segment: string): string | undefined {
  if (segment === "") return "has an empty segment (a double or final slash)";
  if (segment === ".." || segment === ".") return "has a dot segment; write the path without . and ..";
  if (segment === "~") return "names a folder ~, which shells read as the home folder";
  if (encoder.encode(segment).length > LONGEST_SEGMENT) return `has a name longer than ${LONGEST_SEGMENT} bytes`;
  if (/[. ]$/.test(segment)) return "has a name that ends in a dot or a blank, which Windows drops";
  if (WINDOWS_DEVICE.test(segment)) return "names a Windows device";
  if (isGitInternals(segment)) return "names git's own folder";
  return undefined;
}

/**
 * Whether a file system could take this name for `.git`: case, ignorable code points (HFS+) and short or stream names (NTFS).
 * Source: git's own `is_hfs_dotgit` and `is_ntfs_dotgit` (path.c, utf8.c), CVE-2014-9390, CVE-2019-1353.
 */
export function isGitInternals(segment: string): boolean {
  const folded = segment
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase();
  const stem = folded.replace(/:.*$/, "").replace(/[. ]+$/, "");
  return stem === ".git" || /^git~\d+$/.test(stem);
}
