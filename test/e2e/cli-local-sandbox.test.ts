import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../../src/commands/run.ts";
import { call, say, startScriptedModel } from "../../src/testing/index.ts";
import { ACKNOWLEDGEMENT } from "../../src/workspace/sandbox/opted-out.ts";
import { checkouts, GIT } from "./checkouts.ts";

const { checkout, remove } = checkouts();
const folder = mkdtempSync(join(tmpdir(), "operator-"));
afterAll(() => {
  remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A run whose model asks for one command, and what it is answered, with the operator's file saying this of the sandbox. */
async function answerWith(sandbox: string) {
  const file = join(folder, "server.yml");
  writeFileSync(file, `sandbox: ${sandbox}\n`);
  const script = [call("run_shell", { command: "echo from $HOME" }), say("Looked.")];
  const model = await startScriptedModel(script);
  const world = {
    variables: { PATH: GIT.PATH, OPENAI_BASE_URL: model.baseUrl, SALLYPORT_MODEL: "scripted", SALLYPORT_CONFIG: file },
    write: () => undefined,
    complain: () => undefined,
    signal: new AbortController().signal,
  };
  try {
    const status = await run({ task: "look", yes: false, json: false, cwd: checkout().root }, world);
    return { status, answer: model.requests[1]?.results.at(-1) };
  } finally {
    await model.finish();
  }
}

describe("a command of a run on a local checkout", () => {
  it("runs where the operator says", async () => {
    const { answer } = await answerWith(`{mode: off, acknowledge: ${ACKNOWLEDGEMENT}}`);
    expect(answer).toMatch(/from \S*sallyport-home-/);
  });

  it("runs in the operator's own command", async () => {
    const { answer } = await answerWith(`{mode: external, command: [/usr/bin/env, HOME=/elsewhere]}`);
    expect(answer).toContain("from /elsewhere");
  });

  it("does not run where the operator's command cannot run it", async () => {
    const { answer } = await answerWith(`{mode: external, command: [/usr/bin/false]}`);
    expect(answer).toMatch(/^\[error\].*run_shell/);
  });
});
