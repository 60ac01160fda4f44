import { readFile } from "node:fs/promises";

/** What the language's own types call `WebAssembly`; they come with the browser's, which are not in use here. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

const compiled = new Map<string, Promise<object>>();

/**
 * A file's WebAssembly module, compiled once and kept for the life of the process. Libraries that compile their own code at each use free it
 * after the last one, and V8 crashes now and then when code is freed while other code is compiled (nodejs/node#64500: a failed `jit_page`
 * check, SIGTRAP). V8 shares compiled code by its bytes, so keeping it here is enough also for threads and for libraries that take no module.
 * @throws when the file cannot be read or is no WebAssembly.
 */
export function compiledCode(file: URL): Promise<object> {
  const known = compiled.get(file.href);
  if (known !== undefined) return known;
  const code = readFile(file).then((bytes) => WebAssembly.compile(bytes));
  compiled.set(file.href, code);
  // A file that could not be read is tried again.
  code.catch(() => compiled.delete(file.href));
  return code;
}
