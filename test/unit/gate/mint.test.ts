import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Comment } from "../../../src/core/operation.ts";
import type { WireRequest } from "../../../src/core/pass.ts";
import type { Cleared } from "../../../src/gate/gate.ts";
import { createLedger, PassRefusedError } from "../../../src/gate/mint.ts";
import type { Ledger } from "../../../src/gate/mint.ts";
import { sha256 } from "../../../src/gate/git-blob.ts";
import { comment, commit, gateWith, run } from "./fixtures.ts";

const request: WireRequest = { method: "POST", path: "/repos/acme/app/issues/12/comments", body: '{"body":"Hi"}' };

async function cleared(ledger: Ledger, operation: Comment | ReturnType<typeof commit> = comment("Hi")): Promise<Cleared> {
  const judgement = await gateWith({ ledger }).judge(operation, run);
  if (!("mint" in judgement)) throw new Error(`Not cleared: ${JSON.stringify(judgement.decision)}`);
  return judgement;
}

describe("a pass", () => {
  it("is good for the one request that it was minted for, once", async () => {
    const ledger = createLedger();
    const { mint } = await cleared(ledger);
    const pass = mint(request);
    expect(pass).toMatchObject({ runId: "run-1", method: "POST", path: request.path, bodyDigest: sha256('{"body":"Hi"}') });
    expect(ledger.redeem(pass.id, request, run.id)).toEqual({ ok: true });
    expect(ledger.redeem(pass.id, request, run.id)).toMatchObject({ ok: false });
  });

  it.each([["another run's"], [""], [undefined]])("is refused in a session of %j, and spent by that", async (runId) => {
    const ledger = createLedger();
    const { id } = (await cleared(ledger)).mint(request);
    expect(ledger.redeem(id, request, runId)).toEqual({ ok: false, why: "the pass belongs to another run" });
    expect(ledger.redeem(id, request, run.id).ok).toBe(false);
  });

  it("is bound to the commit that the change stands on", async () => {
    const { mint } = await cleared(createLedger(), commit());
    const body = { content: Buffer.from("new\n").toString("base64"), encoding: "base64" };
    expect(mint({ method: "POST", path: "/repos/acme/app/git/blobs", body: JSON.stringify(body) }).baseCommit).toBe("b".repeat(40));
  });

  it("is refused for another method, path or body, and is spent by the attempt", async () => {
    const changed = fc.constantFrom<keyof WireRequest>("method", "path", "body");
    await fc.assert(
      fc.asyncProperty(changed, fc.string(), async (field, value) => {
        fc.pre(value !== request[field]);
        const ledger = createLedger();
        const { id } = (await cleared(ledger)).mint(request);
        expect(ledger.redeem(id, { ...request, [field]: value }, run.id).ok).toBe(false);
        expect(ledger.redeem(id, request, run.id).ok).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it("that was never minted opens nothing", async () => {
    const ledger = createLedger();
    await cleared(ledger);
    fc.assert(fc.property(fc.string(), (id) => !ledger.redeem(id, request, run.id).ok));
  });

  it("of one ledger is unknown to another", async () => {
    const { id } = (await cleared(createLedger())).mint(request);
    expect(createLedger().redeem(id, request, run.id)).toMatchObject({ ok: false });
  });

  it("expires after a minute", async () => {
    let now = 0;
    const ledger = createLedger({ now: () => now });
    const { mint } = await cleared(ledger);
    const [early, late] = [mint(request), mint(request)];
    now = 59_999;
    expect(ledger.redeem(early.id, request, run.id).ok).toBe(true);
    now = 60_000;
    expect(ledger.redeem(late.id, request, run.id)).toEqual({ ok: false, why: "the pass has expired" });
  });

  it("can be asked for again after an uncertain answer, but not for ever", async () => {
    const { mint } = await cleared(createLedger());
    const mintMany = (count: number): void => {
      for (let index = 0; index < count; index++) mint(request);
    };
    expect(() => mintMany(8)).not.toThrow();
    expect(() => mint(request)).toThrow(PassRefusedError);
  });

  it("is not minted for anything but the operation's own requests", async () => {
    const { mint } = await cleared(createLedger());
    expect(() => mint({ ...request, body: '{"body":"Ho"}' })).toThrow(PassRefusedError);
    expect(() => mint({ ...request, path: "/repos/acme/app/issues/13/comments" })).toThrow(/POST \/repos\/acme\/app\/issues\/13\/comments/);
  });
});

describe("the ledger", () => {
  const terms = { runId: "r", method: "POST", path: "/", bodyDigest: "" };

  it("holds a bounded number of passes and makes room as they expire", () => {
    let now = 0;
    const ledger = createLedger({ now: () => now });
    for (let index = 0; index < 10_000; index++) ledger.issue(terms);
    expect(() => ledger.issue(terms)).toThrow(/outstanding/);
    now = 60_001;
    expect(ledger.issue(terms).id).toMatch(/^[0-9a-f]{64}$/);
  });

  it("never gives two passes one id", () => {
    const ledger = createLedger();
    const ids = Array.from({ length: 1000 }, () => ledger.issue(terms).id);
    expect(new Set(ids).size).toBe(1000);
  });
});

describe("the pass that moves a branch", () => {
  const [made, other] = ["e".repeat(40), "f".repeat(40)];
  const ours = { sha: made, tree: { sha: "d".repeat(40) }, parents: [{ sha: "b".repeat(40) }] };
  const commitRequest: WireRequest = {
    method: "POST",
    path: "/repos/acme/app/git/commits",
    body: JSON.stringify({ message: commit().message, tree: "d".repeat(40), parents: ["b".repeat(40)] }),
  };
  const move = (sha: string): WireRequest => ({
    method: "PATCH",
    path: "/repos/acme/app/git/refs/heads%2Fsallyport%2F12-fix",
    body: JSON.stringify({ sha, force: false }),
  });

  /** What GitHub answers to the request that makes the commit; then the mint, and another one of the same run and operation. */
  async function afterAnswer(answer: string) {
    const ledger = createLedger();
    const { mint } = await cleared(ledger, commit());
    const redeemed = ledger.redeem(mint(commitRequest).id, commitRequest, run.id);
    if (!redeemed.ok) throw new Error(redeemed.why);
    redeemed.answered?.(answer);
    return { mint, second: (await cleared(ledger, commit())).mint };
  }

  it("is for the commit that GitHub made of what was judged, and for no other", async () => {
    const { mint, second } = await afterAnswer(JSON.stringify(ours));
    expect(mint(move(made)).method).toBe("PATCH");
    expect(() => mint(move(other))).toThrow(PassRefusedError);
    expect(() => second(move(made))).toThrow(PassRefusedError);
  });

  it("is not made before GitHub has answered", async () => {
    const { mint } = await cleared(createLedger(), commit());
    mint(commitRequest);
    expect(() => mint(move(made))).toThrow(PassRefusedError);
  });

  it.each([
    ["another tree", JSON.stringify({ ...ours, tree: { sha: other } })],
    ["another parent", JSON.stringify({ ...ours, parents: [{ sha: other }] })],
    ["a second parent", JSON.stringify({ ...ours, parents: [...ours.parents, { sha: other }] })],
    ["no parent", JSON.stringify({ ...ours, parents: [] })],
    ["no id", JSON.stringify({ ...ours, sha: "main" })],
    ["nothing", ""],
    ["no object", "[]"],
    ["half of it", JSON.stringify(ours).slice(0, -5)],
  ])("is not made for a commit whose answer has %s", async (_, answer) => {
    const { mint } = await afterAnswer(answer);
    expect(() => mint(move(made))).toThrow(PassRefusedError);
  });

  it("is not made for a commit that another request's answer names", async () => {
    const ledger = createLedger();
    const { mint } = await cleared(ledger, commit());
    const bytes = Buffer.from("new\n").toString("base64");
    const blob: WireRequest = {
      method: "POST",
      path: "/repos/acme/app/git/blobs",
      body: JSON.stringify({ content: bytes, encoding: "base64" }),
    };
    const redeemed = ledger.redeem(mint(blob).id, blob, run.id);
    expect(redeemed.ok).toBe(true);
    if (redeemed.ok) redeemed.answered?.(JSON.stringify(ours));
    expect(() => mint(move(made))).toThrow(PassRefusedError);
  });
});
