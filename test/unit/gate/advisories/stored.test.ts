import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import type { AdvisorySource } from "../../../../src/core/advisory.ts";
import { loadStored, storeAdvisories, storedAdvisoriesFile } from "../../../../src/gate/advisories/stored-file.ts";
import { storedSource, withFallback } from "../../../../src/gate/advisories/stored-source.ts";
import type { AdvisoryDatabase, StoredAdvisory } from "../../../../src/gate/advisories/stored.ts";
import { decodeDatabase, encodeDatabase } from "../../../../src/gate/advisories/stored.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const advisory = (id: string, ecosystem: string, name: string, range: string, more: Partial<StoredAdvisory> = {}): StoredAdvisory => ({
  id,
  severity: "high",
  isMalware: false,
  affects: [{ ecosystem, name, range, patched: "9.9.9" }],
  ...more,
});
const KNOWN = [
  advisory("GHSA-1", "npm", "lodash", "< 4.17.12"),
  advisory("GHSA-2", "npm", "evil", ">= 0", { isMalware: true }),
  advisory("GHSA-3", "pip", "Flask_Login", "< 1.0"),
  advisory("GHSA-4", "nuget", "lodash", "< 100"),
  advisory("GHSA-5", "npm", "next", "< 15.0.0"),
];
const databaseOf = (asOf = "2026-11-29T00:00:00.000Z", known = KNOWN): AdvisoryDatabase => ({
  asOf,
  advisories: new Map(known.map((one) => [one.id, one])),
});
const source = (database: AdvisoryDatabase | undefined = databaseOf()): AdvisorySource =>
  storedSource({ load: () => Promise.resolve(database), now: () => NOW });

const folder = mkdtempSync(join(tmpdir(), "advisories-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("stored advisories", () => {
  it.each<[string, string, string, string, readonly string[]]>([
    ["a version before the mended one", "npm", "lodash", "4.17.11", ["GHSA-1"]],
    ["the mended one", "npm", "lodash", "4.17.12", []],
    ["any version, where none is named", "npm", "evil", "", ["GHSA-2"]],
    ["another spelling of the name", "pip", "flask-login", "0.9", ["GHSA-3"]],
    ["the same name in another registry", "nuget", "lodash", "4.17.12", ["GHSA-4"]],
    ["a version before the release, by any word", "npm", "next", "15.0.0-insiders.3", ["GHSA-5"]],
    ["a package that is not known", "npm", "right", "1.0.0", []],
  ])("are asked about %s", async (_, ecosystem, name, version, ids) => {
    const answer = await source().affecting(ecosystem, [{ name, version }]);
    expect(answer).toMatchObject({ status: "known", via: "the stored advisories of 2026-11-29" });
    expect(answer.status === "known" && answer.advisories.map(({ id }) => id)).toEqual(ids);
    expect(answer).not.toHaveProperty("doubt");
  });

  it.each([
    ["nothing is stored", undefined, "npm"],
    ["nothing of the registry is stored", databaseOf(), "rust"],
    ["the store is empty", databaseOf(undefined, []), "npm"],
  ])("do not answer where %s", async (_, database, ecosystem) => {
    const load = () => Promise.resolve(database);
    expect((await storedSource({ load }).affecting(ecosystem, [{ name: "a", version: "1.0.0" }])).status).toBe("unavailable");
  });

  it.each([
    ["a week old", "2026-11-23T12:00:00.000Z", false],
    ["older than a week", "2026-11-22T11:00:00.000Z", true],
    ["from the future", "2026-12-05T00:00:00.000Z", true],
  ])("that are %s are doubted when they are silent: %s, %s", async (_, asOf, isDoubted) => {
    const answer = await source(databaseOf(asOf)).affecting("npm", [{ name: "lodash", version: "4.17.11" }]);
    expect(answer).toMatchObject({ status: "known", advisories: [{ id: "GHSA-1" }] });
    expect("doubt" in answer).toBe(isDoubted);
  });

  it("that cannot be loaded do not answer, and say why", async () => {
    const answer = await storedSource({ load: () => Promise.reject(new Error("a broken disk")) }).affecting("npm", []);
    expect(answer).toEqual({ status: "unavailable", why: "a broken disk" });
  });

  it("answer for a source that does not, and say so; else they are not asked", async () => {
    const lost: AdvisorySource = { affecting: () => Promise.resolve({ status: "unavailable", why: "no answer within 8 s" }) };
    const there: AdvisorySource = { affecting: () => Promise.resolve({ status: "known", advisories: [] }) };
    const asked = [{ name: "lodash", version: "4.17.11" }];
    expect(await withFallback(lost, source()).affecting("npm", asked)).toMatchObject({
      status: "known",
      advisories: [{ id: "GHSA-1" }],
      via: "the stored advisories of 2026-11-29, since the source of advisories did not answer (no answer within 8 s)",
    });
    expect(await withFallback(there, source()).affecting("npm", asked)).toEqual({ status: "known", advisories: [] });
    expect(await withFallback(lost, source()).affecting("rust", asked)).toMatchObject({
      status: "unavailable",
      why: expect.stringMatching(/no answer within 8 s; the stored advisories of 2026-11-29 have none of rust/),
    });
  });
});

describe("the stored file", () => {
  it("holds what was stored, to the last range", async () => {
    expect(await decodeDatabase(encodeDatabase(databaseOf()))).toEqual(databaseOf());
  });

  const whole = encodeDatabase(databaseOf());
  it.each([
    ["nothing", ""],
    ["another text", "hello\n"],
    ["another version", whole.replace('"version":1', '"version":2')],
    ["no time", whole.replace("2026-11-29T00:00:00.000Z", "some day")],
    ["a row less", whole.split("\n").toSpliced(2, 1).join("\n")],
    ["half a row", whole.slice(0, -20)],
    ["a row that is none", whole.replace('["npm","lodash"', '[7,"lodash"')],
    ["the same row twice in place of another", whole.replace("GHSA-2", "GHSA-1")],
  ])("is refused when it holds %s", async (_, text) => {
    await expect(decodeDatabase(text)).rejects.toMatchObject({ code: "bad-stored-advisories" });
  });

  it("is read again when it was changed, and answers nothing where it is not there", async () => {
    const file = storedAdvisoriesFile(join(folder, "new"));
    const load = loadStored(file);
    expect(await load()).toBeUndefined();
    await storeAdvisories(file, databaseOf());
    const first = await load();
    expect(first).toEqual(databaseOf());
    expect(await load()).toBe(first);
    await storeAdvisories(file, databaseOf("2026-11-30T00:00:00.000Z"));
    expect((await load())?.asOf).toBe("2026-11-30T00:00:00.000Z");
  });

  it.each([
    ["no gzip", Buffer.from("hello")],
    ["gzip of another thing", gzipSync("hello")],
  ])("that is %s is an error and no silence", async (_, bytes) => {
    const file = join(folder, "damaged.gz");
    writeFileSync(file, bytes);
    utimesSync(file, new Date(), new Date());
    const answer = await storedSource({ load: loadStored(file) }).affecting("npm", []);
    expect(answer.status).toBe("unavailable");
  });
});
