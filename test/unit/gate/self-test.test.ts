import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../../src/gate/policy.ts";
import type { GateRule } from "../../../src/gate/rule.ts";
import { builtInRules } from "../../../src/gate/rules.ts";
import { KNOWN_BAD, selfTest } from "../../../src/gate/self-test.ts";
import { filler } from "./fixtures.ts";

const held = (): readonly string[] => ["short", `postgres://app:${filler(12)}@db/x`, filler(32)];
const rules = builtInRules({ policy: defaultPolicy, scope: () => undefined, heldSecrets: held, basePaths: () => [] });
const names = rules.map(({ name }) => name);

describe("the gate's self-test", () => {
  it("passes for the built-in rules, with and without secrets to hold", async () => {
    await expect(selfTest(rules, held)).resolves.toBeUndefined();
    const without = builtInRules({ policy: defaultPolicy, scope: () => undefined });
    await expect(selfTest(without, () => [])).resolves.toBeUndefined();
  });

  it.each([
    "development",
    "0123456789abcdefghijklmnopqrstuvwxyz",
    "!@#$%^&*()_+{}|:<>?",
    "correct-horse-battery-staple",
    "",
    "a".repeat(40),
  ])("does not stop the start for a webhook secret like %j, which the rule need not know", async (value) => {
    const values = (): readonly string[] => [value];
    await expect(
      selfTest(builtInRules({ policy: defaultPolicy, scope: () => undefined, heldSecrets: values }), values),
    ).resolves.toBeUndefined();
  });

  it("finds every value that it takes for plainly secret", async () => {
    for (let seed = 0; seed < 200; seed++) {
      const values = (): readonly string[] => [
        createHash("sha256")
          .update(String(seed))
          .digest(seed % 2 === 0 ? "hex" : "base64url"),
      ];
      const own = builtInRules({ policy: defaultPolicy, scope: () => undefined, heldSecrets: values }).filter(
        ({ name }) => name === "held-secrets",
      );
      await expect(selfTest(own, values)).resolves.toBeUndefined();
    }
  });

  it("knows something bad for every built-in rule, and for no other", () => {
    expect(Object.keys(KNOWN_BAD).toSorted()).toEqual(names.toSorted());
  });

  const without = (name: string, check: GateRule["check"]): readonly GateRule[] =>
    rules.map((rule) => (rule.name === name ? { ...rule, check } : rule));

  it.each(names)("stops the start when %s finds nothing, only warns, throws or answers garbage", async (name) => {
    const faults: readonly GateRule["check"][] = [
      () => [],
      () => [{ rule: name, severity: "warn", why: "x", fix: "x" }],
      () => {
        throw new Error("broken");
      },
      () => Promise.reject(new Error("broken")),
      () => "block" as never,
      () => undefined as never,
    ];
    for (const fault of faults) await expect(selfTest(without(name, fault), held)).rejects.toThrow(name);
  });

  it("names every dead rule at once, and says what to do", async () => {
    const dead = rules.map((rule) => ({ ...rule, check: () => [] }));
    await expect(selfTest(dead, held)).rejects.toMatchObject({
      code: "dead-gate-rule",
      hint: expect.stringContaining("reinstall") as string,
    });
    for (const name of names) await expect(selfTest(dead, held)).rejects.toThrow(name);
  });

  it("leaves the rules of extensions alone, which it can show nothing", async () => {
    await expect(selfTest([{ name: "mine", applies: [], check: () => [] }], held)).resolves.toBeUndefined();
  });
});
