import type { Finding } from "../../core/result.ts";
import type { RunView } from "../../core/run.ts";
import { changesOf, filesOf, TEXT_BEARING, textsOf } from "../contents.ts";
import type { JudgedText } from "../contents.ts";
import type { Judged } from "../judged.ts";
import { forRun, type GateLimits, type PerRun } from "../policy.ts";
import type { GateRule } from "../rule.ts";
import type { BasePaths } from "../rule-sources.ts";

const NAME = "size";
/** GitHub refuses longer titles and bodies. Characters. Source: its answers `title is too long (maximum is 256 characters)`, `body is too long (maximum is 65536 characters)`. */
const LONGEST: Readonly<Record<JudgedText["field"], number>> = {
  title: 256,
  body: 65_536,
  message: 65_536,
  branch: 100,
  base: 255,
  name: 100,
  // Source: https://docs.github.com/rest/checks/runs#create-a-check-run
  summary: 65_535,
  text: 65_535,
  externalId: 200,
  detailsUrl: 2000,
  annotation: 16_000,
  "annotated path": 4096,
  // GitHub takes 10 MB when it is packed. Source: https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
  sarif: 10_000_000,
  remark: 65_536,
  "remarked path": 4096,
};
const ONE_LINE: ReadonlySet<JudgedText["field"]> = new Set(["title", "branch", "base", "name", "externalId", "detailsUrl"]);
/** Names of files that a difference holds: git allows any sign but NUL, and nothing else is ever made of them. */
const PATHS: ReadonlySet<JudgedText["field"]> = new Set(["annotated path", "remarked path"]);

/** What people can review and GitHub can take: files and bytes of a change, its share of deletions, lengths and lines of texts. */
export function sizeRule({ limits, basePaths }: { readonly limits: PerRun<GateLimits>; readonly basePaths: BasePaths }): GateRule {
  return {
    name: NAME,
    applies: TEXT_BEARING,
    check: async (judged, run) => [
      ...textsOf(judged).flatMap(judgeText),
      ...judgeAmount(judged, forRun(limits, run)),
      ...(await judgeDeletions(judged, run, forRun(limits, run), basePaths)),
    ],
  };
}

function judgeText({ field, text }: JudgedText): readonly Finding[] {
  const length = Array.from(text).length;
  const findings: Finding[] = [];
  if (text.trim() === "" && field !== "body") findings.push(block(`the ${field} is empty`, `Give it a ${field}.`));
  if (length > LONGEST[field]) {
    findings.push(block(`the ${field} has ${length} characters (limit ${LONGEST[field]})`, `Shorten the ${field}.`));
  }
  if (!text.isWellFormed()) findings.push(block(`the ${field} holds half of a surrogate pair`, "Write it anew."));
  if (forbiddenIn(field).test(text)) {
    findings.push(
      block(
        `the ${field} holds a control character${ONE_LINE.has(field) ? " or more than one line" : ""}`,
        `Write the ${field} as plain text.`,
      ),
    );
  }
  return findings;
}

function forbiddenIn(field: JudgedText["field"]): RegExp {
  if (PATHS.has(field)) return /\0/;
  return ONE_LINE.has(field) ? /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/ : /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
}

function judgeAmount(judged: Judged, { files: mostFiles, bytes: mostBytes }: GateLimits): readonly Finding[] {
  const files = filesOf(judged);
  const findings: Finding[] = [];
  if (files.length > mostFiles) {
    findings.push(block(`the change touches ${countOf(files.length)} (limit ${mostFiles})`, "Split the change, or raise limits.files."));
  }
  let bytes = 0;
  for (const { before, after } of files) if (after?.ref === undefined || after.ref.sha !== before?.ref?.sha) bytes += sizeOf(after);
  if (bytes > mostBytes)
    findings.push(block(`the change holds ${bytes} new bytes (limit ${mostBytes})`, "Leave large files out, or raise limits.bytes."));
  return findings;
}

/** The measured length where the bytes are at hand; what a reference claims is only a fallback. */
function sizeOf(side: ReturnType<typeof filesOf>[number]["after"]): number {
  return side?.bytes?.length ?? side?.ref?.size ?? 0;
}

async function judgeDeletions(judged: Judged, run: RunView, limits: GateLimits, basePaths: BasePaths): Promise<readonly Finding[]> {
  const changes = changesOf(judged)?.changes ?? [];
  const moved = new Set(changes.map(({ movedFrom }) => movedFrom));
  const deleted = changes.filter(({ path, after }) => after === undefined && !moved.has(path)).length;
  if (deleted === 0) return [];
  const total = (await basePaths(run))?.length;
  if (total === undefined) {
    return [
      finding("info", `the change deletes ${countOf(deleted)}; how large a share that is could not be told`, "Look through the deletions."),
    ];
  }
  if (deleted <= total * limits.deletedShare) return [];
  return [finding("warn", `the change deletes ${deleted} of ${countOf(total)}`, "Check that nothing is lost that was meant to stay.")];
}

function countOf(files: number): string {
  return files === 1 ? "1 file" : `${files} files`;
}

function block(why: string, fix: string): Finding {
  return finding("block", why, fix);
}

function finding(severity: Finding["severity"], why: string, fix: string): Finding {
  return { rule: NAME, severity, why, fix };
}
