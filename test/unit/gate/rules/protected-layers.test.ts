import * as fc from "fast-check";
import { expect, test } from "vitest";
import { gateSettings, type GateLayer } from "../../../../src/config/gate-policy.ts";
import { defaultPolicy } from "../../../../src/gate/policy.ts";
import { protectedPathsRule } from "../../../../src/gate/rules/protected-paths.ts";
import { run } from "../fixtures.ts";

const RANK = ["none", "warn", "ask", "block"];
type Protected = NonNullable<GateLayer["protected"]>;

/** How much a write of the path is held by these layers, the server's first. */
async function held(path: string, ...layers: readonly Protected[]): Promise<number> {
  const { protected: table } = gateSettings(layers.map((one) => ({ protected: one })));
  const rule = protectedPathsRule({ policy: { ...defaultPolicy, protected: table } });
  const findings = await rule.check({ kind: "workspace-write", path, after: Buffer.from("x") }, run);
  return Math.max(0, ...findings.map(({ severity }) => RANK.indexOf(severity)));
}

const PATHS = ["infra/prod.tf", "Infra/Prod.tf", "infra/key"];
const UPPER = ["infra/**", "infra/prod.tf", "**/*.tf", "{infra,x}/**", "infra/{prod.tf,key}", "infra/k*"];
const SPELLINGS = [
  "infra/prod.tf",
  "./infra/prod.tf",
  "INFRA/prod.tf",
  String.raw`\infra/prod.tf`,
  String.raw`infra/prod\.tf`,
  '"infra/prod.tf"',
  "infra/prod.t[f]",
  "infra/{prod,x}.tf",
  "infra//prod.tf",
  "infra/prod.tf/",
  "infra/\u212aey",
  "./infra/key",
  "**",
];

test.each(SPELLINGS)("what an upper layer protects is not let go by a lower one that spells it %s", async (spelling) => {
  for (const glob of UPPER)
    for (const path of PATHS) {
      const alone = await held(path, { [glob]: "block" });
      expect(await held(path, { [glob]: "block" }, { [spelling]: "warn" }), `${glob} over ${spelling} for ${path}`).toBeGreaterThanOrEqual(
        alone,
      );
    }
});

test("nor by any other spelling", async () => {
  const part = fc.constantFrom("infra", "prod", ".tf", "/", "./", "\\", '"', "*", "?", "{", "}", ",", "(", ")", "|", "@", "+", "I", "K");
  const spelling = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(spelling, fc.constantFrom(...UPPER), fc.constantFrom(...PATHS), async (lower, glob, path) => {
      const alone = await held(path, { [glob]: "block" });
      expect(await held(path, { [glob]: "block" }, { [lower]: "warn" })).toBeGreaterThanOrEqual(alone);
    }),
  );
});

test("an operator's own word on one path still decides alone for it", async () => {
  expect(await held("src/AGENTS.md", { "src/AGENTS.md": "warn" })).toBe(1);
  expect(await held("src/agents.md", { "src/AGENTS.md": "warn" })).toBe(1);
  expect(await held("app/(shop)/AGENTS.md", { "app/(shop)/AGENTS.md": "warn" })).toBe(1);
  expect(await held("src/other/AGENTS.md", { "src/AGENTS.md": "warn" })).toBe(3);
});
