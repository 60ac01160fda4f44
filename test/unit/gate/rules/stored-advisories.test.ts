import { describe, expect, it } from "vitest";
import type { AdvisoryAnswer, AdvisorySource } from "../../../../src/core/advisory.ts";
import { createDependencyReader } from "../../../../src/gate/dependencies/dependency-change.ts";
import { vulnerabilitiesRule } from "../../../../src/gate/rules/vulnerabilities.ts";
import { run, write } from "../fixtures.ts";

const advisories = [
  { id: "GHSA-1", summary: "", severity: "high" as const, isMalware: false, affects: [{ name: "lodash", range: "< 4.17.12" }] },
];
const via = "the stored advisories of 2026-11-29";
const answering = (answer: AdvisoryAnswer): AdvisorySource => ({ affecting: () => Promise.resolve(answer) });
const silence = answering({ status: "unavailable", why: "no answer within 8 s" });
const fresh = answering({ status: "known", advisories, via });
const old = answering({ status: "known", advisories, via, doubt: "the stored advisories are 9 days old (limit 7)" });
const bare = answering({ status: "unavailable", why: `${via} have none of npm` });
const clean = answering({ status: "known", advisories: [] });

async function found(version: string, online: AdvisorySource | "off" | undefined, stored: AdvisorySource | undefined) {
  const rule = vulnerabilitiesRule({
    read: createDependencyReader({ basePaths: () => [], baseFile: () => undefined }),
    policy: { block: "high", warn: "low", isOnline: online !== "off" },
    advisories: () => (online === "off" ? undefined : online),
    stored: () => stored,
  });
  return rule.check(write("package.json", JSON.stringify({ dependencies: { lodash: version } })), run);
}

describe("where known vulnerabilities are looked up", () => {
  it.each<[string, string, AdvisorySource | "off" | undefined, AdvisorySource | undefined, readonly string[]]>([
    ["GitHub answers", "4.17.12", clean, old, []],
    ["GitHub is silent, and the store is fresh", "4.17.12", silence, fresh, ["info"]],
    ["GitHub is silent, and the store knows of one", "4.17.11", silence, fresh, ["block", "info"]],
    ["GitHub is silent, and the store is old", "4.17.12", silence, old, ["ask"]],
    ["GitHub is silent, and the old store knows of one", "4.17.11", silence, old, ["block", "ask"]],
    ["GitHub is silent, and the store lacks the registry", "4.17.12", silence, bare, ["ask"]],
    ["GitHub is silent, and nothing is stored", "4.17.12", silence, undefined, ["ask"]],
    ["nobody can ask GitHub, and the store is fresh", "4.17.12", undefined, fresh, ["info"]],
    ["there is nobody to ask", "4.17.12", undefined, undefined, ["ask"]],
    ["GitHub must not be asked, and the store is fresh", "4.17.12", "off", fresh, ["info"]],
    ["GitHub must not be asked, and the store knows of one", "4.17.11", "off", fresh, ["block", "info"]],
    ["GitHub must not be asked, and the store is old", "4.17.12", "off", old, ["ask"]],
    ["GitHub must not be asked, and nothing is stored", "4.17.12", "off", undefined, ["ask"]],
  ])("%s: of lodash %s", async (_, version, online, stored, expected) => {
    expect((await found(version, online, stored)).map(({ severity }) => severity)).toEqual(expected);
  });

  it("is said, and why it was not GitHub", async () => {
    const [told] = await found("4.17.12", silence, fresh);
    expect(told?.why).toContain(`${via}, since the source of advisories did not answer (no answer within 8 s)`);
    const [asked] = await found("4.17.12", silence, old);
    expect(asked?.why).toContain("lodash@4.17.12");
    expect(asked?.why).toContain("9 days old (limit 7)");
  });
});
