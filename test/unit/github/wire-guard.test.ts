import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { PASS_HEADER } from "../../../src/core/pass.ts";
import type { PassLedger } from "../../../src/core/pass.ts";
import { isGraphqlRead } from "../../../src/github/graphql-read.ts";
import { guardFetch } from "../../../src/github/wire-guard.ts";
import { fakeLedger, sessionOn } from "./loopback.ts";

const API = "https://api.github.com";
const GRAPHQL = `${API}/graphql`;
interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A guard over a network that only records. `answers` are given in turn, then 200. */
function guarded({
  ledger = fakeLedger(),
  answers = [],
  baseUrl = API,
  graphqlUrl = GRAPHQL,
  runId = "run-1",
}: { ledger?: PassLedger; answers?: Response[]; baseUrl?: string; graphqlUrl?: string; runId?: string } = {}) {
  const sent: Sent[] = [];
  const network: typeof fetch = (input, init) => {
    sent.push({ url: input as string, method: init?.method ?? "GET", headers: new Headers(init?.headers), body: init?.body });
    return Promise.resolve(answers.shift() ?? new Response("{}", { status: 200, headers: { "content-type": "application/json" } }));
  };
  return { sent, fetch: guardFetch({ fetch: network, baseUrl, graphqlUrl, ledger, runId, log: silent }) };
}
const moved = (location: string, status = 302) => new Response(null, { status, headers: { location } });
const query = (text: string) => JSON.stringify({ query: text });

describe("without a pass", () => {
  test.for([
    ["a write", `${API}/repos/a/b/issues/1/comments`, { method: "POST", body: "{}" }],
    ["a write in lower case", `${API}/repos/a/b/pulls/1/merge`, { method: "put" }],
    ["a method that only GitHub may know", `${API}/repos/a/b`, { method: "PURGE" }],
    ["a deletion", `${API}/repos/a/b/git/refs/heads/main`, { method: "DELETE" }],
    ["a read that says it is a write", `${API}/repos/a/b`, { headers: { "X-HTTP-Method-Override": "DELETE" } }],
    ["a read with a method in its query", `${API}/repos/a/b?_method=delete`, {}],
    ["a read with a body", `${API}/repos/a/b`, { body: "{}" }],
    ["a mutation", GRAPHQL, { method: "POST", body: query("mutation { x }") }],
    ["a mutation in another spelling", GRAPHQL, { method: "POST", body: '{"query":"\\u006dutation { x }"}' }],
    ["a mutation after a read", GRAPHQL, { method: "POST", body: query("query A { x } MUTATION B { y }") }],
    ["a subscription", GRAPHQL, { method: "POST", body: query("subscription { x }") }],
    ["a persisted query", GRAPHQL, { method: "POST", body: JSON.stringify({ extensions: { persistedQuery: { sha256Hash: "ab" } } }) }],
    ["a batch of reads", GRAPHQL, { method: "POST", body: JSON.stringify([{ query: "{ x }" }]) }],
    ["a query that stands twice", GRAPHQL, { method: "POST", body: '{"query":"mutation { x }","query":"{ x }"}' }],
    ["GraphQL by GET", `${GRAPHQL}?query=mutation`, {}],
    ["GraphQL at an address beside its own", `${API}/graphql/`, { method: "POST", body: query("{ x }") }],
    ["a read sent as packed bytes", GRAPHQL, { method: "POST", body: query("{ x }"), headers: { "content-encoding": "gzip" } }],
    [
      "the exchange of a new App's code with a token",
      `${API}/app-manifests/a1b2/conversions`,
      { method: "POST", headers: { authorization: "x" } },
    ],
    ["the exchange of a new App's code with a body", `${API}/app-manifests/a1b2/conversions`, { method: "POST", body: "{}" }],
    ["the exchange of something else than a code", `${API}/app-manifests/a%2Fb/conversions`, { method: "POST" }],
    ["a token exchange with a query", `${API}/app/installations/1/access_tokens?x=1`, { method: "POST" }],
    ["something under the token exchange", `${API}/app/installations/1/access_tokens/../suspended`, { method: "POST" }],
    ["a read that climbs out of its route", `${API}/repos/a/b/../../user/keys`, {}],
    ["a read that climbs out in another spelling", `${API}/repos/a/b/%2E./.%2e/user/keys`, {}],
    ["a read that climbs out where a parser drops what is between", `${API}/repos/a/b/.\t./.\n./user/keys`, {}],
    ["a read that ends in a dot", `${API}/repos/a/b/.?page=1`, {}],
    ["another host", "https://evil.example/repos/a/b", { headers: { authorization: "token t" } }],
    ["the same name at another port", "https://api.github.com:8443/repos/a/b", {}],
    ["plain http", "http://api.github.com/repos/a/b", {}],
    ["a host hidden behind a user name", "https://api.github.com@evil.example/", {}],
    ["a user name before the right host", "https://me:secret@api.github.com/user", {}],
    ["no URL at all", "/repos/a/b", {}],
  ] as const)("%s does not leave", async ([, url, init]) => {
    const { fetch, sent } = guarded();
    const answer = await fetch(url, init);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining("Refused by Sallyport") as string });
    expect(sent).toEqual([]);
  });

  test("a Request object or a stream does not leave: nobody knows what it will say", async () => {
    const { fetch, sent } = guarded();
    const stream = new ReadableStream({ start: (controller) => controller.close() });
    expect((await fetch(new Request(`${API}/user`))).status).toBe(403);
    expect((await fetch(`${API}/user`, { method: "POST", body: stream, duplex: "half" })).status).toBe(403);
    expect((await fetch(`${API}/user`, { method: "POST", body: new FormData() })).status).toBe(403);
    expect(sent).toEqual([]);
  });

  test.for([
    ["a read", `${API}/repos/a/b?page=2`, {}],
    ["a read of what has dots in its name", `${API}/repos/a/.github/branches/v1..x?path=a/../b`, {}],
    ["a head request", `${API}/repos/a/b`, { method: "HEAD" }],
    [
      "a GraphQL read",
      GRAPHQL,
      { method: "POST", body: JSON.stringify({ query: "query ($n: String) { x(n: $n) }", variables: { n: "mutation" } }) },
    ],
    ["the token exchange", `${API}/app/installations/12/access_tokens`, { method: "POST" }],
    ["the exchange of a new App's code", `${API}/app-manifests/a1b2/conversions`, { method: "POST" }],
    ["a redelivery", `${API}/app/hook/deliveries/12/attempts`, { method: "POST" }],
  ] as const)("%s leaves", async ([, url, init]) => {
    const { fetch, sent } = guarded();
    expect((await fetch(url, init)).status).toBe(200);
    expect(sent.map((request) => request.url)).toEqual([url]);
  });

  test("no request leaves that is neither a read nor one of the named exceptions, whatever it looks like", async () => {
    const paths = fc.oneof(
      fc.constantFrom("/graphql", "/repos/a/b/pulls/1/merge", "/app/installations/1/access_tokens", "/app/hook/deliveries/1/attempts", "/"),
      fc.webPath().map((path) => `/${path}`),
    );
    const bodies = fc.oneof(
      fc.constant(undefined),
      fc.string(),
      fc.json(),
      fc.string().map(query),
      fc.constantFrom("{ x }", "mutation { x }").map(query),
      fc.uint8Array(),
    );
    const headers = fc.dictionary(
      fc.constantFrom(PASS_HEADER, "authorization", "x-http-method-override", "content-type"),
      fc.constantFrom("PUT", "x", "application/json"),
    );
    const methods = fc.oneof(
      fc.constantFrom("GET", "get", "HEAD", "POST", "post", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"),
      fc.string({ maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(API, "https://evil.example"),
        paths,
        methods,
        headers,
        bodies,
        async (origin, path, method, headers, body) => {
          const { fetch, sent } = guarded();
          await fetch(origin + path, { method, headers, ...(body === undefined ? {} : { body }) });
          for (const request of sent) {
            const { pathname, origin: to } = new URL(request.url);
            expect(to).toBe(API);
            expect(request.headers.has(PASS_HEADER)).toBe(false);
            const isRead = request.method === "GET" || request.method === "HEAD";
            const isException =
              request.method === "POST" && /^\/app\/(installations\/\d+\/access_tokens|hook\/deliveries\/\d+\/attempts)$/.test(pathname);
            const isQuery =
              request.method === "POST" &&
              pathname === "/graphql" &&
              typeof request.body === "string" &&
              !/mutation|subscription/i.test(request.body);
            expect(isRead || isException || isQuery).toBe(true);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("with a pass", () => {
  const path = "/repos/a/b/issues/1/comments";
  const body = '{"body":"Hé"}';

  test.for([
    ["text", body],
    ["bytes", new TextEncoder().encode(body)],
  ] as const)("its one request leaves, as %s, without the pass on it", async ([, sending]) => {
    const ledger = fakeLedger();
    const { fetch, sent } = guarded({ ledger });
    const pass = ledger.mint({ method: "POST", path, body });
    const answer = await fetch(API + path, {
      method: "POST",
      body: sending,
      headers: { [PASS_HEADER]: pass.id, authorization: "token t" },
    });
    expect(answer.status).toBe(200);
    expect(sent).toMatchObject([{ url: API + path, method: "POST", body }]);
    expect([...(sent[0]?.headers ?? [])]).toEqual([["authorization", "token t"]]);
  });

  test.for([
    ["another method", "PATCH", path, body],
    ["another path", "POST", "/repos/a/b/issues/2/comments", body],
    ["a query added", "POST", `${path}?x=1`, body],
    ["another body", "POST", path, '{"body":"He"}'],
    ["a byte order mark added", "POST", path, `\u{feff}${body}`],
    ["half of a surrogate pair", "POST", path, '{"body":"\ud800"}'],
  ] as const)("%s does not leave, and the pass is spent", async ([, method, to, text]) => {
    const ledger = fakeLedger();
    const { fetch, sent } = guarded({ ledger });
    const pass = ledger.mint({ method: "POST", path, body });
    expect((await fetch(API + to, { method, body: text, headers: { [PASS_HEADER]: pass.id } })).status).toBe(403);
    expect(sent).toEqual([]);
  });

  test("the same request does not leave twice", async () => {
    const ledger = fakeLedger();
    const { fetch, sent } = guarded({ ledger });
    const init = { method: "POST", body, headers: { [PASS_HEADER]: ledger.mint({ method: "POST", path, body }).id } };
    expect([(await fetch(API + path, init)).status, (await fetch(API + path, init)).status]).toEqual([200, 403]);
    expect(sent).toHaveLength(1);
  });

  test("bytes that are changed while they are judged are sent as they were judged", async () => {
    const bytes = new TextEncoder().encode(body);
    const ledger: PassLedger = {
      redeem: () => {
        bytes.fill(120);
        return { ok: true };
      },
    };
    const { fetch, sent } = guarded({ ledger });
    await fetch(API + path, { method: "POST", body: bytes, headers: { [PASS_HEADER]: "p" } });
    expect(sent).toMatchObject([{ body }]);
  });

  test("is asked about with the run in whose session it is sent, and told what GitHub made, once", async () => {
    const asked: (string | undefined)[] = [];
    const told: string[] = [];
    const ledger: PassLedger = {
      redeem: (_, __, runId) => {
        asked.push(runId);
        return { ok: true, answered: (answer) => void told.push(answer) };
      },
    };
    const answers = [
      new Response('{"sha":"a"}', { status: 201 }),
      new Response('{"message":"no"}', { status: 422 }),
      moved("https://evil.example/", 307),
    ];
    const { fetch } = guarded({ ledger, answers, runId: "run-7" });
    const init = { method: "POST", body, headers: { [PASS_HEADER]: "p" } };
    const first = await fetch(API + path, init);
    expect(await first.text()).toBe('{"sha":"a"}');
    await fetch(API + path, init);
    await fetch(API + path, init);
    expect(asked).toEqual(["run-7", "run-7", "run-7"]);
    expect(told).toEqual(['{"sha":"a"}']);
  });

  test("a ledger that fails lets nothing out", async () => {
    const ledger: PassLedger = {
      redeem: () => {
        throw new Error("broken");
      },
    };
    const { fetch, sent } = guarded({ ledger });
    expect((await fetch(API + path, { method: "POST", body, headers: { [PASS_HEADER]: "p" } })).status).toBe(403);
    expect(sent).toEqual([]);
  });

  test("a write that GitHub redirects is not sent on, and not taken for a success", async () => {
    const ledger = fakeLedger();
    const { fetch, sent } = guarded({ ledger, answers: [moved(`${API}/repositories/7/issues`, 307)] });
    const pass = ledger.mint({ method: "POST", path, body });
    expect((await fetch(API + path, { method: "POST", body, headers: { [PASS_HEADER]: pass.id } })).status).toBe(403);
    expect(sent).toHaveLength(1);
  });
});

describe("redirects of reads", () => {
  const headers = { authorization: "token t", cookie: "c=1", accept: "application/json", "x-own": "1" };

  test("stay authenticated inside the API", async () => {
    const { fetch, sent } = guarded({ answers: [moved("/repositories/7", 301)] });
    expect((await fetch(`${API}/repos/a/b`, { headers })).status).toBe(200);
    expect(sent.map(({ url, headers }) => [url, headers.get("authorization")])).toEqual([
      [`${API}/repos/a/b`, "token t"],
      [`${API}/repositories/7`, "token t"],
    ]);
  });

  test("carry nothing but harmless headers elsewhere, and nothing back", async () => {
    const { fetch, sent } = guarded({ answers: [moved("https://logs.example/1?sig=x"), moved(`${API}/user`)] });
    await fetch(`${API}/repos/a/b/actions/jobs/1/logs`, { headers });
    expect(sent.map(({ url, headers }) => [url, [...headers].map(([name]) => name)])).toEqual([
      [`${API}/repos/a/b/actions/jobs/1/logs`, ["accept", "authorization", "cookie", "x-own"]],
      ["https://logs.example/1?sig=x", ["accept"]],
      [`${API}/user`, ["accept"]],
    ]);
  });

  test.for(["http://logs.example/1", "file:///etc/passwd", "https://"])("to %s are not followed", async (location) => {
    const { fetch, sent } = guarded({ answers: [moved(location)] });
    expect((await fetch(`${API}/user`, { headers })).status).toBe(302);
    expect(sent).toHaveLength(1);
  });

  test("end after five", async () => {
    const { fetch, sent } = guarded({ answers: Array.from({ length: 20 }, () => moved(`${API}/again`)) });
    expect((await fetch(`${API}/user`)).status).toBe(302);
    expect(sent).toHaveLength(6);
  });

  test("are given back to who asks for them", async () => {
    const { fetch, sent } = guarded({ answers: [moved("https://logs.example/1")] });
    expect((await fetch(`${API}/user`, { redirect: "manual" })).headers.get("location")).toBe("https://logs.example/1");
    expect(sent).toHaveLength(1);
  });
});

describe("an Enterprise server", () => {
  const at = { baseUrl: "https://ghe.example/api/v3", graphqlUrl: "https://ghe.example/api/graphql" };
  test("is asked under its API only", async () => {
    const { fetch, sent } = guarded(at);
    const statuses: number[] = [];
    for (const url of ["/api/v3/user", "/api/v3evil/user", "/login", "/api/v3/../../setup"])
      statuses.push((await fetch(`https://ghe.example${url}`)).status);
    expect(statuses).toEqual([200, 403, 403, 403]);
    expect(sent.map(({ url }) => url)).toEqual(["https://ghe.example/api/v3/user"]);
  });

  test("takes GraphQL reads at its own address", async () => {
    const { fetch, sent } = guarded(at);
    const read = { method: "POST", body: query("{ x }") };
    expect([(await fetch(at.graphqlUrl, read)).status, (await fetch("https://ghe.example/api/v3/graphql", read)).status]).toEqual([
      200, 403,
    ]);
    expect(sent).toHaveLength(1);
  });
});

test("a body counts as a GraphQL read only when it comes back the same from every parser", () => {
  fc.assert(
    fc.property(fc.json(), (body) => {
      if (isGraphqlRead(body)) expect(JSON.parse(body)).toMatchObject({ query: expect.any(String) as string });
    }),
  );
});

describe("an Octokit over the guard", () => {
  const EXCEPTIONS = new Set(["apps.createInstallationAccessToken", "apps.redeliverWebhookDelivery"]);
  function writes() {
    const { rest } = sessionOn(API, fakeLedger()).octokit;
    const names = Object.entries(rest).flatMap(([scope, methods]) => Object.keys(methods).map((name) => [scope, name] as const));
    return names.flatMap(([scope, name]) => {
      const { endpoint } =
        (rest as unknown as Record<string, Record<string, { endpoint: { DEFAULTS: { method: string; url: string } } }>>)[scope]?.[name] ??
        {};
      return endpoint === undefined || endpoint.DEFAULTS.method === "GET" ? [] : [{ id: `${scope}.${name}`, ...endpoint.DEFAULTS }];
    });
  }

  test("can send none of the writes that it knows", async () => {
    const sent: string[] = [];
    const network: typeof fetch = (input) => {
      sent.push(input as string);
      return Promise.resolve(new Response("{}"));
    };
    const { octokit } = sessionOn(API, fakeLedger(), undefined, network);
    const all = writes().filter(({ id }) => !EXCEPTIONS.has(id));
    expect(all.length).toBeGreaterThan(400);
    for (const { id, method, url } of all) {
      const parameters = Object.fromEntries([...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, "1"]));
      const error: unknown = await octokit
        .request({ method: method as "POST", url, ...parameters, origin: "https://uploads.github.com" })
        .catch((error: unknown) => error);
      expect(error, id).toMatchObject({ status: 403 });
    }
    expect(sent).toEqual([]);
  });

  test("answers a merge, an approval and a mutation with a refusal", async () => {
    const { octokit } = sessionOn(API, fakeLedger(), undefined, () => Promise.reject(new Error("left")));
    const target = { owner: "acme", repo: "app", pull_number: 1 };
    await expect(octokit.rest.pulls.merge(target)).rejects.toThrow("Refused by Sallyport");
    await expect(octokit.rest.pulls.createReview({ ...target, event: "APPROVE" })).rejects.toThrow("Refused by Sallyport");
    await expect(octokit.rest.repos.delete({ owner: "acme", repo: "app" })).rejects.toThrow("Refused by Sallyport");
    await expect(octokit.graphql('mutation { deleteRef(input: { refId: "x" }) { clientMutationId } }')).rejects.toThrow(
      "Refused by Sallyport",
    );
  });
});
