import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { advisories } from "../../../src/commands/advisories.ts";
import { loadStored, storedAdvisoriesFile } from "../../../src/gate/advisories/stored-file.ts";
import { loopback, type Arrived } from "../github/loopback.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const room = mkdtempSync(join(tmpdir(), "advisories-command-"));
afterAll(() => rmSync(room, { recursive: true }));

const osv = (id: string, name: string, more: object = {}) => ({
  id: `GHSA-${id}`,
  modified: "2026-11-20T00:00:00Z",
  affected: [{ package: { ecosystem: "npm", name }, ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "2.0.0" }] }] }],
  database_specific: { severity: "HIGH", github_reviewed: true },
  ...more,
});
/** What GitHub's database looks like, in small; a long folder name makes tar use its own way to say it. */
const DATABASE: Readonly<Record<string, object>> = {
  [`advisories/github-reviewed/2026/11/${"long".repeat(20)}/GHSA-1.json`]: osv("1", "left"),
  "advisories/github-reviewed/2026/10/GHSA-2/GHSA-2.json": osv("2", "right", { modified: "2026-11-28T00:00:00Z" }),
  "advisories/github-reviewed/2026/10/GHSA-3/GHSA-3.json": osv("3", "gone", { withdrawn: "2026-11-01T00:00:00Z" }),
  "advisories/github-reviewed/2026/10/GHSA-6/GHSA-6.json": osv("6", "later", { modified: "2099-01-01T00:00:00Z" }),
  "advisories/unreviewed/2026/10/GHSA-4/GHSA-4.json": osv("4", "unseen"),
  ".github/labels.json": { not: "an advisory" },
};

/** A folder of its own with these files, and what the command makes of a data folder beside it. */
function scene(files: Readonly<Record<string, object | string | Buffer>> = {}) {
  const cwd = mkdtempSync(join(room, "scene-"));
  for (const [name, content] of Object.entries(files)) {
    const path = join(cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  }
  const said: string[] = [];
  return {
    cwd,
    said,
    stored: () => loadStored(storedAdvisoriesFile(join(cwd, "data")))(),
    call: (words: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
      advisories(words, {
        cwd,
        variables: { SALLYPORT_DATA_DIR: "data", ...variables },
        write: (text) => void said.push(text),
        now: () => NOW,
      }),
  };
}
const within = (folder: string, files: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));

describe("sallyport advisories import", () => {
  it.each<[string, (cwd: string) => string]>([
    ["a checkout of GitHub's database", () => "advisory-database-main"],
    [
      "an archive of it",
      (cwd) => {
        execFileSync("tar", ["--format=gnu", "-czf", "all.tar.gz", "advisory-database-main"], { cwd });
        return "all.tar.gz";
      },
    ],
    [
      "an archive in the other way of tar",
      (cwd) => {
        execFileSync("tar", ["--format=pax", "-czf", "all.tgz", "advisory-database-main"], { cwd });
        return "all.tgz";
      },
    ],
  ])("takes what is reviewed from %s", async (_, make) => {
    const { call, cwd, said, stored } = scene(within("advisory-database-main", DATABASE));
    expect(await call(["import", make(cwd)])).toBe(0);
    const database = await stored();
    expect([...(database?.advisories.keys() ?? [])].sort()).toEqual(["GHSA-1", "GHSA-2", "GHSA-6"]);
    // The newest change that can have happened.
    expect(database?.asOf).toBe("2026-11-28T00:00:00.000Z");
    expect(said.join("")).toContain("3 advisories (0 of malware) up to 2026-11-28");
    expect(said.join("")).toContain("npm 3");
    expect(said.join("")).toContain("Left out as withdrawn or not reviewed: 1.");
  });

  it.each([
    ["lines of JSON", "all.jsonl", (text: string) => text],
    ["packed lines of JSON", "all.jsonl.gz", (text: string) => gzipSync(text)],
  ])("takes %s", async (_, name, pack) => {
    const text = `${[osv("1", "left"), osv("2", "right")].map((one) => JSON.stringify(one)).join("\n")}\n`;
    const { call, stored } = scene({ [name]: pack(text) });
    expect(await call(["import", name])).toBe(0);
    expect((await stored())?.advisories.size).toBe(2);
  });

  it.each<[string, Readonly<Record<string, object | string | Buffer>>, string, RegExp]>([
    ["a file that is no advisory", { "some/a.json": osv("1", "left"), "some/b.json": { b: 1 } }, "some", /b\.json is no advisory/],
    ["a file that is no JSON", { "some/a.json": "{" }, "some", /a\.json is no advisory/],
    ["nothing but what is withdrawn", { "some/a.json": osv("1", "left", { withdrawn: "2026-01-01T00:00:00Z" }) }, "some", /no advisory/],
    ["an empty folder", { "some/readme.md": "x" }, "some", /holds no advisory/],
    ["nothing there", {}, "some", /cannot be read/],
    ["another kind of file", { "some.zip": "PK" }, "some.zip", /neither a folder nor/],
    ["an archive that is none", { "a.tar.gz": gzipSync("x".repeat(600)) }, "a.tar.gz", /no tar archive/],
    ["an archive that ends early", { "a.tar": Buffer.alloc(100, 1) }, "a.tar", /ends too early/],
    ["a line that is none", { "a.jsonl": `${JSON.stringify(osv("1", "left"))}\n{\n` }, "a.jsonl", /a\.jsonl:2 is no advisory/],
  ])("refuses %s and stores nothing", async (_, files, path, why) => {
    const { call, stored } = scene(files);
    await expect(call(["import", path])).rejects.toThrow(why);
    expect(await stored()).toBeUndefined();
  });
});

describe("sallyport advisories update", () => {
  const listed = (id: string, name: string, more: object = {}) => ({
    ghsa_id: `GHSA-${id}`,
    severity: "critical",
    type: "reviewed",
    withdrawn_at: null,
    vulnerabilities: [{ package: { ecosystem: "npm", name }, vulnerable_version_range: "< 3.0.0", first_patched_version: "3.0.0" }],
    ...more,
  });
  const queryOf = ({ path }: Arrived) => Object.fromEntries(new URL(path, "http://x").searchParams);
  const variablesFor = (baseUrl: string) => ({ GHE_HOST: new URL(baseUrl).host, GHE_PROTOCOL: "http", GITHUB_TOKEN: "a-token-for-tests" });

  it("takes what GitHub changed since over what is stored", async () => {
    const { call, stored, said } = scene({ "all.jsonl": `${JSON.stringify(osv("1", "left"))}\n${JSON.stringify(osv("2", "right"))}\n` });
    await call(["import", "all.jsonl"]);
    await using github = await loopback((request) => {
      const { type } = queryOf(request);
      const body =
        type === "malware" ? [listed("9", "evil", { type })] : [listed("1", "left"), listed("2", "right", { withdrawn_at: "2026-11-29" })];
      return { status: 200, body };
    });
    expect(await call(["update"], variablesFor(github.baseUrl))).toBe(0);
    const { advisories: now, asOf } = (await stored()) ?? {};
    expect([...(now?.keys() ?? [])].sort()).toEqual(["GHSA-1", "GHSA-9"]);
    expect(now?.get("GHSA-1")).toMatchObject({ severity: "critical", affects: [{ ecosystem: "npm", name: "left", range: "< 3.0.0" }] });
    expect(now?.get("GHSA-9")?.isMalware).toBe(true);
    expect(asOf).toBe(new Date(NOW).toISOString());
    expect(github.requests.map(queryOf)).toEqual(
      ["reviewed", "malware"].map((type) => ({ type, sort: "updated", direction: "asc", per_page: "100", modified: ">=2026-11-19" })),
    );
    expect(said.join("")).toContain("GitHub listed 3 advisories changed since 2026-11-19.");
  });

  it("asks for all where nothing is stored", async () => {
    const { call, stored } = scene();
    await using github = await loopback((request) => ({
      status: 200,
      body: queryOf(request)["type"] === "reviewed" ? [listed("1", "left")] : [],
    }));
    expect(await call(["update"], variablesFor(github.baseUrl))).toBe(0);
    expect((await stored())?.advisories.size).toBe(1);
    expect(github.requests.map(queryOf).every((query) => query["modified"] === undefined)).toBe(true);
  });

  it.each([
    ["fails in between", { status: 422, body: { message: "no" } }],
    ["answers something else", { status: 200, body: [{ hello: 1 }] }],
    ["has none at all", { status: 200, body: [] }],
  ])("stores nothing when GitHub %s", async (_, answer) => {
    const { call, stored } = scene();
    await using github = await loopback((request) =>
      queryOf(request)["type"] === "reviewed" && answer.status !== 200 ? { status: 200, body: [listed("1", "left")] } : answer,
    );
    await expect(call(["update"], variablesFor(github.baseUrl))).rejects.toThrow();
    expect(await stored()).toBeUndefined();
  });

  it("needs a token, and says so", async () => {
    await expect(scene().call(["update"])).rejects.toThrow(/GITHUB_TOKEN is missing/);
  });
});

describe("sallyport advisories status", () => {
  it("says what is stored, and fails where nothing is", async () => {
    const { call, said } = scene({ "all.jsonl": `${JSON.stringify(osv("1", "left"))}\n` });
    expect(await call(["status"])).toBe(1);
    await call(["import", "all.jsonl"]);
    expect(await call(["status"])).toBe(0);
    expect(said.at(-1)).toContain("1 advisories (0 of malware) up to 2026-11-20");
  });

  it.each([[[]], [["export"]], [["import"]], [["import", "a", "b"]]])("is not guessed from %j", async (words) => {
    await expect(scene().call(words)).rejects.toThrow(/import .*, update, or status/);
  });
});
