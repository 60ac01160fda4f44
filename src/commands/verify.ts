import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { messageOf, SallyportError } from "../core/errors.ts";
import { type PublicKey, readPublicKeys } from "../receipts/keys.ts";
import { type Known, type Verified, verifyReceipt } from "../receipts/verify.ts";
import { openGit } from "../workspace/git.ts";
import { openCheckout } from "../workspace/local/open-checkout.ts";
import { recomputeTree } from "../workspace/local/recompute-tree.ts";
import { readPullHead, readPullName } from "./verify/read-pull.ts";
import { renderVerified } from "./verify/render.ts";

export interface VerifyOptions {
  /** A file, `owner/repo#number` or a pull request's address, as it was given. */
  readonly target: string | undefined;
  /** Keys that are trusted: a file, or an https address. */
  readonly key: string | undefined;
  readonly json: boolean;
  /** Absolute. */
  readonly cwd: string;
}

export interface VerifyWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
  readonly complain: (line: string) => void;
}

/** The exit statuses, which scripts rely on. */
const STATUS: Readonly<Record<Verified["status"], number>> = { good: 0, bad: 1, unjudged: 3 };
/** Milliseconds. */
const ANSWER_WITHIN = 30_000;

/**
 * `sallyport verify`: checks a receipt's signature, key, commit and tree, and says what that shows and what it does not. Offline for a file; a pull
 * request's receipts are read from GitHub. Answers the exit status: 0 good, 1 not to be believed, 3 could not judge.
 */
export async function verify({ target, key, json, cwd }: VerifyOptions, world: VerifyWorld): Promise<number> {
  try {
    const verified = await verifyTarget({ target, key, cwd }, world);
    world.write(json ? `${JSON.stringify(verified, null, 2)}\n` : renderVerified(verified));
    return STATUS[verified.status];
  } catch (error) {
    // Also what nobody expected: a crash must not be taken for a verdict.
    const hint = error instanceof SallyportError && error.hint !== undefined ? ` ${error.hint}` : "";
    world.complain(`sallyport verify: ${messageOf(error)}${hint}`.replace(/\s*\n\s*/g, " "));
    return STATUS.unjudged;
  }
}

async function verifyTarget(
  { target, key, cwd }: Omit<VerifyOptions, "json">,
  { variables }: Pick<VerifyWorld, "variables">,
): Promise<Verified> {
  if (target === undefined) {
    const hint = "Name a receipt's file, owner/repo#number, or a pull request's address.";
    throw new SallyportError("It needs something to verify.", { code: "misused", hint });
  }
  const keys = await readTrusted(key, cwd);
  const pull = readPullName(target);
  if (pull === undefined) {
    const envelope = await readFile(resolve(cwd, target), "utf8");
    const known = await openKnown(cwd, variables["PATH"] ?? "");
    return verifyReceipt({ envelope, keys, ...(known === undefined ? {} : { known }) });
  }
  const head = await readPullHead(pull, variables);
  if (head.receipts.length === 0) {
    return { status: "unjudged", why: `The pull request's head ${head.commit} bears no receipt; for what was pushed last, nobody vouches` };
  }
  const known: Known = {
    source: "GitHub",
    commit: head.commit,
    repositoryId: head.repositoryId,
    treeOf: (commit) => Promise.resolve(commit === head.commit ? head.tree : undefined),
  };
  const all: Verified[] = [];
  for (const envelope of head.receipts) all.push(await verifyReceipt({ envelope, keys, known }));
  // Anybody who may write check runs can put a receipt there; one that is good is not made worse by another.
  return all.find(({ status }) => status === "good") ?? all.find(({ status }) => status === "bad") ?? (all[0] as Verified);
}

/** The keys that whoever asks trusts; none when nothing was named. */
async function readTrusted(key: string | undefined, cwd: string): Promise<readonly PublicKey[]> {
  if (key === undefined) return [];
  if (!/^https?:/i.test(key)) return readPublicKeys(await readFile(resolve(cwd, key), "utf8"), key);
  const response = await fetch(key, { redirect: "error", signal: AbortSignal.timeout(ANSWER_WITHIN) });
  if (!response.ok) throw new SallyportError(`${key} was answered ${response.status}.`, { code: "no-keys" });
  return readPublicKeys(await response.text(), key);
}

/** The checkout that the command stands in; undefined outside of one. */
async function openKnown(cwd: string, path: string): Promise<Known | undefined> {
  try {
    const checkout = await openCheckout(openGit({ path }), cwd);
    return { source: `the checkout ${checkout.root}`, treeOf: (commit) => recomputeTree(checkout, commit) };
  } catch (error) {
    if (error instanceof SallyportError && error.code === "no-checkout") return undefined;
    throw error;
  }
}
