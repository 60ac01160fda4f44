import type { Extension } from "../api.ts";
import type { ServersOptions } from "../mcp/open-servers.ts";
import { openServers } from "../mcp/open-servers.ts";
import { mcpExtension } from "./mcp.ts";
import { type AskModel, safetyClassifier } from "./safety-classifier.ts";

/** Extensions of the product itself, by the name after `sallyport:`. They have the same interface as any other. */
export function bundledExtensions(
  options: ServersOptions & {
    /** Absent where no model is configured. */
    readonly ask: AskModel | undefined;
  },
): Readonly<Record<string, Extension>> {
  return {
    mcp: mcpExtension({ servers: openServers(options), log: options.log }),
    "safety-classifier": safetyClassifier(options),
  };
}
