import { SallyportError } from "../core/errors.ts";
import { GitError } from "./git-error.ts";

/** What git prints, in the C locale, when a store's own files are not what they should be. Source: git's packfile.c, object-file.c, refs.c. */
const SIGNS =
  /not a git repository|bad object|corrupt|packfile \S+\.pack|index file .* is|loose object|does not point to a valid object|unable to (?:read|find|parse|unpack|open object)|missing (?:blob|tree|commit|object)|invalid (?:object|sha1 pointer|reference)|bad (?:ref|tree|config|signature)|reference broken|inflate|object file .* is empty|bad shallow line|could not parse commit/i;

/** Whether git's words are about the store; what the other side said does not count. */
export function tellsOfDamage(stderr: string): boolean {
  return stderr.split("\n").some((line) => !line.startsWith("remote:") && SIGNS.test(line));
}

const CODES: readonly string[] = ["blob-missing", "blob-damaged", "store-damaged"];

/** Whether an error says that a store is broken, and not that the remote, the commit or the machine is at fault. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof SallyportError)) return false;
  return CODES.includes(error.code) || (error instanceof GitError && error.code === "git-failed" && tellsOfDamage(error.stderr));
}
