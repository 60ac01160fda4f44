import type { FailedRun } from "../../core/run.ts";
import type { EarlierCi } from "../../store/ci.ts";

/** `stop`: it is to be said that no more is tried. `silent`: that was said. */
export type Attempts = { readonly status: "go" | "stop" | "silent"; readonly made: number };

/**
 * Whether one more attempt may be made. A failure of the bot's own commit counts with all that came before it, back to the last one that a
 * person's push started; that of a person's commit with those of the same commit and workflow.
 * @param earlier of the same thread, newest first
 * @param most attempts
 */
export function attemptsLeft(ci: Pick<FailedRun, "isOwn" | "headSha" | "path">, earlier: readonly EarlierCi[], most: number): Attempts {
  const chain =
    ci.isOwn === true ? sincePerson(earlier) : earlier.filter((one) => one.ci.headSha === ci.headSha && one.ci.path === ci.path);
  const made = chain.filter(({ asked }) => asked).length;
  if (made < most) return { status: "go", made };
  return { status: chain.some(({ gaveUp }) => gaveUp) ? "silent" : "stop", made };
}

function sincePerson(earlier: readonly EarlierCi[]): readonly EarlierCi[] {
  const person = earlier.findIndex(({ ci }) => ci.isOwn !== true);
  if (person < 0) return earlier;
  // All that the same push of a person's started belongs to it.
  const { headSha } = earlier[person]?.ci ?? {};
  return earlier.filter(({ ci }, index) => index < person || (ci.isOwn !== true && ci.headSha === headSha));
}
