import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Logger } from "../../../src/core/log.ts";
import { openExtensions } from "../../../src/extensions/host.ts";
import type { LoadOptions } from "../../../src/extensions/load.ts";
import { secretReader } from "../../../src/extensions/secret.ts";

/** A folder of modules that lives as long as the test. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "extensions-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The source of an extension whose `register` has this body. */
export const extension = (name: string, body = "", more = ""): string =>
  `export default { name: ${JSON.stringify(name)}, ${more} register(bot) { ${body} } }\n`;

/** The source that adds a tool. */
export const tool = (name: string, answer = "'done'"): string =>
  `bot.addTool({ name: '${name}', description: 'A tool.', parameters: { type: 'object', properties: {} }, effect: 'read', handler: () => ${answer} });`;

/** A log that keeps its warnings. */
export function listening(): Logger & { readonly warnings: string[] } {
  const warnings: string[] = [];
  const log: Logger & { readonly warnings: string[] } = {
    warnings,
    debug() {},
    info() {},
    warn: (fields, message) => void warnings.push(`${message}: ${Object.values(fields).join(" ")}`),
    error() {},
    child: () => log,
  };
  return log;
}

/** Loads modules of a folder as a server does. */
export function load(folder: string, modules: readonly string[], options: Partial<LoadOptions> = {}) {
  return openExtensions({
    modules,
    folder,
    searchPaths: [],
    config: {},
    onError: "stop",
    entrypoint: "app",
    tools: ["read_file"],
    rules: ["secrets"],
    mask: (text) => text.replaceAll("s3cret", "[masked]"),
    secret: secretReader({ variables: { ACME_TOKEN: "acme-token-value" }, hold: () => undefined }),
    log: listening(),
    ...options,
  });
}
