import { randomBytes } from "node:crypto";
import { SallyportError } from "../core/errors.ts";
import type { MintPass, Pass, PassLedger, WireRequest } from "../core/pass.ts";
import type { RunView } from "../core/run.ts";
import { changesOf } from "./contents.ts";
import type { FrozenOperation } from "./freeze.ts";
import { sha256 } from "./git-blob.ts";
import { checkRequest, commitMadeBy, makesCommit } from "./wire.ts";

/** How long a pass is good for, in milliseconds: a request leaves at once or asks again. */
const LIFETIME_MS = 60_000;
/** Passes that may be outstanding in one process. */
const MOST_PASSES = 10_000;
/** How often one request of one operation may be sent: the retries after uncertain answers, not a way to post at will. */
const MOST_SENDS = 8;

/** A pass was asked for a request that the judged operation does not consist of: a fault in the writer, never to be retried. */
export class PassRefusedError extends SallyportError {
  constructor(request: WireRequest, why: string) {
    super(`No pass for ${request.method} ${request.path}: ${why}.`, {
      code: "pass-refused",
      hint: "Only requests of the operation that was judged may be sent; judge the new one.",
    });
  }
}

/** The ledger as the gate holds it. The wire guard is given the `PassLedger` half. */
export interface Ledger extends PassLedger {
  /** Records a pass under a fresh random id, with who is told of GitHub's answer. @throws {SallyportError} when too many are outstanding. */
  issue(terms: Omit<Pass, "id">, answered?: (body: string) => void): Pass;
}

/** A ledger in memory. `now` is a clock in milliseconds that never goes back (for tests). */
export function createLedger({ now = () => performance.now() }: { readonly now?: () => number } = {}): Ledger {
  const outstanding = new Map<string, { readonly pass: Pass; readonly expires: number; readonly answered?: (body: string) => void }>();
  const dropExpired = (): void => {
    // Entries stand in the order they were issued in, so the first one that is still good ends the search.
    for (const [id, { expires }] of outstanding) {
      if (expires > now()) return;
      outstanding.delete(id);
    }
  };
  return {
    issue(terms, answered) {
      dropExpired();
      if (outstanding.size >= MOST_PASSES) {
        throw new SallyportError(`${MOST_PASSES} passes are outstanding.`, { code: "ledger-full", hint: "Try again in a minute." });
      }
      const pass = Object.freeze({ id: randomBytes(32).toString("hex"), ...terms });
      outstanding.set(pass.id, { pass, expires: now() + LIFETIME_MS, ...(answered !== undefined && { answered }) });
      return pass;
    },
    redeem(passId, request, runId) {
      const entry = outstanding.get(passId);
      if (entry === undefined) return { ok: false, why: "the pass is unknown or was spent before" };
      // Spent whatever the answer: a pass that was tried on another request is no longer to be trusted.
      outstanding.delete(passId);
      const { pass, expires, answered } = entry;
      if (pass.runId !== runId) return { ok: false, why: "the pass belongs to another run" };
      if (expires <= now()) return { ok: false, why: "the pass has expired" };
      if (pass.method !== request.method) return { ok: false, why: `the pass is for ${pass.method}, not ${request.method}` };
      if (pass.path !== request.path) return { ok: false, why: "the pass is for another path" };
      if (pass.bodyDigest !== sha256(request.body)) return { ok: false, why: "the body is not the one that was judged" };
      return { ok: true, ...(answered !== undefined && { answered }) };
    },
  };
}

/** The right to mint for one allowed operation. @throws {PassRefusedError} from the returned function for any other request. */
export function mintFor(frozen: FrozenOperation, run: RunView, ledger: Ledger): MintPass {
  const sends = new Map<string, number>();
  const made = new Set<string>();
  const baseCommit = changesOf(frozen.operation)?.base.commit;
  return ({ method, path, body }) => {
    const request = { method, path, body };
    const answer = checkRequest(frozen, request, made);
    if (!answer.ok) throw new PassRefusedError(request, answer.why);
    const terms = { runId: run.id, method, path, bodyDigest: sha256(body), ...(baseCommit !== undefined && { baseCommit }) };
    const key = `${method} ${path} ${terms.bodyDigest}`;
    const sent = (sends.get(key) ?? 0) + 1;
    if (sent > MOST_SENDS) throw new PassRefusedError(request, `it was sent ${MOST_SENDS} times already`);
    sends.set(key, sent);
    if (!makesCommit(request)) return ledger.issue(terms);
    return ledger.issue(terms, (answer) => {
      const sha = commitMadeBy(frozen.operation, request, answer);
      if (sha !== undefined) made.add(sha);
    });
  };
}
