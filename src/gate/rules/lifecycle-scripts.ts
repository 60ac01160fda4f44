import type { Finding } from "../../core/result.ts";
import { filesOf } from "../contents.ts";
import type { JudgedFile } from "../contents.ts";
import type { ChangedFile, ReadDependencies } from "../dependencies/dependency-change.ts";
import { newSettings } from "../dependencies/present.ts";
import { fold } from "../names.ts";
import type { GateRule } from "../rule.ts";
import type { BasePaths } from "../rule-sources.ts";

const NAME = "lifecycle-scripts";
/** Scripts that package managers run without being asked. Source: https://docs.npmjs.com/cli/using-npm/scripts#life-cycle-scripts, and pnpm's own. */
const LIFECYCLE: ReadonlySet<string> = new Set([
  "preinstall",
  "install",
  "postinstall",
  "preprepare",
  "prepare",
  "postprepare",
  "prepublish",
  "prepublishOnly",
  "publish",
  "postpublish",
  "prepack",
  "postpack",
  "preuninstall",
  "uninstall",
  "postuninstall",
  "preversion",
  "version",
  "postversion",
  "dependencies",
  "pnpm:devPreinstall",
]);

/** What setup.py has no need of unless it does more than describe a package; `pip install` runs it. */
const SETUP_CODE =
  /\bcmdclass\b|\bos\.(system|popen|exec|spawn)|\bsubprocess\b|\b(exec|eval|compile|__import__)\s*\(|\burllib\b|\bimport\s+(requests|httpx|socket|ctypes|base64|marshal|pickle|http)\b|\bfrom\s+(requests|httpx|socket|ctypes|base64|marshal|http)\b|\b(socket|base64|marshal|requests)\.\w/;

export interface LifecycleOptions {
  readonly read: ReadDependencies;
  readonly basePaths: BasePaths;
}

/**
 * Code that installing or building a package runs: hooks of npm packages (the Nx and Shai-Hulud attacks), composer's events, build backends
 * and hooks, build scripts of cargo, install scripts by the back door of a lockfile, and what makes a package manager run other packages' scripts.
 */
export function lifecycleScriptsRule({ read, basePaths }: LifecycleOptions): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    async check(judged, run) {
      const files = filesOf(judged);
      const change = await read(judged, run);
      const paths = new Set([
        ...((await basePaths(run)) ?? []),
        ...files.flatMap(({ path, after }) => (after === undefined ? [] : [path])),
      ]);
      return [
        ...files.flatMap(judge),
        ...newSettings(change, "code").map(({ path, item }) =>
          finding(path, `${JSON.stringify(item.key)} is new or changed: ${item.why}`, "Leave it as it is; a person changes it."),
        ),
        ...change.changed.flatMap(judgeLocked),
        ...files.flatMap((file) => judgeBuildCode(file, paths)),
      ];
    },
  };
}

function judgeLocked({ path, before, after }: ChangedFile): readonly Finding[] {
  const ran = new Set(before.locked.filter(({ runsScripts }) => runsScripts === true).map(({ name }) => name));
  const versions = new Set(before.locked.map(({ name, version }) => `${name}@${version}`));
  return (after?.locked ?? []).flatMap(({ name, version, runsScripts = false }): Finding[] => {
    if (!runsScripts || ran.has(name)) return [];
    const shown = `${name}@${version}`;
    if (versions.has(shown))
      return [finding(path, `${shown} gets an install script without another version`, "Undo the edit of the lockfile.")];
    const why = `${shown} runs a script when it is installed`;
    return [{ rule: NAME, severity: "warn", where: { path }, why, fix: "Check what the script does, or install without scripts." }];
  });
}

function judgeBuildCode({ path, before, after }: JudgedFile, paths: ReadonlySet<string>): readonly Finding[] {
  if (after?.bytes === undefined) return [];
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const name = fold(path.slice(folder.length));
  if (name === "build.rs" && before === undefined && (folder === "" || paths.has(`${folder}Cargo.toml`))) {
    return [finding(path, "it is a new build script, which cargo runs when the package is built", "A person adds build scripts.")];
  }
  if (name !== "setup.py") return [];
  const decoder = new TextDecoder();
  const old = new Set(
    before?.bytes === undefined
      ? []
      : decoder
          .decode(before.bytes)
          .split("\n")
          .map((line) => line.trim()),
  );
  const line = decoder
    .decode(after.bytes)
    .split("\n")
    .findIndex((one) => SETUP_CODE.test(one.slice(0, 2_000)) && !old.has(one.trim()));
  if (line < 0) return [];
  const found = finding(
    path,
    "it adds code to setup.py that does more than describe the package, and installing runs it",
    "Describe the package as data; a person adds code that runs at installation.",
  );
  return [{ ...found, where: { path, line: line + 1 } }];
}

function judge({ path, before, after }: JudgedFile): readonly Finding[] {
  if (after?.bytes === undefined || fold(path.split("/").at(-1) ?? "") !== "package.json") return [];
  const now = hooksOf(after.bytes);
  const old = before?.bytes === undefined ? undefined : hooksOf(before.bytes);
  if (now === undefined) {
    if (before !== undefined && old === undefined && before.bytes !== undefined) return [];
    return [finding(path, "it is no JSON that could be read, so its scripts could not be judged", "Write valid JSON.")];
  }
  return [...now]
    .filter(([script, command]) => old?.get(script) !== command)
    .map(([script]) =>
      finding(
        path,
        `it adds or alters ${JSON.stringify(script)}, which package managers run unasked`,
        "Leave this script as it is; a person adds it.",
      ),
    );
}

/** Lifecycle scripts and what they run; undefined for what is no JSON object. */
function hooksOf(bytes: Uint8Array): ReadonlyMap<string, string> | undefined {
  try {
    const manifest: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest)) return undefined;
    const { scripts, gypfile } = manifest as { readonly scripts?: unknown; readonly gypfile?: unknown };
    const entries = typeof scripts === "object" && scripts !== null ? Object.entries(scripts) : [];
    const hooks = new Map(
      entries.filter(([script]) => LIFECYCLE.has(script)).map(([script, command]) => [script, JSON.stringify(command)]),
    );
    return gypfile === undefined ? hooks : hooks.set("gypfile", JSON.stringify(gypfile));
  } catch {
    return undefined;
  }
}

function finding(path: string, why: string, fix: string): Finding {
  return { rule: NAME, severity: "block", where: { path }, why, fix };
}
