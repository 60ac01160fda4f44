import { lstat, readdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { ConfigurationError } from "../../core/errors.ts";
import { findProgram } from "../find-program.ts";

/** Where the workspace stands inside; host paths do not show. Below a folder of its own, so that nothing but the workspace has that above it. */
export const WORKSPACE = "/workspace/repository";
/** Where git, going upwards from the workspace and from nowhere else, finds the run's history. */
export const GIT_FOLDER = "/workspace/.git";
/** Who a command is inside, as user and as group. */
export const INNER_ID = 1000;
const HOME = "/home/sandbox";
const NODE = "/opt/sallyport/node";

/** What the command sees beside its workspace. Everything else of the host is not there. */
export interface Layout {
  /** Host files and folders, read-only. */
  readonly mounts: readonly { readonly source: string; readonly target: string; readonly kind: "folder" | "file" }[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Made for the sandbox: none of the host's accounts and names. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly home: string;
  /** The whole environment of the command. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether commands find a git. */
  readonly hasGit: boolean;
}

export interface LayoutRequest {
  /** The runtime that commands find as `node`, this process's own. */
  readonly node: string;
  /** Further tool chains of the operator, seen at their own paths. */
  readonly toolchains: readonly string[];
}

/** Of /etc nothing but what tool chains need; `/etc/ssl` as a whole would hold private keys. */
const ETC = [
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/ca-certificates",
  "/etc/pki/tls/certs",
  "/etc/pki/ca-trust/extracted",
  "/etc/alternatives",
  "/etc/ld.so.cache",
];
const SYSTEM = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const SYSTEM_PATH = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
/** Folders that hold more than a tool chain, whoever says so. */
const TOO_WIDE = new Set([
  "/",
  "/home",
  "/root",
  "/etc",
  "/proc",
  "/sys",
  "/dev",
  "/run",
  "/var",
  "/tmp",
  "/opt/sallyport",
  "/workspace",
  WORKSPACE,
]);

const FILES: Layout["files"] = [
  {
    path: "/etc/passwd",
    text: `root:x:0:0:root:/root:/bin/sh\nsandbox:x:${INNER_ID}:${INNER_ID}:sandbox:${HOME}:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n`,
  },
  { path: "/etc/group", text: `root:x:0:\nsandbox:x:${INNER_ID}:\nnogroup:x:65534:\n` },
  { path: "/etc/nsswitch.conf", text: "passwd: files\ngroup: files\nhosts: files\n" },
  { path: "/etc/hosts", text: "127.0.0.1 localhost sandbox\n::1 localhost\n" },
  // What the host lays out belongs to nobody that is known inside.
  { path: "/etc/gitconfig", text: "[safe]\n\tdirectory = *\n" },
];

/** Looks once at what this machine has. @throws {ConfigurationError} for a tool chain that is no folder or would show too much. */
export async function planLayout({ node, toolchains }: LayoutRequest): Promise<Layout> {
  const mounts: Layout["mounts"][number][] = [{ source: "/usr", target: "/usr", kind: "folder" }];
  const links: Layout["links"][number][] = [];
  for (const path of SYSTEM) {
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSymbolicLink() === true) links.push({ path, target: await readlink(path) });
    else if (stats?.isDirectory() === true) mounts.push({ source: path, target: path, kind: "folder" });
  }
  for (const path of [...ETC, ...(await javaSettings())]) {
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined) mounts.push({ source: await realpath(path), target: path, kind: stats.isDirectory() ? "folder" : "file" });
  }
  const runtime = await planNode(node);
  const chains = await Promise.all(toolchains.map(planToolchain));
  const path = [...runtime.path, ...chains.map(({ path: folder }) => folder), ...SYSTEM_PATH];
  return {
    mounts: [...mounts, ...runtime.mounts, ...chains.map(({ mount }) => mount)],
    links: [...links, ...runtime.links],
    files: FILES,
    home: HOME,
    environment: environmentWith(path),
    hasGit: (await findProgram("git", path.join(":"))) !== undefined,
  };
}

/** Debian's Java reads its settings below /etc and does not start without. */
async function javaSettings(): Promise<string[]> {
  const names = await readdir("/etc").catch(() => []);
  return names.filter((name) => /^java-\d+-openjdk$/.test(name)).map((name) => `/etc/${name}`);
}

/** The runtime's binary, and the modules beside it (npm among them) where it was installed with some. */
async function planNode(node: string): Promise<Pick<Layout, "mounts" | "links"> & { readonly path: readonly string[] }> {
  const binary = await realpath(node);
  const folder = dirname(binary);
  if (binary.startsWith("/usr/")) return { mounts: [], links: [], path: [folder] };
  const modules = join(folder, "..", "lib", "node_modules");
  const hasModules = basename(folder) === "bin" && (await stat(modules).catch(() => undefined))?.isDirectory() === true;
  const links: Layout["links"][number][] = [];
  for (const entry of hasModules ? await readdir(folder, { withFileTypes: true }) : []) {
    if (!entry.isSymbolicLink()) continue;
    const target = await readlink(join(folder, entry.name));
    if (target.startsWith("../lib/node_modules/")) links.push({ path: `${NODE}/bin/${entry.name}`, target });
  }
  return {
    mounts: [
      { source: binary, target: `${NODE}/bin/node`, kind: "file" },
      ...(hasModules ? [{ source: await realpath(modules), target: `${NODE}/lib/node_modules`, kind: "folder" as const }] : []),
    ],
    links,
    path: [`${NODE}/bin`],
  };
}

async function planToolchain(folder: string): Promise<{ readonly mount: Layout["mounts"][number]; readonly path: string }> {
  const source = isAbsolute(folder) ? await realpath(folder).catch(() => undefined) : undefined;
  const stats = source === undefined ? undefined : await stat(source);
  if (source === undefined || stats?.isDirectory() !== true || TOO_WIDE.has(source) || TOO_WIDE.has(folder)) {
    const hint = "Name the absolute folder of one tool chain, such as /opt/go or /home/ci/.cargo/bin.";
    throw new ConfigurationError(`The tool chain ${JSON.stringify(folder)} cannot be shown in the sandbox.`, {
      code: "bad-toolchain",
      hint,
    });
  }
  const hasBin = (await stat(join(source, "bin")).catch(() => undefined))?.isDirectory() === true;
  return { mount: { source, target: folder, kind: "folder" }, path: hasBin ? join(folder, "bin") : folder };
}

function environmentWith(path: readonly string[]): Record<string, string> {
  return {
    PATH: path.join(":"),
    HOME,
    USER: "sandbox",
    LOGNAME: "sandbox",
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
    TERM: "dumb",
    TMPDIR: "/tmp",
    // The workspace is a mount of its own, and the history stands above it.
    GIT_DISCOVERY_ACROSS_FILESYSTEM: "1",
    // Test runners then run once, without watching and without a progress display.
    CI: "true",
    NO_COLOR: "1",
    PYTHONDONTWRITEBYTECODE: "1",
    npm_config_update_notifier: "false",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
}
