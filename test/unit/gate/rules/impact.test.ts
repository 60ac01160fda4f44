import { expect, it } from "vitest";
import { builtInRules } from "../../../../src/gate/rules.ts";
import { defaultPolicy } from "../../../../src/gate/policy.ts";
import { impactRule, type Reach } from "../../../../src/gate/rules/impact.ts";
import { commit, run, scope } from "../fixtures.ts";

const judge = (reach: Reach | undefined, thresholds: { warn?: number; ask?: number }) =>
  impactRule({ thresholds, reachOf: () => reach }).check(commit({ "src/0.ts": { before: "a", after: "b" } }), run);

it.each<[string, Reach | undefined, { warn?: number; ask?: number }, readonly string[]]>([
  ["below both thresholds nothing is said", { reached: 10, untested: [] }, { warn: 10, ask: 100 }, []],
  ["above the first it warns", { reached: 11, untested: [] }, { warn: 10, ask: 100 }, ["warn"]],
  ["above the second it asks", { reached: 101, untested: [] }, { warn: 10, ask: 100 }, ["ask"]],
  ["with only the second set it asks above it", { reached: 2, untested: [] }, { ask: 1 }, ["ask"]],
  ["without a graph it warns where a warning was asked for", undefined, { warn: 10 }, ["warn"]],
  ["without a graph it asks where asking was asked for", undefined, { warn: 10, ask: 100 }, ["ask"]],
])("%s", async (_, reach, thresholds, severities) => {
  const findings = await judge(reach, thresholds);
  expect(findings.map(({ severity }) => severity)).toEqual(severities);
});

it("names what no test reaches, and says plainly that there is no graph", async () => {
  const [far] = await judge({ reached: 11, untested: ["parse", "format"] }, { warn: 10 });
  expect(far?.why).toMatch(/reaches 11 places \(impact\.warn 10\), and no test reaches parse, format/);
  const [unknown] = await judge(undefined, { warn: 10 });
  expect(unknown?.why).toMatch(/not known, as there is no code graph/);
});

it("is asked only where somebody set a threshold", () => {
  const names = (impact: { warn?: number; ask?: number }) =>
    builtInRules({ policy: { ...defaultPolicy, impact }, scope: () => scope }).map(({ name }) => name);
  expect(names({})).not.toContain("impact");
  expect(names({ warn: 5 })).toContain("impact");
});
