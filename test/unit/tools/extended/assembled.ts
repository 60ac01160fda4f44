import { z } from "zod";
import { ok, renderToolResult } from "../../../../src/core/result.ts";
import type { Bot, ToolBinding } from "../../../../src/extensions/api.ts";
import { openDraft } from "../../../../src/extensions/draft.ts";
import { createHost, type ExtensionHost } from "../../../../src/extensions/host.ts";
import { defineTool } from "../../../../src/tools/define-tool.ts";
import { assembleTools, type AssembleOptions } from "../../../../src/tools/extended/assemble.ts";
import type { ExtensionPorts, WriteContext } from "../../../../src/tools/tool.ts";
import { listening } from "../../extensions/modules.ts";
import { contextFor } from "../folder-workspace.ts";

const RUN = { id: "run-1", repository: { owner: "acme", name: "widgets" }, trigger: "mention" } as const;
const path = z.string().describe("A path.");
const built = (name: string, effect: "read" | "write" = "read", priority = 10) =>
  defineTool({
    name,
    description: `${name}.`,
    effect,
    priority,
    parameters: z.object({ path: path.optional() }),
    handler: (args) => ok(`${name} ${args.path ?? ""}`.trim()),
  });
const BUILT_IN = [built("look"), built("seek"), built("change", "write"), built("last", "read", 70)];
export const binding = (name: string, more: Partial<ToolBinding> = {}): ToolBinding => ({
  name,
  description: "A tool.",
  parameters: { type: "object", properties: {} },
  effect: "read",
  handler: () => `${name} ran`,
  ...more,
});

/** The tools of a conversation with one extension that registers as it is told. */
export async function assemble(register: (bot: Bot) => void, options: Partial<AssembleOptions> = {}) {
  const log = listening();
  const { bot, draft, close } = openDraft("acme", {}, "app", (variable) => variable);
  register(bot);
  close();
  const extensions = createHost({ entrypoint: "app", drafts: [draft], builtIn: [], mask: (text) => text, log });
  return { log, ...(await assembleWith(extensions, { log, ...options })) };
}

/** The tools of a conversation with extensions that are loaded already. */
export async function assembleWith(extensions: ExtensionHost, options: Partial<AssembleOptions> = {}) {
  const tools = await assembleTools({
    of: "tools",
    builtIn: BUILT_IN,
    extensions,
    run: RUN,
    policy: {},
    isOffered: () => true,
    log: listening(),
    ...options,
  });
  return {
    names: tools.map(({ name }) => name),
    tool: (name: string) => tools.find((tool) => tool.name === name),
    async call(name: string, args: unknown = {}, context: WriteContext = contextFor({})) {
      const tool = tools.find((one) => one.name === name);
      return tool === undefined ? "not offered" : renderToolResult(await tool.call(args, context));
    },
  };
}

export const PORTS: ExtensionPorts = {
  repository: { owner: "acme", name: "widgets", commit: "0".repeat(40) },
  settings: {},
  artifacts: { save: () => Promise.resolve(), load: () => Promise.resolve(undefined) },
  attachments: () => [],
  prompt: () => "",
  log: listening(),
  progress: () => Promise.resolve(),
  respond: () => Promise.resolve({ verdict: "allow", findings: [] }),
};
