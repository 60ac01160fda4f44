import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { call, say, stageExtension, type ExtensionStageOptions } from "../../src/testing.ts";

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");
const SETTINGS = "label: helper\ninstructions: Be brief.\n";

/** The product with one extension whose `register` has this body. */
function staged(body: string, options: Omit<ExtensionStageOptions, "modules">) {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-features-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const module = join(folder, "acme.mjs");
  writeFileSync(module, `export default { name: "acme", register(bot) { ${body} } }\n`);
  return stageExtension({ modules: [module], ...options });
}

const bare = "parameters: { type: 'object', properties: {} }, effect: 'read', description: 'A tool.'";

test(
  "a tool's context has the run, its repository and settings, the request's pictures, the prompt, reads of GitHub, and a secret that is held",
  { timeout: 120_000 },
  async () => {
    const body = `bot.addTool({ name: 'tell', ${bare}, handler: async (args, { run, callId, repository, settings, attachments, prompts, github, log, signal }) => {
    log.warn({ what: 'a line of its own' }, 'said by the tool');
    const { title } = await github.issue(1);
    return JSON.stringify({ trigger: run.trigger, callId: callId.length > 0, repository: repository.owner + '/' + repository.name, commit: repository.commit,
      label: settings.label, attachments: attachments.map(({ mediaType, bytes }) => mediaType + ' ' + bytes.length), prompt: prompts.system.includes('Be brief.'), title, aborted: signal.aborted });
  } });
  const token = bot.secret('ACME_TOKEN');
  bot.addTool({ name: 'leak', ${bare.replace("'read'", "'write'")}, handler: async (args, { writeFile }) => {
    const { verdict, findings } = await writeFile('note.txt', new TextEncoder().encode('it is ' + token));
    return [token, verdict, findings[0]?.rule].join(' ');
  } });`;
    await using stage = await staged(body, {
      variables: { ACME_TOKEN: "correct horse battery staple" },
      repository: { files: { "README.md": "# Widgets\n", ".github/sallyport.yml": SETTINGS }, permissions: { alice: "write" } },
      script: [call("tell"), call("leak"), say("Told.")],
    });
    const { results } = await stage.ask(`@sallyport look at this\n\n![picture](${stage.github.addAttachment(PNG)})`);
    expect(JSON.parse(results[0] ?? "")).toEqual({
      trigger: "mention",
      callId: true,
      repository: "acme/widgets",
      commit: stage.github.tip(stage.repository, "main"),
      label: "helper",
      attachments: [`image/png ${PNG.length}`],
      prompt: true,
      title: "A request",
      aborted: false,
    });
    // What it asked for as a secret is masked, and cannot be written.
    expect(results[1]).toBe("*** block held-secrets");
    expect(stage.warnings.join("\n")).toContain("said by the tool");
  },
);

test(
  "each conversation makes its list anew: tools of the running instance, derived ones, wrappers; fragments come with their tools",
  { timeout: 120_000 },
  async () => {
    const body = `bot.addTool({ name: 'long', ${bare}, spillAfterChars: 1000, handler: () => 'line\\n'.repeat(2000) });
    bot.addPromptFragment('LONG IS THERE', { whenTools: ['long'] });
    bot.addPromptFragment('FRESH IS THERE', { whenTools: ['long', 'fresh'] });
    bot.addToolDeriver((tools) => tools.filter(({ owner }) => owner === 'embedder').map((tool) => (
      { tool: { ...tool, name: 'derived_' + tool.name, handler: (args, context) => tool.handler(args, context) }, replaces: [tool.name] })));
    bot.addToolWrapper((next, tool) => async (args, context) => {
      const result = await next(args, context);
      return tool.name === 'run_tools_script' ? result : { ...result, text: [tool.name, context.parentCallId ?? 'model', result.text.length, result.text].join('|') };
    });`;
    const script = "return (await tools.long()).slice(0, 60)";
    await using stage = await staged(body, {
      script: ({ toolNames, results, messages }) => {
        const research = !toolNames.includes("research_code");
        if (research) return results.length === 0 ? call("list_files") : say(results.at(-1) ?? "");
        if (!toolNames.includes("derived_fresh")) return results.length === 0 ? call("long") : say("First.");
        return (
          [
            call("derived_fresh"),
            { calls: [{ name: "run_tools_script", args: { script }, id: "script-1" }] },
            call("research_code", { question: "What is here?" }),
          ][results.length] ?? say(`Second, after ${messages.length} messages.`)
        );
      },
    });
    const first = await stage.ask("@sallyport look");
    // What the wrapper saw was whole; what the model is shown was spilled.
    expect(first.results[0]).toMatch(/^long\|model\|10000\|line/);
    expect(first.results[0]).toMatch(/\[spilled\] \S+: \d+ lines, read with read_output$/);
    expect(stage.model.requests[0]?.system).toContain("LONG IS THERE");
    expect(stage.model.requests[0]?.system).not.toContain("FRESH IS THERE");

    const takeAway = stage.sallyport.tools.add({
      name: "fresh",
      description: "A tool of the program around it.",
      parameters: { type: "object", properties: {} },
      effect: "read",
      handler: () => "from the embedder",
    });
    expect(() => stage.sallyport.tools.add({ name: "long", description: "x", parameters: {}, effect: "read", handler: () => "x" })).toThrow(
      /named long already/,
    );
    const second = await stage.ask("@sallyport look again");
    const [derived, nested, researched] = second.results;
    expect(derived).toMatch(/^derived_fresh\|model\|\d+\|fresh\|model\|17\|from the embedder$/);
    expect(nested).toMatch(/^long\|script-1\|10000\|line/);
    // The research subagent's calls pass the wrappers too.
    expect(researched).toMatch(/list_files\|\S+\|\d+\|/);
    expect(stage.model.requests.at(-1)?.toolNames).not.toContain("fresh");

    takeAway();
    await stage.ask("@sallyport once more");
    expect(stage.model.requests.at(-1)?.toolNames).not.toContain("derived_fresh");
  },
);
