import type { Journal } from "../core/journal.ts";
import type { WriteOutcome } from "../core/result.ts";
import type { Once, WriteStep } from "../github/step.ts";

/** Performs each effect on GitHub at most once in the life of the journal's run, whatever attempts it takes. */
export function onceWith(journal: Journal): Once {
  // Two callers of one key in one attempt share the one effect.
  const running = new Map<string, Promise<WriteOutcome>>();
  return (step) => {
    const earlier = running.get(step.key);
    if (earlier !== undefined) return earlier;
    const outcome = perform(journal, step).finally(() => running.delete(step.key));
    running.set(step.key, outcome);
    return outcome;
  };
}

async function perform(journal: Journal, step: WriteStep): Promise<WriteOutcome> {
  const { key, operation } = step;
  const recorded = journal.entries.find((entry) => entry.kind === "outcome" && entry.key === key);
  if (recorded?.kind === "outcome") return recorded.outcome;
  if (journal.entries.some((entry) => entry.kind === "intent" && entry.key === key)) {
    const found = await step.find();
    if (found !== undefined) {
      await journal.append({ kind: "outcome", key, outcome: found });
      return found;
    }
  } else {
    await journal.append({ kind: "intent", key, operation });
  }
  const outcome = await step.send();
  await journal.append({ kind: "outcome", key, outcome });
  return outcome;
}
