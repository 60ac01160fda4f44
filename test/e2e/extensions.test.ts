import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { CONFIGURATION_FILE } from "../../src/runs/read-settings.ts";
import { call, say, type Turn } from "../../src/testing/index.ts";
import { FILES, openStage, REPOSITORY, type StageOptions } from "./stage.ts";

const tool = (name: string, body: string, more = "effect: 'read', properties: {}"): string => {
  const [effect = "", properties = "properties: {}"] = more.split(/, (?=properties)/);
  return `bot.addTool({ name: '${name}', description: 'A tool.', ${effect}, parameters: { type: 'object', ${properties} }, handler: async (args, context) => { ${body} } });`;
};

/** A stage whose server loads one extension with this body; `note` keeps lines that `notes` reads. */
async function extended(body: string, script: readonly Turn[], options: Partial<StageOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-extension-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [module, notes] = [join(folder, "acme.mjs"), join(folder, "notes")];
  await writeFile(notes, "");
  await writeFile(
    module,
    `import { appendFileSync } from "node:fs"; const note = (text) => appendFileSync(${JSON.stringify(notes)}, text + "\\n");\nexport default { name: "acme", register(bot) { ${body} } }\n`,
  );
  const stage = await openStage({ script, ...options, environment: { SALLYPORT_EXTENSIONS: module, ...options.environment } });
  const { number } = stage.github.addIssue(REPOSITORY, { title: "a question", user: "alice" });
  return {
    stage,
    number,
    notes: async () => (await readFile(notes, "utf8")).split("\n").filter((line) => line !== ""),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

describe("a wrapper's question", { timeout: 120_000 }, () => {
  const asking = `${tool("danger", "note('ran ' + args.n); return 'did ' + args.n", "effect: 'write', properties: { n: { type: 'integer' } }")}
    bot.addToolWrapper((next, tool, approve) => async (args, context) => {
      if (tool.name === 'danger' && !(await approve({ tool: tool.name, detail: 'number ' + args.n }))) throw new Error('nobody agreed');
      return next(args, context);
    });
    for (const name of ['approval.requested', 'approval.answered', 'job.changed', 'run.finished'])
      bot.on(name, ({ approved, state, outcome }) => note([name, approved ?? state ?? outcome ?? ''].join(' ').trim()));`;
  const idIn = (comment = ""): string => /Approval `([a-z]{5}-[a-z]{5})`/.exec(comment)?.[1] ?? "none";

  test("ends the run as waiting, and a no or a yes has it go on with that call, in another process too", async () => {
    await using played = await extended(asking, [call("danger", { n: 1 }), call("danger", { n: 2 }), say("All asked.")]);
    const { stage, number, notes } = played;
    await stage.say(number, "@sallyport do it");
    const [first = ""] = stage.comments(number);
    expect(first).toMatch(/^\*\*waiting for approval\*\*[\s\S]*would call `danger`: `number 1`[\s\S]*state=waiting/);
    await stage.say(number, `@sallyport approve ${idIn(first)}`, "mallory");
    expect(await notes()).not.toContain("ran 1");
    await stage.stop();
    await stage.start();
    await stage.say(number, `@sallyport deny ${idIn(first)}`, "maria");
    const [second = ""] = stage.comments(number);
    expect(second).toMatch(/^\*\*waiting for approval\*\*[\s\S]*`number 2`/);
    expect(idIn(second)).not.toBe(idIn(first));
    await stage.say(number, `@sallyport approve ${idIn(second)}`, "maria");
    expect(stage.comments(number)[0]).toMatch(/^\*\*done\*\*[\s\S]*All asked\./);
    expect(stage.model.requests.at(-1)?.results).toEqual(["[error] nobody agreed", "did 2"]);
    // What had been answered was not asked of the model again.
    expect(stage.model.requests).toHaveLength(3);
    const seen = await notes();
    expect(seen.filter((line) => line.startsWith("ran"))).toEqual(["ran 2"]);
    expect(seen.filter((line) => line.startsWith("approval"))).toEqual([
      "approval.requested",
      "approval.answered false",
      "approval.requested",
      "approval.answered true",
    ]);
    expect(seen.filter((line) => /job|finished/.test(line))).toEqual([
      "job.changed queued",
      "job.changed active",
      "run.finished waiting",
      "job.changed waiting",
      "job.changed active",
      "run.finished waiting",
      "job.changed waiting",
      "job.changed active",
      "run.finished done",
      "job.changed ended",
    ]);
  });

  test("of a tools script waits like any other, and the script goes on from there", async () => {
    const script =
      "return [await tools.read_file({ path: 'README.md' }), await tools.danger({ n: 3 })].map((text) => text.slice(0, 40)).join(' | ')";
    await using played = await extended(asking, [call("run_tools_script", { script }), say("Ran it.")]);
    const { stage, number, notes } = played;
    await stage.say(number, "@sallyport do it");
    await stage.say(number, `@sallyport approve ${idIn(stage.comments(number)[0])}`, "maria");
    expect(stage.comments(number)[0]).toMatch(/^\*\*done\*\*/);
    expect(stage.model.requests.at(-1)?.results[0]).toMatch(/Widgets[\s\S]* \| did 3/);
    expect((await notes()).filter((line) => line.startsWith("ran"))).toEqual(["ran 3"]);
  });
});

describe("a call's question in a run that nobody asked for in words", { timeout: 120_000 }, () => {
  test("is the one word of an otherwise quiet triage, which goes on from there", async () => {
    const asking = `${tool("look", "return 'looked'")}
      bot.addToolWrapper((next, tool, approve) => async (args, context) =>
        tool.name === 'look' && !(await approve({ tool: 'look', detail: 'at it' })) ? '[blocked] nobody agreed' : next(args, context));`;
    const script = [call("look"), say("It is about `sum`.")];
    const files = { ...FILES, [CONFIGURATION_FILE]: "triggers: { issues: triage }\n" };
    await using played = await extended(asking, script, { files });
    const { stage } = played;
    const issue = stage.github.addIssue(REPOSITORY, { title: "sum subtracts", body: "It does.", user: "mallory" });
    await stage.github.deliver(stage.github.events.issue(REPOSITORY, issue));
    await stage.idle();
    const [asked = ""] = stage.comments(issue.number);
    expect(asked).toMatch(/^\*\*waiting for approval\*\*[\s\S]*would call `look`: `at it`/);
    await stage.say(issue.number, `@sallyport approve ${/Approval `([a-z]{5}-[a-z]{5})`/.exec(asked)?.[1]}`, "maria");
    expect(stage.comments(issue.number)[0]).toMatch(/^\*\*done\*\*[\s\S]*It is about `sum`\./);
    expect(stage.model.requests.at(-1)?.results).toEqual(["looked"]);
  });
});

describe("what a tool does with its run", { timeout: 120_000 }, () => {
  test("keeps artifacts, says what it does, answers in place of the model, and is judged", async () => {
    const body = tool(
      "look",
      `await context.artifacts.save('note', new TextEncoder().encode('kept'), 'text/plain');
       await context.progress('reading');
       const verdicts = [await context.respond('The answer of the tool.'), await context.respond('It is AKIA' + 'Z7K2QXW4N6TBV3MR')].map(({ verdict }) => verdict);
       const outside = await context.files.read('../../etc/passwd').then(() => 'let out', () => 'kept out');
       const { owner, name, defaultBranch } = context.repository;
       return [new TextDecoder().decode(await context.artifacts.load('note')), verdicts, outside, owner, name, defaultBranch, context.prompts.system.length > 100, typeof context.submit].join(' ');`,
    );
    await using played = await extended(body, [call("look"), say("The model's last words.")]);
    const { stage, number } = played;
    await stage.say(number, "@sallyport look");
    expect(stage.model.requests.at(-1)?.results[0]).toBe("kept allow,block kept out acme widgets main true undefined");
    expect(stage.comments(number)[0]).toContain("The answer of the tool.");
    expect(stage.comments(number)[0]).not.toContain("last words");
  });

  test("cannot get past the gate, and a rule of an extension holds what it does not like", async () => {
    const body = `${tool("write_two", "const out = []; for (const path of ['.github/workflows/x.yml', 'src/fine.js']) out.push((await context.writeFile(path, new TextEncoder().encode('on: push\\n'))).verdict); out.push((await context.submit({ kind: 'open-pull-request', title: 'Two', body: 'x' })).verdict); return out.join(' ')", "effect: 'write'")}
      bot.addRule({ name: 'house', applies: ['open-pull-request'], check: () => [{ severity: 'block', why: 'it is Friday', fix: 'Wait.' }] });
      bot.on('gate.decided', ({ operation, decision }) => note(operation + ' ' + decision.verdict));`;
    await using played = await extended(body, [call("write_two"), say("Done.")]);
    const { stage, number, notes } = played;
    await stage.say(number, "@sallyport write");
    expect(stage.model.requests.at(-1)?.results[0]).toBe("block allow block");
    expect(stage.github.pulls(REPOSITORY)).toEqual([]);
    expect(stage.comments(number)[0]).toMatch(/^\*\*blocked\*\*[\s\S]*`house`[\s\S]*it is Friday/);
    expect(await notes()).toEqual(expect.arrayContaining(["workspace-write block", "workspace-write allow", "open-pull-request block"]));
  });
});
