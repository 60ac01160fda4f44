import { SallyportError } from "../core/errors.ts";
import { tellsOfDamage } from "./damage.ts";
import type { GitError } from "./git-error.ts";

/** Why a commit could not be brought into the store: one code for each thing that somebody else must do next. */
export type FetchFailure =
  | "commit-missing"
  | "repository-missing"
  | "fetch-unauthorized"
  | "remote-unreachable"
  | "remote-moved"
  | "disk-full"
  | "store-damaged"
  | "fetch-failed";

/** The remote did not give the commit. `code` is a {@link FetchFailure}; the message holds no credentials. */
export class FetchError extends SallyportError {}

/** Only where nothing else is wrong: git says the last of these of a store that is broken as well. */
const MISSING = /not our ref|unadvertised object|couldn't find remote ref|did not send all necessary objects/i;

/** What git prints for each, in the C locale; the first that fits counts. Source: git's remote-curl.c, http.c, upload-pack.c and libcurl. */
const SIGNS: readonly (readonly [FetchFailure, RegExp])[] = [
  ["disk-full", /No space left on device|Disk quota exceeded|file write error/i],
  ["repository-missing", /repository '.*' not found|returned error: 404/i],
  // A host that limits how much it is asked for says so with 403 as well; of a fetch's second request, after the first took the same
  // credentials, nothing else is meant by it.
  ["remote-unreachable", /^remote: .*\brate limit|RPC failed; HTTP 403|(?:returned error: |HTTP )429/im],
  ["fetch-unauthorized", /could not read Username|could not read Password|Authentication failed|returned error: 40[13]|HTTP 40[13]/i],
  ["remote-moved", /returned error: 30\d|redirect/i],
  [
    "remote-unreachable",
    /Could not resolve|Failed to connect|Couldn't connect|Connection refused|timed out|Operation too slow|reset by peer|hung up unexpectedly|early EOF|returned error: 5\d\d|SSL|certificate|Empty reply|expected flush/i,
  ],
];

const HINTS: Readonly<Record<FetchFailure, string>> = {
  "commit-missing": "It may have been removed by a force push, or belong to another repository; start again from the current head.",
  "repository-missing": "Check that it still exists and that the App is installed on it.",
  "fetch-unauthorized": "Check that the installation has the contents permission and that the token has not expired.",
  "remote-moved": "The repository was renamed or transferred; use its current address. Redirects are not followed with a token.",
  "remote-unreachable": "Check the network, HTTPS_PROXY and NODE_EXTRA_CA_CERTS, then try again.",
  "disk-full": "Make room in the data folder, or let the server keep fewer stores.",
  "store-damaged": "Remove the store from the data folder if this comes again; everything in it is fetched anew.",
  "fetch-failed": "See git's own words above.",
};

const WHAT: Readonly<Record<FetchFailure, string>> = {
  "commit-missing": "has no commit",
  "repository-missing": "was not found while fetching commit",
  "fetch-unauthorized": "refused the credentials for commit",
  "remote-moved": "answered with a redirect for commit",
  "remote-unreachable": "could not be reached for commit",
  "disk-full": "could not be stored here, since the disk is full, for commit",
  "store-damaged": "could not be asked by a damaged store for commit",
  "fetch-failed": "did not give commit",
};

/** Reads git's words for what they mean. A timeout counts as unreachable; an abort is passed on as it is. */
export function fetchError(error: GitError, remoteUrl: string, sha: string): FetchError | GitError {
  if (error.code !== "git-failed" && error.code !== "git-timeout") return error;
  const code = SIGNS.find(([, pattern]) => pattern.test(error.stderr))?.[0] ?? unnamed(error);
  const words = error.stderr === "" ? "" : ` (${error.stderr.split("\n").slice(-3).join(" ")})`;
  return new FetchError(`${remoteUrl} ${WHAT[code]} ${sha}${words}`, { code, hint: HINTS[code], cause: error });
}

function unnamed({ code, stderr }: GitError): FetchFailure {
  if (tellsOfDamage(stderr)) return "store-damaged";
  if (MISSING.test(stderr)) return "commit-missing";
  return code === "git-timeout" ? "remote-unreachable" : "fetch-failed";
}
