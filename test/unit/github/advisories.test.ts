import { describe, expect, test } from "vitest";
import type { Advisory } from "../../../src/core/advisory.ts";
import { createAdvisorySources } from "../../../src/github/advisories.ts";
import type { Answer, Arrived } from "./loopback.ts";
import { fakeLedger, handClock, loopback, sessionOn } from "./loopback.ts";

const shown = (id: string, more: object = {}) => ({
  ghsa_id: `GHSA-${id}`,
  summary: "Something",
  severity: "high",
  type: "reviewed",
  withdrawn_at: null,
  vulnerabilities: [
    { package: { ecosystem: "npm", name: "lodash" }, vulnerable_version_range: "< 4.17.12", first_patched_version: "4.17.12" },
  ],
  ...more,
});
const queryOf = ({ path }: Arrived) => Object.fromEntries(new URL(path, "http://x").searchParams);

/** A GitHub that answers with these, by the type that is asked for. */
async function asking(
  answer: (query: Record<string, string>, request: Arrived) => Answer,
  options: Parameters<typeof createAdvisorySources>[0] = {},
) {
  const github = await loopback((request) => answer(queryOf(request), request));
  const clock = handClock();
  const sources = createAdvisorySources({ now: () => clock.now(), ...options });
  return {
    github,
    clock,
    sources,
    source: sources(sessionOn(github.baseUrl, fakeLedger(), clock)),
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}
const nothing = (): Answer => ({ status: 200, body: [] });
const lodash = [{ name: "lodash", version: "4.17.11" }];

describe("advisories", () => {
  test("are asked for by name and version, reviewed ones and malware", async () => {
    await using world = await asking(({ type }) => ({ status: 200, body: [shown(type ?? "", { type, severity: "critical" })] }));
    const answer = await world.source.affecting("npm", [...lodash, { name: "@a/b", version: "1.0.0" }, { name: "any", version: "" }]);
    const affects = { name: "lodash", range: "< 4.17.12", patched: "4.17.12" };
    expect(answer).toEqual({
      status: "known",
      advisories: [
        { id: "GHSA-reviewed", summary: "Something", severity: "critical", isMalware: false, affects: [affects] },
        { id: "GHSA-malware", summary: "Something", severity: "critical", isMalware: true, affects: [affects] },
      ] satisfies Advisory[],
    });
    const queries = world.github.requests.map(queryOf);
    expect(new Set(queries.map(({ type }) => type))).toEqual(new Set(["malware", "reviewed"]));
    for (const query of queries)
      expect(query).toMatchObject({ ecosystem: "npm", affects: "lodash@4.17.11,@a/b@1.0.0,any", per_page: "100" });
  });

  test("are read over all pages", async () => {
    await using world = await asking(({ page = "1", type }, { headers }) => ({
      status: 200,
      body: [shown(`${type}-${page}`)],
      headers:
        Number(page) < 3 ? { link: `<http://${headers.host}/api/v3/advisories?type=${type}&page=${Number(page) + 1}>; rel="next"` } : {},
    }));
    const answer = await world.source.affecting("npm", lodash);
    expect(answer.status === "known" && answer.advisories.length).toBe(6);
  });

  test("that do not end are not taken for the whole", async () => {
    await using world = await asking(({ page = "1", type }, { headers }) => ({
      status: 200,
      body: [],
      headers: { link: `<http://${headers.host}/api/v3/advisories?type=${type}&page=${Number(page) + 1}>; rel="next"` },
    }));
    expect(await world.source.affecting("npm", lodash)).toMatchObject({
      status: "unavailable",
      why: expect.stringContaining("pages") as string,
    });
  });

  test("of many packages are asked for in addresses that servers take", async () => {
    await using world = await asking(nothing);
    const many = Array.from({ length: 1_500 }, (_, index) => ({ name: `@scope/package-number-${index}`, version: "1.0.0" }));
    expect(await world.source.affecting("npm", many)).toEqual({ status: "known", advisories: [] });
    expect(Math.max(...world.github.requests.map(({ path }) => path.length))).toBeLessThan(8_000);
    const asked = world.github.requests.map(queryOf).flatMap(({ affects = "", type }) => (type === "malware" ? affects.split(",") : []));
    expect(new Set(asked).size).toBe(1_500);
  });

  test("cannot be led astray by a name that holds a comma", async () => {
    await using world = await asking(nothing);
    await world.source.affecting("npm", [{ name: "a,b", version: "1.0.0, c@2" }]);
    expect(world.github.requests.map(queryOf).map(({ affects }) => affects)).toEqual(["ab@1.0.0c@2", "ab@1.0.0c@2"]);
  });

  test("are remembered for some minutes, for every run of the process", async () => {
    await using world = await asking(nothing);
    await world.source.affecting("npm", lodash);
    await world.sources(sessionOn(world.github.baseUrl, fakeLedger(), world.clock)).affecting("npm", lodash);
    expect(world.github.requests).toHaveLength(2);
    await world.source.affecting("pip", lodash);
    expect(world.github.requests).toHaveLength(4);
    await world.clock.sleep(11 * 60_000);
    await world.source.affecting("npm", lodash);
    expect(world.github.requests).toHaveLength(6);
  });

  test.for<[string, Answer]>([
    ["server errors", { status: 500 }],
    ["a missing endpoint", { status: 404, body: { message: "Not Found" } }],
    ["a refusal", { status: 403, body: { message: "Resource not accessible by integration" } }],
    ["something that is no list", { status: 200, body: { message: "hello" } }],
    ["something that is no advisory", { status: 200, body: [{ ghsa_id: 7 }] }],
    ["an advisory without packages", { status: 200, body: [shown("x", { vulnerabilities: null })] }],
    ["a broken connection", "reset"],
    ["half an answer", "half"],
  ])("are unavailable after %s, which is not tried again at once", async ([, answer]) => {
    await using world = await asking(() => answer);
    expect(await world.source.affecting("npm", lodash)).toMatchObject({ status: "unavailable", why: expect.any(String) as string });
    const { length } = world.github.requests;
    expect(await world.source.affecting("npm", lodash)).toMatchObject({ status: "unavailable" });
    expect(world.github.requests).toHaveLength(length);
    await world.clock.sleep(30_000);
    await world.source.affecting("npm", lodash);
    expect(world.github.requests.length).toBeGreaterThan(length);
  });

  test("are unavailable when one of the two lists is", async () => {
    await using world = await asking(({ type }) => (type === "malware" ? { status: 404 } : { status: 200, body: [] }));
    expect(await world.source.affecting("npm", lodash)).toMatchObject({ status: "unavailable" });
  });

  test("are unavailable when nobody answers in time, a token included", async () => {
    await using world = await asking(nothing, { timeLimitMs: 50 });
    expect(await world.source.affecting("npm", [])).toEqual({ status: "known", advisories: [] });
    await using mute = await asking(() => "hang", { timeLimitMs: 50 });
    expect(await mute.source.affecting("npm", lodash)).toEqual({ status: "unavailable", why: "no answer within 0.05 s" });
    const session = sessionOn(world.github.baseUrl, fakeLedger(), world.clock);
    session.octokit.hook.before("request", () => new Promise(() => undefined));
    expect(await world.sources(session).affecting("npm", [{ name: "other", version: "1.0.0" }])).toMatchObject({ status: "unavailable" });
  });

  test("that were withdrawn do not count, and what is said of them is bounded", async () => {
    const body = [
      shown("old", { withdrawn_at: "2020-01-01T00:00:00Z" }),
      shown("new", { summary: "x".repeat(5_000), severity: "dreadful" }),
    ];
    await using world = await asking(({ type }) => ({ status: 200, body: type === "reviewed" ? body : [] }));
    const answer = await world.source.affecting("npm", lodash);
    expect(answer).toMatchObject({ status: "known", advisories: [{ id: "GHSA-new", severity: "unknown" }] });
    expect(answer.status === "known" && answer.advisories[0]?.summary.length).toBe(200);
  });
});
