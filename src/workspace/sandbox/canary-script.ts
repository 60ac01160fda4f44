/** What the canaries are told, as JSON beside the script. */
export interface CanaryAims {
  /** A host file outside the workspace, and the word in it. */
  readonly secretFile: string;
  readonly secret: string;
  /** A host path outside the workspace where nothing stands yet. */
  readonly forbiddenFile: string;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly socketPath: string;
  readonly abstractName: string;
  /** Names that the environment may hold. */
  readonly environment: readonly string[];
  readonly limits: { readonly processes: number; readonly memory: number; readonly written: number };
}

/** What the script found from inside; what can be seen from outside only is judged there. Empty texts mean that it held. */
export interface CanaryAnswers {
  readonly escapes: Readonly<Record<string, string>>;
  readonly pidNamespace: string;
  readonly nestedUserNamespace: boolean;
  readonly seccomp: boolean;
}

/** Runs inside, as a plain Node script. Each check tries the thing itself. */
export const CANARY_SCRIPT = `
import { accessSync, constants, readFileSync, readlinkSync, writeFileSync, readdirSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { connect } from "node:net";
import { createSocket } from "node:dgram";
const aims = JSON.parse(readFileSync("aims.json", "utf8"));
const escapes = {};
const attempt = (work) => { try { return work() ?? ""; } catch { return ""; } };
const status = readFileSync("/proc/self/status", "utf8");
const field = (name) => new RegExp("^" + name + ":\\\\s*(\\\\S+)", "m").exec(status)?.[1];

const names = [...Object.keys(process.env), ...attempt(() => readFileSync("/proc/1/environ", "utf8").split("\\0").filter(Boolean).map((line) => line.split("=")[0])) || []];
escapes.environment = names.filter((name) => !aims.environment.includes(name)).join(" ");

const places = ["", "/proc/1/root", "/proc/self/root", "/proc/self/cwd/../../../../.."];
escapes.reading = places.filter((place) => attempt(() => readFileSync(place + aims.secretFile, "utf8")).includes(aims.secret)).join(" ");
const writable = ["/", "/usr", "/etc", "/dev", "/proc/sys/kernel/core_pattern"].filter((path) => attempt(() => { accessSync(path, constants.W_OK); return path; }));
escapes.writing = [...attempt(() => { writeFileSync(aims.forbiddenFile, ""); return [aims.forbiddenFile]; }), ...writable].join(" ");

const reached = (options) => new Promise((resolve) => {
  const socket = connect(options, () => { socket.destroy(); resolve(true); });
  socket.on("error", () => resolve(false));
  socket.setTimeout(1000, () => { socket.destroy(); resolve(false); });
});
escapes.tcp = (await reached({ port: aims.tcpPort, host: "127.0.0.1" })) ? "a listener of the host answered" : "";
const sockets = [aims.socketPath, "\\0" + aims.abstractName];
escapes.sockets = (await Promise.all(sockets.map((path) => reached({ path })))).some(Boolean) ? "a unix socket of the host answered" : "";
await new Promise((resolve) => {
  const udp = createSocket("udp4");
  udp.on("error", resolve);
  udp.send(aims.secret, aims.udpPort, "127.0.0.1", () => { udp.close(); resolve(); });
});

const processes = readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).length;
escapes.processes = processes > 40 ? processes + " processes show" : "";
escapes.privileges = [field("CapEff") === "0000000000000000" ? "" : "capabilities " + field("CapEff"), field("NoNewPrivs") === "1" ? "" : "new privileges", process.getuid() === 0 ? "root" : ""].filter(Boolean).join(", ");

const limits = readFileSync("/proc/self/limits", "utf8");
const limit = (name) => { const value = new RegExp("^" + name + "\\\\s+(\\\\S+)", "m").exec(limits)?.[1]; return value === "unlimited" || value === undefined ? Infinity : Number(value); };
const under = (option, command) => spawnSync("prlimit", [option, "--", "/bin/sh", "-c", command], { stdio: "ignore", timeout: 10000 });
const over = [];
if (limit("Max processes") > aims.limits.processes) over.push("processes " + limit("Max processes"));
if (limit("Max data size") > aims.limits.memory) over.push("memory " + limit("Max data size"));
if (limit("Max file size") > aims.limits.written) over.push("file size " + limit("Max file size"));
// The numbers could be right and not hold: for root the kernel counts no processes.
if (under("--nproc=24", "i=0; while [ $i -lt 40 ]; do sleep 9 & i=$((i + 1)); done; kill $(jobs -p)").status === 0) over.push("a limit of processes does not hold");
if (under("--data=67108864", "dd if=/dev/zero of=/dev/null bs=200M count=1").status === 0) over.push("a limit of memory does not hold");
if (under("--fsize=1048576", "dd if=/dev/zero of=large bs=1M count=3").status === 0) over.push("a limit of file size does not hold");
escapes.limits = over.join(", ");

const nestedUserNamespace = spawnSync("unshare", ["-Ur", "true"]).status === 0;
const answers = { escapes, pidNamespace: readlinkSync("/proc/self/ns/pid"), nestedUserNamespace, seccomp: field("Seccomp") === "2" };
writeFileSync("answers.json", JSON.stringify(answers));
`;
