import { messageOf } from "../../core/errors.ts";
import { LEAST_GIT, openGit } from "../../workspace/git.ts";
import type { Check, Outcome } from "./check.ts";

const ADVICE = [`Install git ${LEAST_GIT} or newer and put it on PATH: apt-get install git, dnf install git or apk add git.`];

/** Every workspace, and every checkout that is judged, begins with git. */
export function gitCheck({ path }: { readonly path: string }): Check {
  return {
    name: "git",
    run: () =>
      openGit({ path })
        .text(["version"])
        .then(gitOutcome, (error: unknown) => ({ status: "failed", says: messageOf(error), advice: ADVICE })),
  };
}

/** What the answer of `git version` means to an operator. */
export function gitOutcome(said: string): Outcome {
  const [version, major, minor] = /(\d+)\.(\d+)[\w.]*/.exec(said) ?? [];
  if (version === undefined) return { status: "failed", says: "git does not say its version", advice: ADVICE };
  const [leastMajor = 0, leastMinor = 0] = LEAST_GIT.split(".").map(Number);
  const isOld = Number(major) < leastMajor || (Number(major) === leastMajor && Number(minor) < leastMinor);
  return isOld ? { status: "failed", says: `git ${version} is too old`, advice: ADVICE } : { status: "ok", says: `git ${version}` };
}
