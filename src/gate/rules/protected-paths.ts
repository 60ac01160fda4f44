import picomatch from "picomatch";
import type { Finding } from "../../core/result.ts";
import type { RunView } from "../../core/run.ts";
import { filesOf } from "../contents.ts";
import { fold } from "../names.ts";
import { forRun, type GatePolicy, type PerRun, type Protection } from "../policy.ts";
import type { GateRule } from "../rule.ts";
import { PROTECTED } from "./protected-table.ts";

const NAME = "protected-paths";
const RANK: readonly Protection[] = ["warn", "ask", "block"];

interface Row {
  readonly matches: (path: string) => boolean;
  readonly severity: Protection;
  readonly reason: string;
  /** Whether it is an operator's word on exactly this path: it decides alone. */
  readonly decides: (path: string) => boolean;
}

/**
 * Files that act before anybody has reviewed them: workflows, actions, owners, agent rules, configuration that tools execute. The path
 * alone decides, for additions, changes and deletions, under the old name and the new one.
 */
export function protectedPathsRule({ policy }: { readonly policy: PerRun<GatePolicy> }): GateRule {
  // Runs one after another mostly have the same.
  let compiled: { readonly key: string; readonly rows: readonly Row[] } | undefined;
  const rowsFor = (run: RunView): readonly Row[] => {
    const now = forRun(policy, run);
    const key = JSON.stringify(now.protected);
    if (compiled?.key !== key) compiled = { key, rows: rowsOf(now) };
    return compiled.rows;
  };
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    check(judged, run) {
      const rows = rowsFor(run);
      return [...new Set(filesOf(judged).flatMap(({ path, movedFrom = path }) => [path, movedFrom]))].flatMap((path) => judge(path, rows));
    },
  };
}

function judge(path: string, rows: readonly Row[]): readonly Finding[] {
  const matching = rows.filter(({ matches }) => matches(path));
  const deciding = matching.filter(({ decides }) => decides(path));
  const [worst] = (deciding.length > 0 ? deciding : matching).toSorted((a, b) => RANK.indexOf(b.severity) - RANK.indexOf(a.severity));
  if (worst === undefined) return [];
  return [{ rule: NAME, severity: worst.severity, where: { path }, why: worst.reason, fix: FIXES[worst.severity] }];
}

const FIXES: Readonly<Record<Protection, string>> = {
  block: "Leave this file as it is and describe the change it needs; a person makes it.",
  ask: "A person must approve this change.",
  warn: "Look at this file with care.",
};

/** The built-in table under the operator's globs. One that the table has too replaces it there, so an operator can move it either way. */
function rowsOf(policy: GatePolicy): readonly Row[] {
  const own = Object.entries(policy.protected);
  const replaced = new Set(own.map(([glob]) => glob.toLowerCase()));
  return [
    ...own.map(([glob, severity]) => ({
      matches: matcher([glob]),
      severity,
      reason: `the gate's configuration protects ${glob}`,
      // Letter by letter: a glob has many spellings for one path, and layers of the configuration are compared by what is written.
      decides: (path: string) => folded(path) === folded(glob),
    })),
    ...PROTECTED.map(({ globs, severity, reason, except = [] }) => {
      const kept = globs.filter((glob) => !replaced.has(glob.toLowerCase()));
      const matches = matcher(kept);
      const exempt = picomatch([...except], { dot: true });
      return { severity, reason, decides: () => false, matches: (path: string) => matches(path) && !exempt(path) };
    }),
  ];
}

/** In lower case as far as globs take letters for one another: ASCII alone. */
function folded(path: string): string {
  return path.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Matches a path in its spelling and in its folding: a file system may take one for the other. */
function matcher(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const matches = picomatch([...globs], { dot: true, nocase: true });
  return (path) => matches(path) || matches(path.split("/").map(fold).join("/"));
}
