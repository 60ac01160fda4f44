import type { DiffFile } from "../diff/diff-file.ts";

/** Words in a path behind which a mistake costs most. */
const SENSITIVE =
  /auth(?!or(?!i[sz]))|crypt|secret|token(?!i[sz])|passw|credential|permission|polic(?:y|ies)|session|login|oauth|jwt|sql|quer(?:y|ies)|migrat|payment|billing|invoice|sanitiz|escape|upload|exec|shell|deserial|webhook|middleware|proxy|cors|csrf/i;
/** What builds, tests and ships the rest. */
const PIPELINE =
  /(?:^|\/)(?:\.github\/(?:workflows|actions)\/|\.gitlab-ci|\.circleci\/|Jenkinsfile|Dockerfile|docker-compose|compose\.ya?ml$|Makefile$|.*\.tf$|helm\/|k8s\/|charts\/)/;
const TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__|testdata|fixtures?|e2e)\/|(?:[._-](?:test|spec)s?\.[a-z]+$)|(?:^|\/)test_[^/]+\.py$|_test\.(?:go|py|rb|exs)$/i;
const DOCUMENT = /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:docs?|LICENSES?|CHANGELOG)(?:\/|$)/i;
/** What shows or says something, and does nothing. */
const SHOWN = /\.(?:css|scss|less|svg|po|pot|xlf|strings|csv|tsv|ipynb|snap|lock)$|(?:^|\/)(?:locales?|i18n|translations)\//i;
/** Calls in added lines where a mistake is a hole. */
const DANGEROUS =
  /\beval\s*\(|\bnew Function\b|child_process|\bexec(?:Sync|File|v?e?)?\s*\(|\bspawn\s*\(|\bsystem\s*\(|\bpopen\s*\(|shell\s*=\s*True|innerHTML|dangerouslySetInnerHTML|pickle\.loads?|yaml\.load\s*\(|unserialize|\bunsafe\b|verify\s*=\s*False|rejectUnauthorized|InsecureSkipVerify|chmod|setuid|\b(?:SELECT|INSERT|UPDATE|DELETE)\b.+(?:\$\{|"\s*\+|%s|\.format)|\bmd5\b|\bsha1\b|Math\.random|\bdisable(?:d)?\b.*(?:auth|check|verif)/i;

/** Lines of one file that are looked at. */
const LOOKED_AT = 2000;
/** Changed lines from which a file is most likely data. */
const HUGE = 5000;

/**
 * How much a file deserves to be read, when not all can be: what can break before what proves or describes it, sensitive places and dangerous
 * calls first, and of those the ones where most is changed. Higher is first.
 */
export function riskOf(file: Pick<DiffFile, "path" | "hunks" | "status">): number {
  const changed = file.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== "context"));
  // Nobody has written thousands of lines by hand.
  const size = changed.length > HUGE ? 0.2 : Math.min(0.9, Math.log2(1 + changed.length) / 16);
  const isDangerous = changed.slice(0, LOOKED_AT).some(({ kind, text }) => kind === "added" && DANGEROUS.test(text.slice(0, 500)));
  const kind = kindOf(file.path);
  return kind + (isDangerous && kind >= 2 ? 0.9 : 0) + (file.status === "removed" ? -0.5 : 0) + size;
}

function kindOf(path: string): number {
  if (DOCUMENT.test(path)) return 0;
  if (TEST.test(path)) return 1;
  if (SHOWN.test(path)) return 0.5;
  if (SENSITIVE.test(path)) return 3;
  return PIPELINE.test(path) ? 2.5 : 2;
}
