/** A line that a bot takes as a command; offsets into the source, from the first character that is not blank. */
export interface Command {
  readonly start: number;
  readonly end: number;
}

const BORS = "bors(?:-ng)?:?[ \\t]+(?:r|try|p|ping|merge|delegate|d|cancel|retry|single|build)\\b[-+=\\w,]*";
/** Whole lines, by which Jenkins, Zuul and homu are moved. */
const WORDS =
  "(?:jenkins,?[ \\t]*)?(?:re)?test this(?:[ \\t]+please)?|ok to test|add to whitelist|recheck|reverify|rebuild|r[+-]|r=[\\w,-]+";
/**
 * Bots read the source line by line, before anybody renders it: a slash with a word (Prow, azure-pipelines, many actions), an exclamation
 * mark with one, and the older words.
 */
const COMMAND = new RegExp(
  `^[^\\S\\r\\n\\u2028\\u2029]*(\\/[a-z][^\\s\`|<]*|![a-z][\\w-]*|==[A-Z_]{4,}==|${BORS}|(?:${WORDS})(?=[.!]?[^\\S\\r\\n]*$))`,
  "gim",
);
/** Slash commands by name. In code any word may follow a slash, so only these count there. */
const NAMED = new Set(
  "allow apply approve area assign ask autofix azp backport bench benchmark bot build canary cancel cc check-cla cherry-pick cherrypick ci claude close codex copilot deny deploy describe dequeue easycla e2e fix format gemini grant help hold improve integrate invite jira joke kind label land lgtm lifecycle lint lock meow merge milestone ok-to-test override payload pipeline plan preview priority promote publish q queue rebase release remove reopen rerun restart retest retest-required retitle review rollback run run-tests ship shipit sig skip snapshot squash stale sync test test-all tide transfer-issue trigger triage unassign uncc unhold unlgtm unlock update update_changelog verify-owners wg woof".split(
    " ",
  ),
);

/** All lines of the source that begin with a command, in order. */
export function findCommands(source: string): readonly Command[] {
  return [...source.matchAll(COMMAND)].map(({ index, 0: whole, 1: command = "" }) => {
    const end = index + whole.length;
    return { start: end - command.length, end };
  });
}

/** Whether what could be a path or a route is a command that bots are known to take. */
export function isKnownCommand(command: string): boolean {
  const [, name, rest] = /^\/([a-z][\w-]*)(.*)$/i.exec(command) ?? [];
  return name === undefined ? !command.startsWith("!") : rest === "" && NAMED.has(name.toLowerCase());
}
