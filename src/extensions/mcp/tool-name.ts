import { createHash } from "node:crypto";

/** How the names of all tools of servers begin. */
export const MCP_PREFIX = "mcp__";
const LONGEST_NAME = 64;
const DIGEST = 8;

/** A server's part of its tools' names: no two underscores in a row, so that it ends where it seems to. */
export function serverPart(server: string): string {
  return server
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
}

/** `mcp__<server>__<tool>`, in letters that every model's API takes; what is too long ends in a digest of the whole. */
export function toolName(server: string, tool: string): string {
  const name = `${MCP_PREFIX}${serverPart(server)}__${tool.toLowerCase().replace(/[^a-z0-9_]/g, "_")}`;
  if (name.length <= LONGEST_NAME) return name;
  const digest = createHash("sha256").update(`${server}/${tool}`).digest("hex").slice(0, DIGEST);
  return `${name.slice(0, LONGEST_NAME - DIGEST - 1)}_${digest}`;
}
