import { silent } from "../../../src/core/log.ts";
import { PASS_HEADER } from "../../../src/core/pass.ts";
import type { Operation } from "../../../src/core/operation.ts";
import type { WireRequest } from "../../../src/core/pass.ts";
import { createLedger, PassRefusedError } from "../../../src/gate/mint.ts";
import { guardFetch } from "../../../src/github/wire-guard.ts";
import { comment, commit, gateWith, run } from "../../unit/gate/fixtures.ts";
import { context } from "../../../packages/write-path-corpus/src/context.ts";
import type { Row } from "../../../packages/write-path-corpus/src/rows.ts";
import type { Outcome } from "./scene.ts";

const API = "https://api.github.com";
/** Milliseconds after which a pass counts no more, and one. */
const EXPIRED = 60_001;

/** The guard with a ledger, over a network that only notes what leaves, and a clock that can be set. */
function wired(runId = run.id) {
  const clock = { now: 0 };
  const ledger = createLedger({ now: () => clock.now });
  const left: string[] = [];
  const network: typeof fetch = (input, init) => {
    left.push(`${init?.method ?? "GET"} ${input as string}`);
    return Promise.resolve(new Response("{}"));
  };
  const guarded = guardFetch({ fetch: network, baseUrl: API, graphqlUrl: `${API}/graphql`, ledger, runId, log: silent });
  return { clock, left, guarded, gate: gateWith({ ledger }) };
}

const said: WireRequest = {
  method: "POST",
  path: "/repos/acme/app/issues/12/comments",
  body: JSON.stringify({ body: comment().body }),
};

/** Sends a comment that was judged: how often, how many milliseconds after its pass was made, and in the session of which run. */
async function sendJudged(times: number, after: number, runId = run.id): Promise<readonly string[]> {
  const { clock, left, guarded, gate } = wired(runId);
  const judgement = await gate.judge(comment(), run);
  if (!("mint" in judgement)) return ["nothing was allowed"];
  const { id } = judgement.mint(said);
  clock.now += after;
  for (let sent = 0; sent < times; sent++) {
    await guarded(`${API}${said.path}`, { method: said.method, body: said.body, headers: { [PASS_HEADER]: id } });
  }
  return left;
}

/** A read as the row spells it. */
async function read({ args }: Row): Promise<Outcome> {
  const { left, guarded } = wired();
  const url = String(args["url"]);
  const headers = (args["headers"] ?? {}) as Record<string, string>;
  const { status } = await guarded(url.startsWith("/") ? `${API}${url}` : url, { method: String(args["method"]), headers });
  return { kind: "outcome", held: status === 403 && left.length === 0, saw: left.join("\n") };
}

/** Asks for the pass of a new branch at another commit than the one that was judged. */
async function branchElsewhere(): Promise<Outcome> {
  const { gate } = wired();
  const operation: Operation = commit(undefined, { createsBranch: true });
  const judgement = await gate.judge(operation, run);
  if (!("mint" in judgement)) throw new TypeError("The branch was not allowed, so nothing is seen of its passes.");
  const refused: string[] = [];
  const at = (sha: string): WireRequest => ({
    method: "POST",
    path: "/repos/acme/app/git/refs",
    body: JSON.stringify({ ref: "refs/heads/sallyport/12-fix", sha }),
  });
  const asks = [context.sha, context.othersha].map((sha) => {
    try {
      return judgement.mint(at(sha)).path;
    } catch (error) {
      if (!(error instanceof PassRefusedError)) throw error;
      refused.push(error.message);
      return "refused";
    }
  });
  // At its own base it may be made: else nothing would be held here but everything.
  return { kind: "outcome", held: asks[0] !== "refused" && asks[1] === "refused", saw: [...asks, ...refused].join("\n") };
}

/** Plays a row about single requests and their passes; undefined for other rows. */
export async function playWire(row: Row): Promise<Outcome | undefined> {
  if (row.id === "ref-023") return branchElsewhere();
  if (row.tool !== "wire") return undefined;
  if (row.args["method"] === "GET") return read(row);
  const isOnce = (left: readonly string[]): boolean => left.length === 1 && left[0]?.startsWith("POST ") === true;
  if (row.args["pass"] === "used twice") {
    const left = await sendJudged(2, 0);
    return { kind: "outcome", held: isOnce(left), saw: left.join("\n") };
  }
  if (row.args["pass"] === "from run A used by run B") {
    const [elsewhere, own] = [await sendJudged(1, 0, "run-2"), await sendJudged(1, 0)];
    return { kind: "outcome", held: elsewhere.length === 0 && isOnce(own), saw: [...elsewhere, ...own].join("\n") };
  }
  if (String(row.args["pass"]).startsWith("expired")) {
    const [late, inTime] = [await sendJudged(1, EXPIRED), await sendJudged(1, EXPIRED - 2)];
    return { kind: "outcome", held: late.length === 0 && isOnce(inTime), saw: [...late, ...inTime].join("\n") };
  }
  return undefined;
}
