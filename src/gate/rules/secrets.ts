import type { Finding } from "../../core/result.ts";
import { TEXT_BEARING } from "../contents.ts";
import type { GateRule } from "../rule.ts";
import type { ShapeReport } from "../secrets/look-for-shapes.ts";
import { scanInputOf } from "../secrets/scan-input.ts";
import { deadlineBehind, sameThreadScanner, type SecretScanner } from "../secrets/scanner.ts";

const NAME = "secrets";
const FIX = "Take it out and read it from the environment instead; if it is real, revoke it.";
/** Findings that are listed for one file or text; more would only bury them. */
const MOST_LISTED = 10;

/**
 * No credential is published, in a file or in a text, plain or packed. It goes by shape, so it needs no list of secrets; plain stand-ins are
 * let through. What is at the base already is reported and not blocked. No path and no comment exempts a shape.
 */
export function secretsRule({
  scanner = sameThreadScanner(),
}: { readonly scanner?: Pick<SecretScanner, "shapes" | "longestMs"> } = {}): GateRule {
  return {
    name: NAME,
    ...deadlineBehind(scanner),
    applies: TEXT_BEARING,
    async check(judged) {
      const { texts, names, files } = await scanner.shapes(scanInputOf(judged));
      return [
        ...texts.flatMap(({ field, matches, unread }) => [
          ...matches.slice(0, MOST_LISTED).map(({ kind, severity }) => finding(severity, `the ${field} holds what looks like a ${kind}`)),
          ...(unread === undefined ? [] : [unreadable(`the ${field}`, unread)]),
        ]),
        ...names.map(({ kind }) => finding("block", `a file name holds what looks like a ${kind}`)),
        ...files.flatMap(judgeFile),
      ];
    },
  };
}

function judgeFile({ path, matches, unread }: ShapeReport["files"][number]): readonly Finding[] {
  const listed = matches.slice(0, MOST_LISTED).map(({ kind, severity, line, isOld }) => {
    const where = { path, line };
    if (isOld) return { ...finding("info", `the file holds what looks like a ${kind}, as it did before`), where };
    return { ...finding(severity, `the file would hold what looks like a ${kind}`), where };
  });
  return [...listed, ...(unread === undefined ? [] : [{ ...unreadable("the file", unread), where: { path } }])];
}

/** What cannot be looked through is not let through: a person must say what it is. */
function unreadable(what: string, unread: NonNullable<ShapeReport["files"][number]["unread"]>): Finding {
  const why =
    unread === "too large"
      ? `what is packed in ${what} is too large to be looked through`
      : `${what} is packed or encrypted in a way that cannot be looked into`;
  const fix = "Add what it holds instead, or pack it as zip or gzip without a password; else a person must look into it.";
  return { rule: NAME, severity: "ask", why, fix };
}

function finding(severity: Finding["severity"], why: string): Finding {
  return { rule: NAME, severity, why, fix: FIX };
}
