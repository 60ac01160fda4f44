import type { Journal } from "../core/journal.ts";
import { codeSpan } from "../text/code-span.ts";
import { stripHidden } from "../text/hidden.ts";

/** How an installation that failed went. */
export interface FailedInstall {
  readonly command: string;
  /** As a continuation of its name: `failed with exit code 1`. */
  readonly said: string;
  /** Hosts that were asked for and not reached, each with why. */
  readonly refused: readonly string[];
  /** What it printed: hostile text. */
  readonly output: string;
}

/** Characters of the output's end that the model is shown, and of each name in a sentence. */
const SHOWN = 2000;
const LONGEST_NAME = 300;
const MOST_HOSTS = 5;

const NOTE = /^\[install\] ([^\n]*)/;
const SUCCEEDED = "succeeded when it was run again.";

/** What the model is told before its work, once: its first line says the same as {@link installSentence}. */
export function installNote({ command, said, refused, output }: FailedInstall): string {
  const hosts = refused.slice(0, MOST_HOSTS).map((host) => codeSpan(host, LONGEST_NAME));
  const more = refused.length > MOST_HOSTS ? ` and ${refused.length - MOST_HOSTS} more` : "";
  const reached = hosts.length === 0 ? "" : ` Not reached: ${hosts.join(", ")}${more}.`;
  const end = stripHidden(output).trim().slice(-SHOWN);
  return `[install] ${codeSpan(command, LONGEST_NAME)} ${said}.${reached}
Dependencies may be missing here, and nothing can be fetched any more: a test that fails for want of one says nothing about a change. Do not work around it in the repository's files.${end === "" ? "" : ` Its output ended:\n\n${end}`}`;
}

/** What the model is told when a later attempt at the run has installed what an earlier one could not. */
export function installedNote(command: string): string {
  return `[install] ${codeSpan(command, LONGEST_NAME)} ${SUCCEEDED}`;
}

/** That the run's dependencies could not be installed, in one sentence for people; undefined when nothing failed. Read from the journal, so that a resumed run says the same. */
export function installSentence({ entries }: Pick<Journal, "entries">): string | undefined {
  const said = entries.flatMap((entry) => (entry.kind === "note" ? (NOTE.exec(entry.text)?.[1] ?? []) : [])).at(-1);
  return said === undefined || said.endsWith(SUCCEEDED) ? undefined : `Dependencies: ${said}`;
}
