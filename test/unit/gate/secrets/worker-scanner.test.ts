import { afterAll, describe, expect, it } from "vitest";
import { heldSecretsRule } from "../../../../src/gate/rules/held-secrets.ts";
import { secretsRule } from "../../../../src/gate/rules/secrets.ts";
import { sameThreadScanner } from "../../../../src/gate/secrets/scanner.ts";
import { workerScanner, type WorkerScanner } from "../../../../src/gate/secrets/worker-scanner.ts";
import { ask, comment, commit, filler, gateWith, openPull, run, severities, write } from "../fixtures.ts";

const HANGING = new URL("hanging-worker.ts", import.meta.url);
const open: WorkerScanner[] = [];
const scanner = (options: Parameters<typeof workerScanner>[0] = {}): WorkerScanner => {
  const one = workerScanner(options);
  open.push(one);
  return one;
};
afterAll(() => Promise.all(open.map((one) => one[Symbol.asyncDispose]())));

const real = scanner();
const ghp = `ghp_${filler(36)}`;
const held = `canary-${filler(40)}`;

describe("looking for secrets in a thread of its own", () => {
  it.each([
    ["a comment with a token", comment(`use ${ghp}`)],
    ["a plain comment", comment("nothing here")],
    ["a new file with a token", write("src/a.ts", `// one\nconst t = "${ghp}"`)],
    ["a token that stood there before", write("src/a.ts", `// two\nconst t = "${ghp}"`, `const t = "${ghp}"`)],
    ["a name of a file with a token", write(`${ghp}.md`, "x")],
    [
      "a pull request of several files",
      openPull({ "a.ts": { after: held }, "b.bin": { after: Buffer.from("7z\xbc\xaf\x27\x1c and more", "latin1") } }),
    ],
    ["a deletion", commit({ "a.ts": { before: ghp } })],
  ])("finds in %s what is found in the same one", async (_, judged) => {
    for (const make of [
      (one: WorkerScanner | ReturnType<typeof sameThreadScanner>) => secretsRule({ scanner: one }),
      (one: WorkerScanner | ReturnType<typeof sameThreadScanner>) => heldSecretsRule({ heldSecrets: () => [held], scanner: one }),
    ]) {
      expect(await ask(make(real), judged)).toEqual(await ask(make(sameThreadScanner()), judged));
    }
  });

  it("remembers over several texts of a run, whichever thread looks", async () => {
    const rule = heldSecretsRule({ heldSecrets: () => [held], scanner: real });
    const pieces = held.match(/.{9}/g) ?? [];
    const found: string[] = [];
    for (const [index, piece] of pieces.entries()) found.push(...severities(await ask(rule, write(`src/${index}.ts`, `x = "${piece}"`))));
    expect(found).toContain("block");
  });

  it("answers many questions at once, each its own", async () => {
    const rule = secretsRule({ scanner: real });
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ask(rule, write(`${index}.ts`, index % 2 === 0 ? `const t = "${ghp}"` : "x"))),
    );
    expect(all.map((findings) => findings.map(({ where }) => where?.path))).toEqual(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? [`${index}.ts`] : [])),
    );
  });
});

describe("a thread that does not answer", () => {
  it.each([
    ["runs for ever", "loop"],
    ["meets a pattern that goes back for ever", "backtrack"],
    ["says nothing", "say nothing"],
    ["ends itself", "die"],
    ["breaks", "throw"],
    ["fills its memory", "fill"],
  ])("because it %s is no reason to let anything out, and the next question gets a new one", { timeout: 20_000 }, async (_, word) => {
    const one = scanner({ entry: HANGING, threads: 1, deadlineMs: word === "fill" ? 8_000 : 700, memoryMb: 32 });
    const gate = gateWith({ rules: [secretsRule({ scanner: one })] });
    const [first, second] = await Promise.all([gate.judge(comment(word), run), gate.judge(comment("plain"), run)]);
    expect(first.decision.verdict).toBe("block");
    expect("mint" in first).toBe(false);
    expect(first.decision.findings[0]).toMatchObject({ rule: "secrets", severity: "block" });
    expect(second.decision.verdict).toBe("allow");
  });

  it("leaves this thread to others meanwhile", async () => {
    const one = scanner({ entry: HANGING, threads: 1, deadlineMs: 700 });
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    await expect(one.shapes({ texts: [{ field: "body", text: "loop" }], files: [] })).rejects.toThrow("longer than 700 ms");
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });

  it("cannot be started where its module is missing: nothing is let out", async () => {
    const one = scanner({ entry: new URL("no-such-worker.ts", import.meta.url) });
    const judgement = await gateWith({ rules: [secretsRule({ scanner: one })] }).judge(comment("plain"), run);
    expect(judgement.decision.verdict).toBe("block");
  });

  it("and one that was closed answer nothing any more", async () => {
    const one = scanner({ entry: HANGING, threads: 1 });
    const waiting = [one.shapes({ texts: [{ field: "body", text: "loop" }], files: [] }), one.shapes({ texts: [], files: [] })];
    const ends = Promise.allSettled(waiting);
    await one[Symbol.asyncDispose]();
    expect((await ends).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(one.shapes({ texts: [], files: [] })).rejects.toThrow("has ended");
  });
});
