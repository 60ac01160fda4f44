import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Sandbox } from "./sandbox.ts";
import { makeOwnFolder } from "./own-folder.ts";

const TIMEOUT_MS = 20_000;
const WORKED = "canary worked";
const VARIABLE = "SALLYPORT_CANARY";

/** The canaries that need no `/proc`: reading, writing, the network and the environment. Answers what got out; nothing when all held. */
export async function tryMacEscapes(sandbox: Sandbox, temporary: string): Promise<readonly string[]> {
  const folder = await makeOwnFolder(temporary, "probe");
  const visited: string[] = [];
  const server = createServer((socket) => {
    visited.push("tcp");
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const [secret, variable] = [randomUUID(), randomUUID()];
  try {
    const workspace = join(folder, "workspace");
    const forbidden = join(folder, "forbidden");
    await mkdir(workspace);
    await writeFile(join(folder, "secret"), secret);
    process.env[VARIABLE] = variable;
    const { port } = server.address() as AddressInfo;
    const command = [
      `cat '${folder}/secret' ../secret`,
      "env",
      `echo x > '${forbidden}'`,
      `/usr/bin/nc -w 2 127.0.0.1 ${port} < /dev/null`,
      `echo ${WORKED} > done && cat done`,
    ].join("; ");
    const { output } = await sandbox.run({ command, workspace, timeoutMs: TIMEOUT_MS });
    if (!output.includes(WORKED)) return [`a command could not do its work: ${output.trim().slice(0, 500)}`];
    return [
      ...(output.includes(secret) ? ["reading: a file outside the workspace was read"] : []),
      ...(output.includes(variable) ? [`environment: ${VARIABLE}`] : []),
      ...(existsSync(forbidden) ? ["writing: a file appeared outside the workspace"] : []),
      ...visited.map((kind) => `${kind}: the host was reached`),
    ];
  } finally {
    delete process.env[VARIABLE];
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  }
}
