/** Names of functions and values that count as where data comes from, and as where it must not go unlooked at. */
export interface Endpoints {
  /** As they are written: `process.env`, `req.body`; a last name alone (`exec`) fits whatever it is read from. */
  readonly sources: readonly string[];
  readonly sinks: readonly string[];
}

/** Input from outside, and what runs, writes or sends: the usual names of the languages that are read. */
export const USUAL_ENDPOINTS: Endpoints = {
  sources: [
    "process.env",
    "process.argv",
    "process.stdin",
    "req.body",
    "req.query",
    "req.params",
    "req.headers",
    "request.body",
    "request.query",
    "request.params",
    "request.args",
    "request.form",
    "request.json",
    "request.GET",
    "request.POST",
    "os.environ",
    "os.getenv",
    "os.Getenv",
    "sys.argv",
    "os.Args",
    "input",
    "getParameter",
    "getenv",
    "FormValue",
    "location.search",
    "location.hash",
    "readFile",
    "readFileSync",
  ],
  sinks: [
    "exec",
    "execSync",
    "execFile",
    "spawn",
    "spawnSync",
    "eval",
    "Function",
    "system",
    "popen",
    "Popen",
    "subprocess.run",
    "subprocess.call",
    "exec.Command",
    "getRuntime.exec",
    "query",
    "execute",
    "executeQuery",
    "innerHTML",
    "outerHTML",
    "document.write",
    "dangerouslySetInnerHTML",
    "writeFile",
    "writeFileSync",
    "redirect",
    "fetch",
    "pickle.loads",
    "yaml.load",
    "unserialize",
  ],
};

/** Whether a written expression is one of the names, or a part of one: `process.env.HOME` is `process.env`. */
export function isOneOf(text: string, names: readonly string[]): boolean {
  const written = text.replace(/\([^()]*\)|\[[^[\]]*\]/g, "").split(".");
  return names.some((name) => {
    const wanted = name.split(".");
    if (wanted.length === 1) return written.at(-1) === name;
    for (let at = 0; at + wanted.length <= written.length; at++) {
      if (wanted.every((part, index) => written[at + index] === part)) return true;
    }
    return false;
  });
}
