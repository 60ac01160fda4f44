import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { silent } from "../../src/core/log.ts";
import { PASS_HEADER, type WireRequest } from "../../src/core/pass.ts";
import { createLedger, PassRefusedError } from "../../src/gate/mint.ts";
import { guardFetch } from "../../src/github/wire-guard.ts";
import { everyKind, gateWith, run } from "../unit/gate/fixtures.ts";

const API = "https://api.github.com";
const REPO = "/repos/acme/app";

/** What a hostile caller would ask for: everything that GitHub has, and what only looks like it. */
const path = fc
  .oneof(
    fc.constantFrom(
      "/pulls/12/merge",
      "/pulls",
      "/pulls/12/reviews",
      "/issues/12/comments",
      "/issues/12/comments?x=1",
      "/issues/comments/900",
      "/issues/12/labels",
      "/git/refs",
      "/git/refs/heads/main",
      "/git/refs/heads/sallyport/12-fix",
      "/git/refs/heads%2Fsallyport%2F12-fix",
      "/git/commits",
      "/git/trees",
      "/git/blobs",
      "/contents/a.txt",
      "/merges",
      "/releases",
      "/hooks",
      "/keys",
      "/collaborators/mallory",
      "/actions/workflows/ci.yml/dispatches",
      "/dispatches",
      "/check-runs",
      "/statuses/abc",
    ),
    fc.string({ maxLength: 20 }).map((text) => `/${encodeURIComponent(text)}`),
  )
  .map((rest) => REPO + rest);
const anyPath = fc.oneof(
  path,
  fc.constantFrom("/graphql", "/user/repos", "/app/installations/1/access_tokens", "/gists", "/repos/acme/other/issues/12/comments"),
);
const method = fc.constantFrom("POST", "PUT", "PATCH", "DELETE", "post", "GET", "PROPFIND");
const body = fc.oneof(
  fc.constantFrom(
    '{"body":"Done."}',
    '{"body":"Done.","body":"x"}',
    ' {"body":"Done."}',
    '{"body":"Done. "}',
    '{"query":"mutation { x }"}',
    '{"query":"{ viewer { login } }"}',
    `{"sha":"${"f".repeat(40)}","force":false}`,
    `{"sha":"${"f".repeat(40)}","force":true}`,
    `{"ref":"refs/heads/sallyport/12-fix","sha":"${"f".repeat(40)}"}`,
    '{"content":"eA==","encoding":"base64"}',
  ),
  fc.json(),
  fc.string(),
);
const request = fc.record({ method, path: anyPath, body });

/** A guard in the session of the run, over a network that notes what leaves. */
function wired() {
  const ledger = createLedger();
  const left: WireRequest[] = [];
  const network: typeof fetch = (input, init) => {
    left.push({ method: init?.method ?? "GET", path: (input as string).slice(API.length), body: (init?.body as string | undefined) ?? "" });
    return Promise.resolve(new Response("{}"));
  };
  const fetch = guardFetch({ fetch: network, baseUrl: API, graphqlUrl: `${API}/graphql`, ledger, runId: run.id, log: silent });
  return { ledger, left, fetch };
}
const isRead = ({ method: sent, path: where, body: text }: WireRequest): boolean =>
  sent === "GET" ||
  (sent === "POST" && where === "/graphql" && !text.includes("mutation")) ||
  (sent === "POST" && /^\/app\/installations\/\d+\/access_tokens$/.test(where));

describe("random requests", () => {
  it("without a pass, or with a made-up one, leave only when they read", async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.option(fc.string({ unit: "grapheme-ascii", minLength: 1 })), async (wish, pass) => {
        const { fetch, left } = wired();
        const headers = pass === null ? {} : { [PASS_HEADER]: pass };
        await fetch(API + wish.path, {
          method: wish.method,
          headers,
          ...(wish.method === "GET" ? {} : { body: wish.body }),
        });
        expect(left.filter((one) => !isRead(one))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("get no pass from any operation but for its own, however alike they are", async () => {
    const { ledger } = wired();
    const gate = gateWith({ ledger });
    const cleared = await Promise.all(everyKind.map((operation) => gate.judge(operation, run)));
    const own = new Set([`POST ${REPO}/issues/12/comments {"body":"Done."}`, `PATCH ${REPO}/issues/comments/900 {"body":"Done."}`]);
    fc.assert(
      fc.property(request, (wish) => {
        for (const judgement of cleared) {
          if (!("mint" in judgement)) throw new TypeError("Not everything was let through.");
          try {
            judgement.mint(wish);
          } catch (error) {
            expect(error).toBeInstanceOf(PassRefusedError);
            continue;
          }
          expect(own).toContain(`${wish.method} ${wish.path} ${wish.body}`);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("with a real pass leave only as the request that it was made for", async () => {
    await fc.assert(
      fc.asyncProperty(request, async (wish) => {
        const { fetch, ledger, left } = wired();
        const judgement = await gateWith({ ledger }).judge(everyKind[0] as never, run);
        if (!("mint" in judgement)) throw new TypeError("It was not let through.");
        const said = { method: "POST", path: `${REPO}/issues/12/comments`, body: '{"body":"Done."}' };
        const headers = { [PASS_HEADER]: judgement.mint(said).id };
        await fetch(API + wish.path, { method: wish.method, headers, ...(wish.method === "GET" ? {} : { body: wish.body }) });
        await fetch(API + said.path, { method: said.method, headers, body: said.body });
        const writes = left.filter((one) => !isRead(one));
        for (const one of writes) expect(one).toEqual(said);
        expect(writes.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });
});
