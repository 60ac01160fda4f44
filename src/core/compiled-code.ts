/** What the language's own types call `WebAssembly`; they come with the browser's, which are not in use here. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

const compiled = new Map<string, Promise<object>>();

/**
 * The WebAssembly module whose bytes `read` gives, compiled once under its name and kept for the life of the process. Libraries that compile
 * their own code at each use free it after the last one, and V8 crashes now and then when code is freed while other code is compiled
 * (nodejs/node#64500: a failed `jit_page` check, SIGTRAP). V8 shares compiled code by its bytes, so keeping it here is enough also for threads
 * and for libraries that take no module. @throws what `read` throws, and when the bytes are no WebAssembly; the next call tries again.
 */
export function compiledCode(name: string, read: () => Promise<Uint8Array>): Promise<object> {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const code = read().then((bytes) => WebAssembly.compile(bytes));
  compiled.set(name, code);
  code.catch(() => compiled.delete(name));
  return code;
}
