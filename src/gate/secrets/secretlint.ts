import type { SecretMatch } from "./match.ts";
import { isPlaceholder } from "./placeholder.ts";

/** Secretlint's checks for one text. */
export type ScanText = (path: string, text: string) => Promise<readonly SecretMatch[]>;

/**
 * Left out of the recommended preset: the filter by which a comment in the judged text could switch a check off, and checks for keys and
 * for passwords in URLs that are made here with regard to stand-ins.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "@secretlint/secretlint-rule-filter-comments",
  "@secretlint/secretlint-rule-privatekey",
  "@secretlint/secretlint-rule-basicauth",
  "@secretlint/secretlint-rule-database-connection-string",
]);
/** An account's number is no secret, though the check for key ids reports it too. */
const IGNORED_MESSAGES: ReadonlySet<string> = new Set(["AWSAccountID"]);

/** Loads secretlint's recommended preset, which takes longer than the server's start may: once, when first asked. */
export async function loadSecretlint(): Promise<ScanText> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("@secretlint/profiler"),
  ]);
  // It notes two marks for each rule and text in the process's own list, for ever.
  secretLintProfiler.setEnabled(false);
  const config = {
    rules: rules
      .filter(({ meta }) => !LEFT_OUT.has(meta.id))
      .map((rule) => ({ id: rule.meta.id, rule, options: { enableIDScanRule: true } })),
  };
  return async (path, text) => {
    const source = { filePath: path, content: text, contentType: "text" as const, ext: /\.[^./]*$/.exec(path)?.[0] ?? "" };
    const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
    return messages.flatMap(({ messageId, ruleId, range: [start, end] }) => {
      const value = text.slice(start, end);
      if (IGNORED_MESSAGES.has(messageId) || isPlaceholder(value)) return [];
      const kind = `${ruleId.replace("@secretlint/secretlint-rule-", "")} credential`;
      // Keys of a payment service's test mode move no money; manuals are full of them.
      return [{ kind, value, index: start, severity: /^[sr]k_test_/.test(value) ? ("warn" as const) : ("block" as const) }];
    });
  };
}
