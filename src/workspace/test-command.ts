import type { ReadBase, TestCommand } from "./test-command/candidate.ts";
import { fromGuides } from "./test-command/guides.ts";
import { fromManifests } from "./test-command/manifests.ts";
import { fromWorkflows } from "./test-command/workflows.ts";

export type { ReadBase, TestCommand } from "./test-command/candidate.ts";

/**
 * The commands that may test a repository, best first: what CI runs, then what guides say, then what manifests declare. Each command is
 * named once, with its best source. A file that cannot be parsed counts as absent.
 * `list` answers the files of one folder (`.github/workflows`); without it the usual names are tried.
 */
export async function detectTestCommand(
  read: ReadBase,
  list?: (folder: string) => Promise<readonly string[]>,
): Promise<readonly TestCommand[]> {
  const found = [...(await fromWorkflows(read, list)), ...(await fromGuides(read)), ...(await fromManifests(read))];
  const known = new Set<string>();
  return found.filter(({ command }) => {
    if (known.has(command)) return false;
    known.add(command);
    return true;
  });
}
