import { GIT_FOLDER, WORKSPACE } from "./layout.ts";
import type { Layout } from "./layout.ts";
import type { SandboxCommand } from "./sandbox.ts";

/** Where the socket of the install phase's proxy stands inside. */
const SOCKET = "/run/sallyport/proxy.sock";
const PORT = 3128;

/**
 * Stands between programs, which know proxies by host and port, and the one socket that leads out; then runs the command. Run by the
 * sandbox's own Node, as the command's parent: it is gone when the command is.
 */
const RELAY = `
const net = require("node:net");
const { spawn } = require("node:child_process");
const [path, port, command] = process.argv.slice(1);
const server = net.createServer((inner) => {
  const outer = net.connect(path);
  const end = () => { inner.destroy(); outer.destroy(); };
  inner.on("error", end).on("close", end).pipe(outer).on("error", end).on("close", end).pipe(inner);
});
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn("/bin/sh", ["-c", "--", command], { stdio: "inherit" });
  child.on("close", (code, signal) => process.exit(code ?? 128 + require("node:os").constants.signals[signal]));
});
`;

/** What a sandbox shows and runs, with the history and the way out that a command was given. */
export interface Furnished {
  readonly layout: Layout;
  /** The command line of the command itself. */
  readonly line: readonly string[];
}

/** Without a socket there is loopback, and nothing else. */
export function furnish(bare: Layout, { command, history, proxy: socket }: Omit<SandboxCommand, "workspace">): Furnished {
  const shown = history === undefined ? [] : [{ source: history, target: GIT_FOLDER, kind: "folder" as const }];
  const layout = { ...bare, mounts: [...bare.mounts, ...shown] };
  if (socket === undefined) return { layout, line: shell(command) };
  const address = `http://127.0.0.1:${PORT}`;
  const proxies = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "npm_config_proxy", "npm_config_https_proxy"];
  const exempt = { no_proxy: "localhost,127.0.0.1", NO_PROXY: "localhost,127.0.0.1", NODE_USE_ENV_PROXY: "1" };
  return {
    layout: {
      ...layout,
      mounts: [...layout.mounts, { source: socket, target: SOCKET, kind: "file" }],
      environment: { ...layout.environment, ...Object.fromEntries(proxies.map((name) => [name, address])), ...exempt },
    },
    line: ["/bin/sh", "-c", 'exec node -e "$1" "$2" "$3" "$4" 2>&1', WORKSPACE, RELAY, SOCKET, String(PORT), command],
  };
}

/** Both outputs go one way, in the order in which they are written; what the launcher itself has to say goes the other. */
function shell(command: string): readonly string[] {
  return ["/bin/sh", "-c", 'exec /bin/sh -c -- "$1" 2>&1', "sh", command];
}
