import type { Journal } from "../core/journal.ts";
import { codeSpan } from "../text/code-span.ts";

/** What the repair loop says first: the command, and how it ended. */
const NOTE =
  /^\[auto_test\] `([^\n]*?)` (passed|failed with exit code \w+|was ended at its time limit|was stopped|was ended by a signal)\./;

/**
 * How the repository's tests stood last, in one sentence for people; undefined when they have not run. Read from the journal, so that a
 * resumed run says the same; a workspace that was stored since the tests ran has not been tested.
 */
export function testsSentence({ entries }: Pick<Journal, "entries">): string | undefined {
  let sentence: string | undefined;
  let isOutdated = false;
  for (const entry of entries) {
    if (entry.kind === "snapshot") isOutdated = true;
    if (entry.kind !== "note") continue;
    const [, command, said] = NOTE.exec(entry.text) ?? [];
    if (command === undefined || said === undefined) continue;
    sentence = `${codeSpan(command)} ${said}`;
    isOutdated = false;
  }
  return sentence === undefined ? undefined : `Tests: ${sentence}${isOutdated ? " before the last change" : ""}.`;
}
