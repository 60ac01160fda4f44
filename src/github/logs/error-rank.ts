/**
 * How surely a line tells why a job failed: 4 names the cause (an assertion, a compiler's error with its place), 3 names what failed, 2 is an
 * error of no known tool, 1 may be one, 0 is none.
 */
export type ErrorRank = 0 | 1 | 2 | 3 | 4;

/** Nearly every line of a log holds none of this and is looked at once. */
const WORTH_A_LOOK =
  /err|fail|fatal|panic|assert|traceback|exception|not ok|cannot|could not|denied|refused|not found|no such|timed|out of memory|killed|segmentation|undefined|\*\*\*|[✗×✖✘●]|^E {2,}|\.go:\d|: \(\w|^e: |broken|invalid|missing|unable/i;
/** What stands before a line when several programs print at once: BuildKit's `#9 3.456`, `web:test:`, `packages/web test:`, `[web]`. */
const PREFIX = /^(?:#\d+ (?:\d+\.\d+ )?|@?[\w./-]+(?:[:#][\w.-]+)+: |[\w./@-]+ [\w:.-]+: (?=\s*[✗×✖✘●❯]|FAIL|Error|error)|\[[\w./@-]+\] )/;
/** Lines of success, and counts of nothing, that speak of errors all the same. */
const HARMLESS =
  /^\s*(?:[✓✔√]|ok \d|PASS\b|PASSED\b|--- PASS|\[INFO\]|info\b|npm (?:warn|notice)|warning[: ]|warn\b|\[WARN)|^\s*test .* \.\.\. (?:ok|ignored)$|^(?:\S+\s+)?(?:0|no) (?:errors?|failures?|failed|problems?)\b|\bPASSED\b(?:\s+\[\s*\d+%\])?$|# (?:SKIP|TODO)\b/i;
/** How a step ends, whatever ended it. */
const GENERIC =
  /^(?:Process completed with exit code \d+\.?|The operation was cancell?ed\.?|npm (?:ERR!|error) (?:A complete log|code 1$|code ELIFECYCLE|errno|path|command|Lifecycle script)|error: (?:could not compile|aborting due to|test failed, to rerun|process didn't exit)|error Command failed with exit code|\s*ELIFECYCLE\b)/i;

const RANKED: readonly (readonly [rank: ErrorRank, pattern: RegExp])[] = [
  // TypeScript, .NET, Microsoft's C: src/a.ts(3,5): error TS2322: …
  [4, /\berror [A-Z]{1,8}\d+:/],
  // Rust, and compilers that name a place first: a.c:3:5: error: …, Sum.java:3: error: …, e: Sum.kt:3:5
  [4, /^(?:error(?:\[E\d{4}\])?: |e: )/],
  [4, /^\S[^:]*:\d+(?::\d+)?: (?:fatal )?error\b/i],
  [4, /^\[ERROR\].*\.\w+:\[\d+,\d+\]|^\[ERROR\]\s+[\w$.]+(?:[.#>]|->)[\w$]+:\d+\b/],
  [4, /^(?:vet: )?(?:\.{0,2}\/)?[\w./-]+\.go:\d+:\d+: /],
  // Assertions of JavaScript, Java, Python, PHP, .NET.
  [
    4,
    /^(?:\s|→|Caused by: )*(?:[\w$]+\.)*\w*Assert(?:ion)?\w*(?:Error|Exception)\b|^\s*Failed asserting|Assert\.\w+\(\) Failure|ComparisonFailure/,
  ],
  [4, /^E {2,}\S/],
  [4, /^thread '.*'(?: \(\d+\))? panicked at |^panic: |^fatal error: /],
  [4, /^\s*Failure\/Error:/],
  [4, /^\s{0,4}● (?!Console)\S/],
  [4, /^\s*--- FAIL: /],
  [4, /^\s*not ok \d+/],
  // ESLint, stylelint: `  3:7  error  'x' is …`
  [4, /^\s*\d+:\d+\s+error\b/],
  [4, /\bERR_PNPM_\w+|^npm (?:ERR!|error) code E(?!LIFECYCLE)\w+/],
  [3, /^\s*FAIL(?:ED)?\b[:\s]|^\s*[✗×✖✘]\s|^=+ (?:FAILURES|ERRORS) =+$|\bFAILED$|\[FAIL\]$|<<< (?:FAILURE|ERROR)!/],
  [3, /^Traceback \(most recent call last\)|^\s*│ Error: |^fatal: |\.rb:\d+:in .*\(\w+(?:Error|Exception)\)/],
  [
    3,
    /^\* What went wrong:|^ERROR(?::| in )|^ERROR: failed to |^npm (?:ERR!|error) |^\[ERROR\] |^error (?:Command|Couldn't|An unexpected)|^➤ YN\d+:.*(?:can't|isn't|failed)/,
  ],
  [
    2,
    /^\s*(?:Uncaught |Unhandled )?(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception)\b(?: \[\w+\])?:|^\s*(?:error|fatal)\b[:\s]|\bcommand not found\b|^\s+\d+\) /i,
  ],
  [
    2,
    /Cannot find (?:module|package)|No such file or directory|Permission denied|ECONNREFUSED|ENOTFOUND|ETIMEDOUT|out of memory|OOMKilled|Segmentation fault|\bKilled$|core dumped|No space left on device|undefined reference|\*\*\* \[|BUILD FAILED|Build failed/,
  ],
  [
    1,
    /\b(?:errors?|fail(?:ed|ure|ures|s)?|fatal|exception|cannot|could not|denied|refused|timed? ?out|not found|unable to|invalid|missing)\b/i,
  ],
];

/** How much of a line is looked at: patterns take time that grows with the square of a hostile line. */
const LOOKED_AT = 400;

/** Ranks one cleaned line. `marked`: the runner itself says that it is an error. */
export function errorRank(whole: string, marked = false): ErrorRank {
  const line = whole.slice(0, LOOKED_AT);
  if (GENERIC.test(line)) return 0;
  if (!marked && !WORTH_A_LOOK.test(line)) return 0;
  const bare = line.replace(PREFIX, "");
  if (!marked && (HARMLESS.test(bare) || HARMLESS.test(line))) return 0;
  const found = RANKED.find(([, pattern]) => pattern.test(bare) || pattern.test(line))?.[0] ?? 0;
  return marked && found < 3 ? 3 : found;
}
