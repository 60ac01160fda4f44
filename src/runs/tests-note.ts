import type { Journal } from "../core/journal.ts";
import { codeSpan } from "../text/code-span.ts";

/** What the repair loop says first: the command, and how it ended. */
const NOTE =
  /^\[auto_test\] `([^\n]*?)` (passed|failed with exit code \w+|was ended at its time limit|was stopped|was ended by a signal)\.(?: It failed (in the same way )?before the change)?/;

/** How the repository's tests stood last. */
export interface TestsEnd {
  readonly command: string;
  /** `passed`, or how they failed. */
  readonly ended: string;
  /** `, as before the change`, where that was looked at. */
  readonly before: string;
  /** The workspace has changed since. */
  readonly isOutdated: boolean;
}

/**
 * How the repository's tests stood last; undefined when they have not run. Read from the journal, so that a resumed run says the same; a
 * workspace that was stored since the tests ran has not been tested.
 */
export function testsEnd({ entries }: Pick<Journal, "entries">): TestsEnd | undefined {
  let end: TestsEnd | undefined;
  for (const entry of entries) {
    if (entry.kind === "snapshot" && end !== undefined) end = { ...end, isOutdated: true };
    if (entry.kind !== "note") continue;
    const [whole = "", command, ended, alike] = NOTE.exec(entry.text) ?? [];
    if (command === undefined || ended === undefined) continue;
    const before = !whole.endsWith("before the change")
      ? ""
      : alike === undefined
        ? ", as before the change in another way"
        : ", as before the change";
    end = { command, ended, before, isOutdated: false };
  }
  return end;
}

/** The same in one sentence for people. */
export function testsSentence(journal: Pick<Journal, "entries">): string | undefined {
  const end = testsEnd(journal);
  if (end === undefined) return undefined;
  return `Tests: ${codeSpan(end.command)} ${end.ended}${end.before}${end.isOutdated ? " before the last change" : ""}.`;
}
