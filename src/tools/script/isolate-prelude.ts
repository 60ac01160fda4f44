/** The name under which the engine knows the script, in its stacks. */
export const SCRIPT_NAME = "script.js";

/**
 * The program that runs in the isolate before the script, and all that the script has beside the language: `tools`, `console`, `setTimeout`
 * and `clearTimeout`. It is a function of the host's own three functions, which only take and give texts; texts of the script's own leave as JSON,
 * since the engine's strings end at a NUL on their way out. What a script does to the language's objects it does to itself alone.
 */
export const PRELUDE = String.raw`(request, log, settle, list) => {
  "use strict";
  const { stringify, parse } = JSON;
  const { defineProperty, create } = Object;
  const Failure = Error;
  const text = String;
  const isError = (value) => value instanceof Failure;

  const lineOf = (stack) => {
    const found = /script\.js:(\d+)/.exec(text(stack));
    return found === null ? undefined : found[1] - 1;
  };
  const describe = (value) => {
    if (!isError(value)) return "it threw " + show(value);
    const line = value.line ?? lineOf(value.stack);
    const words = value.name === "ToolError" ? text(value.message) : text(value.name) + ": " + text(value.message);
    return words + (line > 0 ? " (line " + line + ")" : "");
  };
  const show = (value) => {
    if (typeof value === "string") return value;
    if (isError(value)) return describe(value);
    try {
      return stringify(value) ?? text(value);
    } catch {
      return text(value);
    }
  };

  class ToolError extends Failure {}
  defineProperty(ToolError.prototype, "name", { value: "ToolError" });

  const call = (name) => async (args = {}) => {
    const line = lineOf(new Failure().stack);
    let failed;
    try {
      return await request("call", name, stringify(args) ?? "null");
    } catch (error) {
      if (typeof error !== "string") throw error;
      failed = new ToolError(error);
    }
    defineProperty(failed, "line", { value: line });
    throw failed;
  };
  const own = create(null);
  for (const name of parse(list)) own[name] = call(name);
  // A name that does not exist is asked for all the same: the answer says which do. Whoever awaits the object itself asks for "then".
  const tools = new Proxy(own, {
    get: (_, name) => own[name] ?? (typeof name === "string" && name !== "then" ? call(name) : undefined),
    set: () => false,
    defineProperty: () => false,
  });

  const tell = (line) => log(stringify(line));
  const say = (...values) => {
    let line = "";
    for (let at = 0; at < values.length; at++) line += (at === 0 ? "" : " ") + show(values[at]);
    tell(line);
  };
  let timers = 0;
  const cleared = new Set();
  const hidden = { writable: true, configurable: true, enumerable: false };
  const give = (name, value) => defineProperty(globalThis, name, { ...hidden, value });
  give("tools", tools);
  give("console", { log: say, info: say, debug: say, warn: say, error: say });
  give("setTimeout", (work, ms = 0, ...args) => {
    const id = ++timers;
    (async () => {
      await request("wait", text(+ms), "");
      if (!cleared.has(id)) await work(...args);
    })().catch((error) => tell("[in a timer] " + show(error)));
    return id;
  });
  give("clearTimeout", (id) => void cleared.add(id));

  const answerOf = (value) => {
    if (typeof value === "string") return value;
    if (value === undefined) return "(the script returned nothing; return what is to be seen)";
    const json = stringify(value);
    if (json === undefined) throw new TypeError("what the script returned has no JSON form");
    return json;
  };
  return async (main) => {
    let answer;
    try {
      answer = answerOf(await main());
    } catch (error) {
      settle("failed", stringify(describe(error)));
      return;
    }
    settle("done", stringify(answer));
  };
}`;
