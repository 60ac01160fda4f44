import { beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "../../src/core/result.ts";
import { defaultPolicy } from "../../src/gate/policy.ts";
import type { GateRule } from "../../src/gate/rule.ts";
import { builtInRules } from "../../src/gate/rules.ts";
import type { GateOptions } from "../../src/gate/create-gate.ts";
import type { AdvisorySource } from "../../src/core/advisory.ts";
import { commit, everyKind, filler, gateWith, run, scope, write } from "../unit/gate/fixtures.ts";

/** Kinds that publish no text: nothing but where they go can be judged. */
const WITHOUT_TEXT: readonly string[] = ["reaction", "delete-pending-review", "resolve-thread"];
/** Long enough for each rule's answer once its libraries are loaded. */
const DEADLINE_MS = 150;
const rules = builtInRules({ policy: defaultPolicy, scope: () => scope });
const MALFORMED: readonly unknown[] = [
  "allow",
  undefined,
  null,
  0,
  true,
  {},
  { verdict: "allow", findings: [] },
  [undefined],
  [[]],
  Array(1),
  [{ severity: "none", why: "x", fix: "x" }],
  [{ severity: "info", why: 1, fix: "x" }],
  [{ severity: "info", why: "x", fix: "x", where: "src" }],
  [{ severity: "info", why: "x", fix: "x", where: { path: "x", line: "1" } }],
  new Proxy([], {
    get: () => {
      throw new Error("no");
    },
  }),
];
const FAULTS: readonly (readonly [string, GateRule["check"]])[] = [
  [
    "throws",
    () => {
      throw new Error("source lost");
    },
  ],
  [
    "throws something that is no error",
    () => {
      // oxlint-disable-next-line typescript/only-throw-error -- what a fault may throw is anything
      throw null;
    },
  ],
  ["rejects", () => Promise.reject(new Error("source lost"))],
  ["hangs", () => new Promise<readonly Finding[]>(() => {})],
  ["never gives way", () => stall()],
  ...MALFORMED.map((answer, index) => [`answers garbage (${index})`, () => answer as never] as const),
];

/** Holds the whole process at work beyond the deadline, and then finds nothing. */
function stall(): readonly Finding[] {
  const from = process.threadCpuUsage();
  while (process.threadCpuUsage(from).user < (DEADLINE_MS + 50) * 1000);
  return [];
}

const cases = rules.flatMap((rule) => FAULTS.map(([fault, check]) => [rule.name, fault, { ...rule, check }] as const));

beforeAll(async () => {
  for (const operation of everyKind) await gateWith({ rules }).judge(operation, run);
});

describe("whatever happens to a rule, nothing that it judges is allowed", () => {
  it.each(cases)("%s %s", async (name, _, faulty) => {
    const gate = gateWith({ rules: rules.map((rule) => (rule.name === name ? faulty : rule)), deadlineMs: DEADLINE_MS });
    // One operation of those that the rule applies to, and one of those it does not: all would take a deadline each.
    const shown = [true, false].flatMap((applies) => everyKind.filter(({ kind }) => faulty.applies.includes(kind) === applies).slice(0, 1));
    for (const operation of shown) {
      const judgement = await gate.judge(operation, run);
      expect(judgement.decision.verdict).toBe(faulty.applies.includes(operation.kind) ? "block" : "allow");
      expect("mint" in judgement).toBe(!faulty.applies.includes(operation.kind));
    }
    if (faulty.applies.includes("workspace-write")) expect((await gate.judgeWrite(write("a.ts"), run)).verdict).toBe("block");
  });

  it("judges every kind of operation and the tools' writes by several rules", () => {
    for (const kind of ["workspace-write", ...everyKind.map((operation) => operation.kind)] as const) {
      expect(rules.filter(({ applies }) => applies.includes(kind)).length).toBeGreaterThan(WITHOUT_TEXT.includes(kind) ? 0 : 2);
    }
  });
});

describe("a source that is lost never leads to an allow", () => {
  const lost = (): never => {
    throw new Error("source lost");
  };
  it.each([
    ["the scope", { scope: lost }],
    ["the held secrets", { heldSecrets: lost }],
    ["the base's paths", { basePaths: lost }],
  ])("%s", async (_, source) => {
    const gate = gateWith(source);
    const verdicts = await Promise.all(everyKind.map(async (operation) => (await gate.judge(operation, run)).decision.verdict));
    expect(verdicts).toContain("block");
    const pull = everyKind.at(-1);
    expect(pull && (await gate.judge(pull, run)).decision.verdict).toBe("block");
  });
});

describe("a change of a package", () => {
  const lost = (): never => {
    throw new Error("source lost");
  };
  const silent: AdvisorySource = { affecting: () => Promise.resolve({ status: "unavailable", why: "source lost" }) };
  const broken: AdvisorySource = { affecting: () => Promise.reject(new Error("source lost")) };
  const hanging: AdvisorySource = { affecting: () => new Promise(() => {}) };
  const online = { ...defaultPolicy, advisories: "online" as const };
  const offline = { ...defaultPolicy, advisories: "offline" as const };
  it.each<[string, Partial<GateOptions>, "ask" | "block"]>([
    ["nobody can look it up", {}, "ask"],
    ["GitHub does not answer", { advisories: () => silent }, "ask"],
    ["neither GitHub nor the store answers", { advisories: () => silent, storedAdvisories: () => silent }, "ask"],
    ["the source cannot be had", { advisories: lost }, "block"],
    ["the store cannot be had", { advisories: () => silent, storedAdvisories: lost }, "block"],
    ["the source breaks", { advisories: () => broken }, "block"],
    ["the store breaks", { policy: offline, storedAdvisories: () => broken }, "block"],
    ["the source hangs", { advisories: () => hanging }, "block"],
    ["the store hangs", { policy: offline, storedAdvisories: () => hanging }, "block"],
    ["nothing is stored, and GitHub must not be asked", { policy: offline }, "ask"],
    ["the base cannot be read", { baseFile: lost, advisories: () => silent }, "block"],
  ])("is not allowed where %s", async (_, sources, expected) => {
    const gate = gateWith({ policy: online, deadlineMs: DEADLINE_MS, basePaths: () => ["package.json", "package-lock.json"], ...sources });
    const change = commit({ "package.json": { after: '{"dependencies":{"left-pad":"1.3.0"}}' } });
    expect((await gate.judge(change, run)).decision.verdict).toBe(expected);
  });
});

describe("looking for secrets", () => {
  const hang = (): Promise<never> => new Promise(() => {});
  const lost = (): Promise<never> => Promise.reject(new Error("source lost"));
  it.each([
    ["cannot be done", { shapes: lost, held: lost }],
    ["hangs", { shapes: hang, held: hang }],
    ["answers garbage", { shapes: () => Promise.resolve({}), held: () => Promise.resolve({}) }],
  ])("that %s lets nothing out", async (_, scanner) => {
    const gate = gateWith({ scanner: scanner as never, heldSecrets: () => [filler(40)], deadlineMs: DEADLINE_MS });
    for (const operation of everyKind.filter(({ kind }) => !WITHOUT_TEXT.includes(kind)).slice(0, 3)) {
      const { findings, verdict } = (await gate.judge(operation, run)).decision;
      expect(verdict).toBe("block");
      expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["secrets", "held-secrets"]));
    }
  });
});

/** 64 KB of what makes careless patterns slow. A rule that took longer than its deadline would show as a block of its own. */
const UNITS = [
  "a",
  "A1",
  "=",
  " \t",
  "\n",
  "eyJ",
  "eyJa.",
  "ghp_",
  "sk-",
  "://a:",
  "://a:b@",
  "-----BEGIN RSA PRIVATE KEY-----",
  "AKIAA",
  "secret_access_key = '",
  "xoxb-1-",
  "&#1",
  "%41",
  "\\u0041",
  "d/",
  "a.",
  "\u200b",
  "ﷺ",
  '{"scripts":',
];

describe("64 KB of hostile text", () => {
  const gate = gateWith({ heldSecrets: () => [filler(60)], deadlineMs: 1000 });
  it.each(UNITS)("made of %j is judged within every rule's deadline", async (unit) => {
    const text = unit.repeat(Math.ceil(65_536 / unit.length)).slice(0, 65_536);
    const decisions = [
      await gate.judgeWrite(write("package.json", text), run),
      await gate.judgeWrite(write(text), run),
      (await gate.judge({ ...everyKind[0], body: text } as never, run)).decision,
    ];
    expect(decisions.flatMap(({ findings }) => findings).filter(({ why }) => why.includes("took longer"))).toEqual([]);
  });
});
