import type { RunView } from "../../core/run.ts";
import type { Finding } from "../../core/result.ts";
import { filesOf } from "../contents.ts";
import type { Judged } from "../judged.ts";
import { fold } from "../names.ts";
import type { GateRule } from "../rule.ts";
import type { BasePaths } from "../rule-sources.ts";

const NAME = "file-names";
/** Deepest nesting of a new file; no project is near it, and many tools fail beyond. */
const DEEPEST = 64;
/** Joiners and variation selectors shape the character before them in some scripts and in emoji; after ASCII they only hide. */
const JOINERS = String.raw`\p{Variation_Selector}\p{Join_Control}`;
const IDLE_JOINER = new RegExp(`(?:^|\\p{ASCII})[${JOINERS}]`, "u");
/** All else that shows nothing, and direction controls (Trojan Source, CVE-2021-42574). */
const UNSEEN = new RegExp(String.raw`[\p{Bidi_Control}\p{Zl}\p{Zp}]|(?![${JOINERS}])[\p{Cf}\p{Default_Ignorable_Code_Point}]`, "u");

/**
 * A name must be seen for what it is and must not become another file's on some machine. It judges names that the change adds: what is
 * spelled so already may still be edited or deleted.
 */
export function fileNamesRule({ basePaths }: { readonly basePaths: BasePaths }): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    check: (judged, run) => check(judged, run, basePaths),
  };
}

async function check(judged: Judged, run: RunView, basePaths: BasePaths): Promise<readonly Finding[]> {
  const files = filesOf(judged);
  const isNew = ({ before, movedFrom }: (typeof files)[number]): boolean => before === undefined || movedFrom !== undefined;
  const added = files.filter((file) => file.after !== undefined && isNew(file)).map(({ path }) => path);
  if (added.length === 0) return [];
  const gone = new Set(files.filter(({ after }) => after === undefined).map(({ path }) => path));
  const standing = ((await basePaths(run)) ?? []).filter((path) => !gone.has(path));
  const misspelt = added.flatMap(judgeSpelling);
  // A name that is refused for itself is not compared as well.
  const refused = new Set(misspelt.flatMap(({ severity, where }) => (severity === "block" && where !== undefined ? [where.path] : [])));
  const others = files.filter(({ after }) => after !== undefined).map(({ path }) => path);
  return [
    ...misspelt,
    ...collisions(
      added.filter((path) => !refused.has(path)),
      [...standing, ...others],
    ),
  ];
}

function judgeSpelling(path: string): readonly Finding[] {
  const segments = path.split("/");
  if (UNSEEN.test(path) || IDLE_JOINER.test(path)) {
    return [finding("block", path, "the name holds an invisible or direction character", "Use a name of visible characters.")];
  }
  if (segments.length > DEEPEST) {
    return [finding("block", path, `the path is ${segments.length} levels deep (limit ${DEEPEST})`, "Use fewer folders.")];
  }
  if (path.includes("\\")) {
    return [finding("block", path, "the name holds a backslash, which separates folders on Windows", "Separate folders with /.")];
  }
  if (path.includes(":")) {
    return [
      finding(
        "block",
        path,
        "the name holds a colon, behind which Windows writes into another file's stream",
        "Use a name without a colon.",
      ),
    ];
  }
  const words = path.split(/[^\p{L}\p{M}]+/u);
  const mixed = words.find((word) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word));
  if (mixed === undefined) return [];
  return [
    finding(
      "warn",
      path,
      "one word of the name mixes Latin with Cyrillic or Greek letters, which look alike",
      "Check that the name is meant so.",
    ),
  ];
}

/** Added paths of which some folder or name differs from a standing one by case or Unicode form only. */
function collisions(added: readonly string[], all: readonly string[]): readonly Finding[] {
  const own = new Set(added);
  const spellings = new Map<string, Set<string>>();
  for (const path of all) if (!own.has(path)) for (const part of partsOf(path)) spell(spellings, part);
  return added.flatMap((path) => {
    const other = partsOf(path)
      .map((part) => spell(spellings, part))
      .find((twin) => twin !== undefined);
    if (other === undefined) return [];
    const why = `it differs from ${JSON.stringify(other)} by case or Unicode form only, so they are one file on some machines`;
    return [finding("block", path, why, "Use the existing spelling or another name; to change only the case, rename it in the shell.")];
  });
}

/** Notes a spelling; answers another one of the same folding when there was one before. */
function spell(spellings: Map<string, Set<string>>, part: string): string | undefined {
  const folded = fold(part);
  const known = spellings.get(folded) ?? new Set();
  spellings.set(folded, known);
  const twin = known.has(part) ? undefined : known.values().next().value;
  known.add(part);
  return twin;
}

/** The path and every folder above it. */
function partsOf(path: string): readonly string[] {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

function finding(severity: Finding["severity"], path: string, why: string, fix: string): Finding {
  return { rule: NAME, severity, where: { path }, why, fix };
}
