import type { Journal } from "../core/journal.ts";
import { codeSpan } from "../text/code-span.ts";

/** What the repair loop says first: the command, and how it ended. */
const NOTE =
  /^\[auto_test\] `([^\n]*?)` (passed|failed with exit code \w+|was ended at its time limit|was stopped|was ended by a signal)\.(?: It failed (in the same way )?before the change)?/;

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
    const [whole = "", command, said, alike] = NOTE.exec(entry.text) ?? [];
    if (command === undefined || said === undefined) continue;
    const before = !whole.endsWith("before the change")
      ? ""
      : alike === undefined
        ? ", as before the change in another way"
        : ", as before the change";
    sentence = `${codeSpan(command)} ${said}${before}`;
    isOutdated = false;
  }
  return sentence === undefined ? undefined : `Tests: ${sentence}${isOutdated ? " before the last change" : ""}.`;
}
