import { dirname, resolve } from "node:path";
import type { ConfiguredServer } from "../../config/tool-servers.ts";
import type { Logger } from "../../core/log.ts";
import { httpTransport } from "./http.ts";
import { toolServer, type ToolServer } from "./server.ts";
import { stdioTransport, type Program } from "./stdio.ts";

export interface ServersOptions {
  readonly servers: readonly ConfiguredServer[];
  /** The file that names them; a command with a slash is beside it. */
  readonly configFile?: string;
  readonly start: (program: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  }) => Promise<Program>;
  readonly fetch?: typeof globalThis.fetch;
  readonly version: string;
  readonly log: Logger;
}

/** The configured servers; none is started or asked before it is needed. */
export function openServers({ servers, configFile, start, fetch = globalThis.fetch, version, log }: ServersOptions): readonly ToolServer[] {
  return servers.map((server) => {
    const { name, read } = server;
    const open =
      "url" in server ? httpTransport({ ...server, fetch }) : stdioTransport(() => start({ ...server, command: placed(server.command) }));
    return toolServer({ name, read, open, version, log });
  });

  function placed(command: string): string {
    return command.includes("/") ? resolve(configFile === undefined ? "." : dirname(resolve(configFile)), command) : command;
  }
}
