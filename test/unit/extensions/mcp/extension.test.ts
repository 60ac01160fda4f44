import { expect, it, vi } from "vitest";
import { mcpExtension } from "../../../../src/extensions/bundled/mcp.ts";
import type { ToolServer } from "../../../../src/extensions/mcp/server.ts";
import { assembleWith } from "../../tools/extended/assembled.ts";
import { folderOf, listening, load } from "../modules.ts";

const server = (name: string, list: ToolServer["list"]): ToolServer => ({
  name,
  read: [],
  list,
  call: (tool) => Promise.resolve({ content: [{ type: "text", text: `${name} ${tool}` }] }),
  stop: () => Promise.resolve(),
});
const tools = (...names: readonly string[]) => names.map((name) => ({ name, inputSchema: { type: "object" } }));

/** The tools of a conversation with these servers, and what the log says. */
async function offered(servers: readonly ToolServer[]) {
  const log = listening();
  const extensions = await load(folderOf({}), ["sallyport:mcp"], { bundled: { mcp: mcpExtension({ servers, log }) }, log });
  const { names, call } = await assembleWith(extensions, { policy: { allow: ["mcp__*"] } });
  return { names, call, log, stop: () => extensions.stop() };
}

it("a server that is not there, or hangs, takes nothing from the others", async () => {
  vi.useFakeTimers();
  try {
    const making = offered([
      server("gone", () => Promise.reject(new Error("The tool server gone did not do it: it ended."))),
      server("stuck", () => new Promise(() => {})),
      server("docs", () => Promise.resolve(tools("search"))),
    ]);
    await vi.advanceTimersByTimeAsync(25_000);
    const { names, call, log } = await making;
    expect(names).toEqual(["mcp__docs__search"]);
    expect(await call("mcp__docs__search")).toContain("docs search");
    expect(log.warnings.filter((line) => line.startsWith("a tool server"))).toEqual([
      expect.stringContaining("gone"),
      expect.stringContaining("stuck took longer than 25 s"),
    ]);
  } finally {
    vi.useRealTimers();
  }
});

it("of two tools of one name the first stays, what cannot be a tool is left out, and each is said once", async () => {
  const { names, call, log } = await offered([
    server("my-docs", () => Promise.resolve([...tools("Search"), null, ...tools("search")])),
    server("my_docs", () => Promise.resolve(tools("search", "more"))),
  ]);
  expect(names).toEqual(["mcp__my_docs__more", "mcp__my_docs__search"]);
  expect(await call("mcp__my_docs__search")).toContain("my-docs Search");
  expect(log.warnings.map((line) => /: (.*)$/.exec(line)?.[1])).toEqual([
    "my-docs a tool without a name that can be used",
    "my-docs there is a tool named mcp__my_docs__search already",
    "my_docs there is a tool named mcp__my_docs__search already",
  ]);
});
