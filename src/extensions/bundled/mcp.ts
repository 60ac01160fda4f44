import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import type { Extension, ToolCollector } from "../api.ts";
import type { ToolServer } from "../mcp/server.ts";
import { bindingFor } from "../mcp/tool-binding.ts";
import { within } from "../within.ts";

/** Milliseconds in which a server says what it has: less than an action may take, so that the others' tools are there without it. */
const LIST_WITHIN = 25_000;

/** The extension by which tools of MCP servers become tools of conversations. One that is not there is said in the log, and has none. */
export function mcpExtension({ servers, log }: { readonly servers: readonly ToolServer[]; readonly log: Logger }): Extension {
  const complained = new Set<string>();
  const complain = (server: string, why: string): void => {
    const line = `${server}: ${why}`;
    log[complained.has(line) ? "debug" : "warn"]({ server, why }, "a tool server, or a tool of one, is left out");
    complained.add(line);
  };

  const listed = async (server: ToolServer): Promise<readonly unknown[]> => {
    try {
      return await within(LIST_WITHIN, () => server.list());
    } catch (error) {
      complain(server.name, messageOf(error));
      return [];
    }
  };

  async function addAll(collector: ToolCollector): Promise<void> {
    const lists = await Promise.all(servers.map(async (server) => ({ server, tools: await listed(server) })));
    for (const { server, tools } of lists) {
      for (const tool of tools) {
        const binding = bindingFor(server, tool);
        try {
          if (typeof binding === "string") throw new TypeError(binding);
          collector.add(binding);
        } catch (error) {
          complain(server.name, messageOf(error));
        }
      }
    }
  }

  return {
    name: "mcp",
    register(bot) {
      bot.addAction("tools.register", addAll);
      bot.addAction("research.register", addAll);
      bot.addService({
        name: "tool servers",
        on: ["app", "worker", "cli"],
        // They are asked now so that the log says at once what is wrong with them; nothing waits for it.
        start: () => void Promise.all(servers.map(listed)),
        async stop() {
          await Promise.all(servers.map((server) => server.stop()));
        },
      });
    },
  };
}
