import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { adapter as naive } from "../../../packages/write-path-corpus/adapters/naive-push.ts";
import { adapter as sallyport } from "../../../packages/write-path-corpus/adapters/sallyport-gate.ts";
import { corpusCases, playCase, runCorpus, scorecardOf, scorecardText } from "../../../packages/write-path-corpus/src/index.ts";
import type { Adapter, CorpusCase, Scorecard } from "../../../packages/write-path-corpus/src/index.ts";

const folder = fileURLToPath(new URL("../../../packages/write-path-corpus/", import.meta.url));
const cases = corpusCases();
function caseNamed(id: string): CorpusCase {
  const found = cases.find((one) => one.id === id);
  if (found === undefined) throw new TypeError(`There is no case ${id}.`);
  return found;
}

describe("the cases", () => {
  it("are more than a hundred attacks and dozens of what looks like them, at all doors", () => {
    expect(cases.filter(({ kind }) => kind === "attack").length).toBeGreaterThan(140);
    expect(cases.filter(({ kind }) => kind === "benign").length).toBeGreaterThan(25);
    expect(new Set(cases.map(({ door }) => door))).toEqual(new Set(["files", "message", "branch", "comment"]));
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });

  it("hold no macro that was not expanded, and say why they are there and where they come from", () => {
    for (const { text, branch, files, why, source, id } of cases) {
      const all = [text, branch, ...Object.entries(files).flatMap(([path, bytes]) => [path, Buffer.from(bytes).toString("latin1")])];
      expect(all.join("\n"), id).not.toMatch(/\{\{\w+[:|}]/);
      expect([why, source], id).not.toContain("");
    }
  });
});

describe("a bot that pushes whatever it has", () => {
  it.each(["ci-001", "secret-012", "secret-041", "ref-013", "secret-013", "output-001"])("publishes the attack %s", async (id) => {
    expect(await playCase(caseNamed(id), naive)).toMatchObject({ outcome: "published", good: false });
  });

  it.each(["ok-path-006", "ok-output-005"])("publishes what is benign: %s", async (id) => {
    expect(await playCase(caseNamed(id), naive)).toMatchObject({ outcome: "published", good: true });
  });

  it.each(["path-001", "git-002"])("is seen to write where no push would show it: %s", async (id) => {
    expect(await playCase(caseNamed(id), naive)).toMatchObject({
      outcome: "published",
      good: false,
      saw: [expect.stringContaining("outside")],
    });
  });
});

describe("a bot behind the gate's command", () => {
  it("holds attacks and lets pass what looks like one", async () => {
    const some = ["ci-001", "ok-ci-002"].map(caseNamed);
    const scorecard = scorecardOf(sallyport, await runCorpus(sallyport, { cases: some }));
    expect(scorecard).toMatchObject({ total: { held: 1, attacks: 1, passed: 1, benign: 1 }, misses: [], untrue: [] });
  });
});

describe("what a bot says of itself", () => {
  const saying = (outcome: "published" | "blocked", real: boolean): Adapter => ({
    ...naive,
    async prepare(one, ground) {
      const prepared = await naive.prepare(one, ground);
      return {
        async act() {
          if (real) await prepared.act();
          return { outcome };
        },
      };
    },
  });

  it("is not believed when it publishes what it says it blocked", async () => {
    const results = await runCorpus(saying("blocked", true), { cases: [caseNamed("ci-001")] });
    expect(results).toMatchObject([{ outcome: "published", good: false, untrue: "blocked" }]);
    expect(scorecardText(scorecardOf(naive, results))).toContain("It said something else than what was seen of: ci-001.");
  });

  it("is not believed when nothing came of what it says it published", async () => {
    expect(await playCase(caseNamed("ok-path-001"), saying("published", false))).toMatchObject({ outcome: "failed", good: false });
  });
});

test.each(["naive-push", "sallyport-gate"])("the scorecard of %s is of the rows that there are", (name) => {
  const card = JSON.parse(readFileSync(join(folder, "scorecards", `${name}.json`), "utf8")) as Scorecard;
  const played = cases.filter(({ door }) => card.doors.includes(door));
  // A row that is added makes it stale.
  expect(card.total.attacks).toBeGreaterThanOrEqual(played.filter(({ kind }) => kind === "attack").length);
  expect(card.total.benign).toBeGreaterThanOrEqual(played.filter(({ kind }) => kind === "benign").length);
  expect(readFileSync(join(folder, "scorecards", `${name}.md`), "utf8")).toBe(scorecardText(card));
});

test("the package needs nothing of the product that it was written for", () => {
  const files = globSync("{src,adapters}/*.ts", { cwd: folder });
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    for (const [, from = ""] of readFileSync(join(folder, file), "utf8").matchAll(/from "([^"]+)"/g)) {
      const isOwn = from.startsWith(".") && !relative(folder, resolve(folder, file, "..", from)).startsWith("..");
      expect(isOwn || from.startsWith("node:"), `${file}: ${from}`).toBe(true);
    }
  }
});

test("the package is built into JavaScript that runs", () => {
  const out = mkdtempSync(join(tmpdir(), "write-path-corpus-"));
  try {
    const tsc = fileURLToPath(new URL("../../../node_modules/ts7/bin/tsc", import.meta.url));
    execFileSync(process.execPath, [tsc, "--project", join(folder, "tsconfig.json"), "--outDir", out]);
    const { status, stderr } = spawnSync(process.execPath, [join(out, "src/cli.js")], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 2, stderr: "write-path-corpus: name the module of an adapter\n" });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});
