import { expect, test } from "vitest";
import { conditionalFetch } from "../../../src/github/conditional-fetch.ts";

const URL_ = "https://api.github.com/repos/acme/widgets";
const ALICE = { headers: { authorization: "token a", accept: "application/json" } };
const BOB = { headers: { authorization: "token b", accept: "application/json" } };

/** A GitHub that holds one body, and answers 304 to who names its tag. */
function gitHub(body: { text: string; headers?: Record<string, string>; status?: number }) {
  const asked: (string | null)[] = [];
  let remaining = 5000;
  const fetch = ((_, init) => {
    const etag = new Headers(init?.headers).get("if-none-match");
    asked.push(etag);
    const tag = `W/"${body.text.length}"`;
    if (etag === tag)
      return Promise.resolve(new Response(null, { status: 304, headers: { etag: tag, "x-ratelimit-remaining": String(remaining) } }));
    remaining -= 1;
    const headers = {
      "content-type": "application/json",
      etag: tag,
      "x-ratelimit-remaining": String(remaining),
      link: "<next>",
      ...body.headers,
    };
    return Promise.resolve(new Response(body.text, { status: body.status ?? 200, headers }));
  }) satisfies typeof globalThis.fetch;
  return { fetch: conditionalFetch(fetch), tags: () => asked };
}

test("what was read before is asked for by its tag, and a 304 is given back as the answer that it stands for", async () => {
  const { fetch, tags } = gitHub({ text: `{"id":1}` });
  for (const expected of [4999, 4999, 4999]) {
    const answer = await fetch(URL_, ALICE);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ id: 1 });
    expect(answer.headers.get("link")).toBe("<next>");
    expect(answer.headers.get("x-ratelimit-remaining")).toBe(String(expected));
  }
  expect(tags()).toEqual([null, `W/"8"`, `W/"8"`]);
});

test("what has changed is read anew, and known by its new tag", async () => {
  const body = { text: `{"id":1}` };
  const { fetch, tags } = gitHub(body);
  await fetch(URL_, ALICE);
  body.text = `{"id":200}`;
  expect(await (await fetch(URL_, ALICE)).json()).toEqual({ id: 200 });
  expect(await (await fetch(URL_, ALICE)).json()).toEqual({ id: 200 });
  expect(tags()).toEqual([null, `W/"8"`, `W/"10"`]);
});

test("nobody is answered from what another credential, address or form has read", async () => {
  const { fetch, tags } = gitHub({ text: `{"id":1}` });
  await fetch(URL_, ALICE);
  await fetch(URL_, BOB);
  await fetch(`${URL_}/issues`, ALICE);
  await fetch(URL_, { headers: { ...ALICE.headers, accept: "application/vnd.github.raw" } });
  expect(tags()).toEqual([null, null, null, null]);
});

test.each([
  ["a write", { ...ALICE, method: "POST", body: "{}" }, {}],
  ["a part of a file", { headers: { ...ALICE.headers, range: "bytes=0-9" } }, {}],
  ["a read without a credential", { headers: { accept: "application/json" } }, {}],
  ["what is no JSON", ALICE, { headers: { "content-type": "text/plain" } }],
  ["a refusal", ALICE, { status: 404 }],
  ["what is large", ALICE, { text: JSON.stringify("x".repeat(200_000)) }],
] as const)("%s is asked for as it is, each time", async (_, request, body) => {
  const { fetch, tags } = gitHub({ text: `{"id":1}`, ...body });
  for (let time = 0; time < 2; time += 1) await (await fetch(URL_, request)).text();
  expect(tags()).toEqual([null, null]);
});

test("a refusal takes away what was kept: whoever may not see it any more is not answered from before", async () => {
  const body: { text: string; status?: number } = { text: `{"id":1}` };
  const { fetch, tags } = gitHub(body);
  await fetch(URL_, ALICE);
  body.text = "{}";
  body.status = 404;
  expect((await fetch(URL_, ALICE)).status).toBe(404);
  await fetch(URL_, ALICE);
  expect(tags()).toEqual([null, `W/"8"`, null]);
});

test("the oldest go when there is too much", async () => {
  const { fetch, tags } = gitHub({ text: JSON.stringify("x".repeat(100_000)) });
  for (let number = 0; number < 200; number += 1) await fetch(`${URL_}/${number}`, ALICE);
  await fetch(`${URL_}/0`, ALICE);
  await fetch(`${URL_}/199`, ALICE);
  expect(tags().slice(200)).toEqual([null, `W/"100002"`]);
});
