import type { Finding } from "../../core/result.ts";
import { filesOf } from "../contents.ts";
import type { JudgedFile } from "../contents.ts";
import { fold } from "../names.ts";
import type { GateRule } from "../rule.ts";

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

/** Install and publish hooks of npm packages: a branch that adds one runs code wherever the package is installed (the Nx and Shai-Hulud attacks). */
export function lifecycleScriptsRule(): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    check: (judged) => filesOf(judged).flatMap(judge),
  };
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
