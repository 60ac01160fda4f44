import { dirname, isAbsolute, resolve } from "node:path";
import type { FileSettings } from "../config/file-schema.ts";
import type { Entrypoint } from "./api.ts";
import type { ExtensionWish } from "./load.ts";

/** What the environment and the server's file say of extensions, for one kind of process. */
export function extensionWish(
  { extensions: named, configFile }: { readonly extensions: readonly string[]; readonly configFile?: string },
  { extensions: said = {}, mcp = {} }: Pick<FileSettings, "extensions" | "mcp">,
  role: "all" | "web" | "worker" | "cli",
): ExtensionWish & { readonly entrypoint: Entrypoint } {
  const folder = process.cwd();
  // What the file names is beside the file.
  const beside = configFile === undefined ? folder : dirname(resolve(folder, configFile));
  const placed = (module: string): string =>
    said.modules?.includes(module) === true && /^\.{1,2}[/\\]/.test(module) ? resolve(beside, module) : module;
  const modules = (role === "worker" ? said.workers : undefined) ?? [...named, ...(said.modules ?? [])];
  // Where no conversations are held, nobody needs a tool server.
  const servers = Object.keys(mcp).length > 0 && role !== "web" ? ["sallyport:mcp"] : [];
  return {
    entrypoint: role === "worker" || role === "cli" ? role : "app",
    modules: [...modules.map(placed), ...servers],
    searchPaths: (said.search_paths ?? []).map((path) => (isAbsolute(path) ? path : resolve(beside, path))),
    config: said.config ?? {},
    onError: said.on_error ?? "stop",
    folder,
  };
}
