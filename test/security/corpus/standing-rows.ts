import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Decision } from "../../../src/core/result.ts";
import { defaultPolicy } from "../../../src/gate/policy.ts";
import { commit, gateWith, run, write } from "../../unit/gate/fixtures.ts";
import { context } from "../../../packages/write-path-corpus/src/context.ts";
import type { Outcome } from "./scene.ts";

const WORKFLOW = ".github/workflows/bomb.yml";

/** A workflow of a few lines that grows to billions of entries for whoever follows its aliases. */
function bomb(): string {
  const names = "abcdefghij";
  const levels = Array.from(names, (name, level) => {
    const entry = level === 0 ? '"lol"' : `*${names[level - 1]}`;
    return `${name}: &${name} [${Array.from({ length: 9 }, () => entry).join(", ")}]`;
  });
  return `on: push\n${levels.join("\n")}\njobs: *j\n`;
}

/** Logs an error as the client of GitHub throws it, in every format, from a process of its own: its standard output is what is kept. */
async function logged(): Promise<string> {
  const log = new URL("../../../src/log.ts", import.meta.url).href;
  const secrets = new URL("../../../src/core/secrets.ts", import.meta.url).href;
  const script = `
    const { createLogger } = await import(${JSON.stringify(log)});
    const { holdSecrets } = await import(${JSON.stringify(secrets)});
    const secret = process.env.CANARY;
    const { mask } = holdSecrets([secret]);
    const headers = { authorization: "token " + secret };
    const error = Object.assign(new Error("401 for token " + secret), { request: { headers, url: "https://x.test/?t=" + secret } });
    for (const format of ["json", "pretty"]) {
      const log = createLogger({ level: "trace", format, mask });
      log.error({ err: error, error: error.message, request: error.request }, "a request failed: " + error.stack);
      log.child({ delivery: secret }).info("the end");
    }`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    env: { PATH: process.env["PATH"] ?? "", CANARY: context.canary },
  });
  return stdout + stderr;
}

/** Rows about what the gate cannot read and what is kept of a run, by their ids. */
export const STANDING: Readonly<Record<string, () => Promise<Outcome>>> = {
  async "gate-029"() {
    const after = bomb();
    const judged = async (policy = defaultPolicy): Promise<readonly Decision[]> => {
      const gate = gateWith({ policy });
      return [await gate.judgeWrite(write(WORKFLOW, after), run), (await gate.judge(commit({ [WORKFLOW]: { after } }), run)).decision];
    };
    const usual = await judged();
    // Where an operator lets workflows be written, that this one could not be read still holds it.
    const loosened = await judged({ ...defaultPolicy, protected: { [WORKFLOW]: "warn" } });
    const held =
      usual.every(({ verdict }) => verdict === "block") &&
      loosened.every(({ verdict, findings }) => verdict !== "allow" && findings.some(({ rule }) => rule === "ci-files"));
    return { kind: "outcome", held, saw: JSON.stringify([usual, loosened]) };
  },
  async "gate-032"() {
    const lines = await logged();
    const held = lines.match(/the end/g)?.length === 2 && lines.includes("***") && !lines.includes(context.canary);
    return { kind: "outcome", held, saw: lines.replaceAll(context.canary, "(the secret)") };
  },
};
