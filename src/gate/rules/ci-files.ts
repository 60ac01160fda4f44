import picomatch from "picomatch";
import type { Finding } from "../../core/result.ts";
import type { Audit } from "../ci/audit.ts";
import { auditCompose } from "../ci/compose-audits.ts";
import { auditWorkflow } from "../ci/workflow-audits.ts";
import { readYaml } from "../ci/yaml-file.ts";
import type { YamlPlace } from "../ci/yaml-file.ts";
import { filesOf } from "../contents.ts";
import type { JudgedFile } from "../contents.ts";
import { fold } from "../names.ts";
import type { GateRule } from "../rule.ts";

const NAME = "ci-files";
/** Audits that are listed for one file. */
const MOST_LISTED = 12;

const AUDITED: readonly {
  readonly matches: (path: string) => boolean;
  readonly audit: (places: readonly YamlPlace[]) => readonly Audit[];
}[] = [
  { matches: picomatch([".github/workflows/**/*.{yml,yaml}", "**/action.{yml,yaml}"], { dot: true }), audit: auditWorkflow },
  { matches: picomatch(["**/{docker-compose,compose}*.{yml,yaml}"], { dot: true }), audit: auditCompose },
];

/**
 * What is dangerous inside files that CI or a container engine carries out, where their path alone is no reason to hold them (any more).
 * What was as dangerous at the base is only reported.
 */
export function ciFilesRule(): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    check: (judged) => filesOf(judged).flatMap(judgeFile),
  };
}

function judgeFile({ path, before, after }: JudgedFile): readonly Finding[] {
  const name = path.split("/").map(fold).join("/");
  const audited = AUDITED.find(({ matches }) => matches(name));
  if (audited === undefined || after?.bytes === undefined || (after.ref !== undefined && after.ref.sha === before?.ref?.sha)) return [];
  const now = auditsOf(after.bytes, audited.audit);
  const old = before?.bytes === undefined ? [] : auditsOf(before.bytes, audited.audit);
  if (now === undefined) {
    const severity = old === undefined ? "info" : "ask";
    return [
      {
        rule: NAME,
        severity,
        where: { path },
        why: "it is no YAML that could be read, so what it does could not be judged",
        fix: "Write valid YAML.",
      },
    ];
  }
  const standing = new Map<string, number>();
  for (const { why } of old ?? []) standing.set(why, (standing.get(why) ?? 0) + 1);
  return now.slice(0, MOST_LISTED).map(({ severity, line, why, fix }) => {
    const left = standing.get(why) ?? 0;
    if (left > 0) standing.set(why, left - 1);
    return { rule: NAME, severity: left > 0 ? "info" : severity, where: { path, line }, why, fix };
  });
}

/** Most severe first. */
function auditsOf(bytes: Uint8Array, audit: (places: readonly YamlPlace[]) => readonly Audit[]): readonly Audit[] | undefined {
  const places = readYaml(new TextDecoder().decode(bytes));
  return places && audit(places).toSorted((a, b) => Number(b.severity === "block") - Number(a.severity === "block"));
}
