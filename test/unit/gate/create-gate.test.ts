import { describe, expect, it } from "vitest";
import type { Operation } from "../../../src/core/operation.ts";
import type { Severity } from "../../../src/core/result.ts";
import type { Judged, JudgedKind } from "../../../src/gate/judged.ts";
import type { GateRule } from "../../../src/gate/rule.ts";
import { comment, commit, everyKind, filler, gateWith, run, write } from "./fixtures.ts";

const ALL: readonly JudgedKind[] = ["workspace-write", "open-pull-request", "commit", "comment", "edit-own-comment", "reaction"];
const ruleOf = (name: string, check: GateRule["check"]): GateRule => ({ name, applies: ALL, check });
const finds = (name: string, ...severities: Severity[]): GateRule =>
  ruleOf(name, () => severities.map((severity) => ({ rule: name, severity, why: `${severity} it`, fix: "Change it." })));
/** What a rule could answer instead of findings, from JavaScript. */
const answering = (answer: unknown): GateRule => ruleOf("faulty", () => answer as never);

describe("the verdict", () => {
  it.each<[string, Severity[], string]>([
    ["nothing", [], "allow"],
    ["information", ["info"], "allow"],
    ["a warning", ["info", "warn"], "allow"],
    ["a question", ["warn", "ask", "info"], "ask"],
    ["a block", ["info", "block", "ask"], "block"],
  ])("of %s is the worst finding's", async (_, severities, verdict) => {
    const gate = gateWith({ rules: [finds("some", ...severities)] });
    expect((await gate.judge(comment(), run)).decision.verdict).toBe(verdict);
    expect((await gate.judgeWrite(write("a.ts"), run)).verdict).toBe(verdict);
  });

  it("lists findings of all rules, most severe first", async () => {
    const gate = gateWith({ rules: [finds("one", "info", "warn"), finds("two", "block", "ask")] });
    const { decision } = await gate.judge(comment(), run);
    expect(decision.findings.map(({ severity }) => severity)).toEqual(["block", "ask", "warn", "info"]);
  });

  it("is a block for something that no rule applies to", async () => {
    const gate = gateWith({ rules: [{ ...finds("one"), applies: ["commit"] }] });
    expect((await gate.judge(comment(), run)).decision.verdict).toBe("block");
  });

  it.each(everyKind.map((operation) => [operation.kind, operation] as const))(
    "of an ordinary %s is to let it through",
    async (_, operation) => {
      expect((await gateWith().judge(operation, run)).decision).toEqual({ verdict: "allow", findings: [] });
    },
  );
});

describe("a rule that fails", () => {
  it.each<[string, GateRule]>([
    [
      "throws",
      ruleOf("faulty", () => {
        throw new Error("no source");
      }),
    ],
    [
      "throws something that is no error",
      ruleOf("faulty", () => {
        throw undefined;
      }),
    ],
    ["rejects", ruleOf("faulty", () => Promise.reject(new Error("no source")))],
    ["never answers", ruleOf("faulty", () => new Promise(() => {}))],
    ["answers nothing", answering(undefined)],
    ["answers a boolean", answering(true)],
    ["answers a text", answering("fine")],
    ["answers an object", answering({ length: 0 })],
    ["answers a list with a hole", answering(Array.from({ length: 1 }))],
    ["answers findings without severity", answering([{ why: "a", fix: "b" }])],
    ["answers an unknown severity", answering([{ severity: "allow", why: "a", fix: "b" }])],
    ["answers a finding without a reason", answering([{ severity: "info", fix: "b" }])],
    ["answers a place without a path", answering([{ severity: "info", why: "a", fix: "b", where: {} }])],
    ["answers a promise of garbage", ruleOf("faulty", () => Promise.resolve(7 as never))],
  ])("and %s blocks both doors under its own name", async (_, rule) => {
    const gate = gateWith({ rules: [finds("sound"), rule], deadlineMs: 50 });
    for (const decision of [(await gate.judge(comment(), run)).decision, await gate.judgeWrite(write("a.ts"), run)]) {
      expect(decision.verdict).toBe("block");
      expect(decision.findings).toMatchObject([{ rule: "faulty", severity: "block" }]);
    }
  });

  it("by blocking the thread beyond its deadline is a block as well", async () => {
    const slow = ruleOf("slow", () => {
      const from = process.threadCpuUsage();
      while (process.threadCpuUsage(from).user < 40_000);
      return [];
    });
    expect((await gateWith({ rules: [slow], deadlineMs: 10 }).judge(comment(), run)).decision.verdict).toBe("block");
  });
});

describe("the order of rules", () => {
  it("asks containment first and nobody else when it blocks", async () => {
    const asked: string[] = [];
    const note = (name: string, severity: Severity): GateRule => {
      const rule = finds(name, severity);
      return ruleOf(name, (judged, view) => (asked.push(name), rule.check(judged, view)));
    };
    const { decision } = await gateWith({ rules: [note("other", "warn"), note("containment", "block")] }).judge(comment(), run);
    expect(asked).toEqual(["containment"]);
    expect(decision.findings.map(({ rule }) => rule)).toEqual(["containment"]);
  });

  it("asks everybody else when containment only warns", async () => {
    const { decision } = await gateWith({ rules: [finds("other", "ask"), finds("containment", "warn")] }).judge(comment(), run);
    expect(decision.verdict).toBe("ask");
  });
});

describe("rules of extensions", () => {
  it("can make the verdict worse and never better", async () => {
    const calm = finds("calm", "info");
    const strict = finds("strict", "block");
    expect((await gateWith({ extraRules: [strict] }).judge(comment(), run)).decision.verdict).toBe("block");
    expect((await gateWith({ rules: [strict], extraRules: [calm] }).judge(comment(), run)).decision.verdict).toBe("block");
  });

  it("cannot take the name of another rule", () => {
    expect(() => gateWith({ extraRules: [finds("secrets")] })).toThrow(/"secrets"/);
  });

  it("cannot put another rule's name on their findings", async () => {
    const { decision } = await gateWith({
      extraRules: [ruleOf("mine", () => [{ rule: "secrets", severity: "warn", why: "a", fix: "b" }])],
    }).judge(comment(), run);
    expect(decision.findings).toMatchObject([{ rule: "mine" }]);
  });
});

describe("findings", () => {
  it("of any rule do not repeat a held secret", async () => {
    const held = `canary-${filler(30)}`;
    const gate = gateWith({ heldSecrets: () => [held] });
    for (const path of [`../${held}`, `.github/workflows/${held}.yml`, `${held}.ts`]) {
      const decision = await gate.judgeWrite(write(path), run);
      expect(decision.verdict).toBe("block");
      expect(JSON.stringify(decision)).not.toContain(held);
    }
  });

  it("stay short however long the name is that they quote", async () => {
    const { findings } = await gateWith().judgeWrite(write("d/".repeat(50_000)), run);
    expect(JSON.stringify(findings).length).toBeLessThan(2000);
  });
});

describe("what is judged", () => {
  it("is a copy: bytes, lists and fields that the caller changes afterwards are neither judged nor sent", async () => {
    const operation = commit({ "src/a.ts": { after: "new\n" } }) as {
      -readonly [K in keyof ReturnType<typeof commit>]: ReturnType<typeof commit>[K];
    };
    const [bytes] = operation.changes.blobs.values();
    let seen: Judged | undefined;
    const meddle = ruleOf("late", async (judged) => {
      bytes?.fill(88);
      operation.message = "Something else";
      (operation.changes.changes as unknown[]).push({ path: ".github/workflows/x.yml" });
      (operation.changes.blobs as Map<string, Uint8Array>).clear();
      await Promise.resolve();
      seen = judged;
      return [];
    });
    const judgement = await gateWith({ rules: [meddle] }).judge(operation, run);
    expect(judgement).toHaveProperty("operation", seen);
    const frozen = seen as ReturnType<typeof commit>;
    expect(frozen.message).toBe("Fix it\n\nBecause.");
    expect(frozen.changes.changes.map(({ path }) => path)).toEqual(["src/a.ts"]);
    expect([...frozen.changes.blobs.values()]).toEqual([new Uint8Array(Buffer.from("new\n"))]);
  });

  it("cannot be changed by a rule", async () => {
    const attempts: readonly ((judged: ReturnType<typeof commit>) => void)[] = [
      (judged) => Object.assign(judged, { branch: "main" }),
      (judged) => Object.assign(judged.repository, { name: "other" }),
      (judged) => Object.assign(judged.changes, { tree: "e".repeat(40) }),
      (judged) => (judged.changes.changes as unknown[]).push({}),
      (judged) => Object.assign(judged.changes.changes[0] ?? {}, { path: "b.ts" }),
      (judged) => Object.assign(judged.changes.changes[0]?.after ?? {}, { mode: "100755" }),
      (judged) => (judged.changes.blobs as Map<string, Uint8Array>).set("a".repeat(40), new Uint8Array()),
      (judged) => Map.prototype.clear.call(judged.changes.blobs),
    ];
    for (const attempt of attempts) {
      const rule = ruleOf("late", (judged) => (expect(() => attempt(judged as ReturnType<typeof commit>)).toThrow(TypeError), []));
      expect((await gateWith({ rules: [rule] }).judge(commit(), run)).decision.verdict).toBe("allow");
    }
  });

  it.each<[string, unknown]>([
    ["an unknown kind", { ...comment(), kind: "merge" }],
    ["no kind", { repository: comment().repository }],
    ["a body that is no text", { ...comment(), body: { toString: () => "fine" } }],
    ["a thread without a number", { ...comment(), thread: { kind: "issue" } }],
    [
      "a commit whose blob has another id",
      { ...commit(), changes: { ...commit().changes, blobs: new Map([["a".repeat(40), Buffer.from("x")]]) } },
    ],
    [
      "a commit on something that is no commit",
      { ...commit(), changes: { ...commit().changes, base: { commit: "main", tree: "c".repeat(40) } } },
    ],
    [
      "a mode that git does not have",
      { ...commit(), changes: { ...commit().changes, changes: [{ path: "a", after: { sha: "a".repeat(40), mode: "100777", size: 1 } }] } },
    ],
    ["another reaction", { kind: "reaction", repository: comment().repository, target: { kind: "issue", id: 1 }, content: "+1" }],
    ["nothing", undefined],
  ])("is blocked when it is %s", async (_, operation) => {
    expect((await gateWith().judge(operation as Operation, run)).decision.verdict).toBe("block");
  });

  it("reads each field once, so a getter cannot show two faces", async () => {
    let reads = 0;
    const operation = {
      ...comment(),
      get body() {
        return reads++ === 0 ? "harmless" : "something else";
      },
    };
    const judgement = await gateWith().judge(operation, run);
    expect(judgement).toMatchObject({ operation: { body: "harmless" } });
  });
});
