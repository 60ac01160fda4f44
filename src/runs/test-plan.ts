import type { Settings } from "../config/settings.ts";
import { parsePlacedGlob } from "../workspace/search/scan-ignore.ts";
import type { CommitFiles } from "../workspace/commit-files.ts";
import { detectTestCommand } from "../workspace/test-command.ts";

/** How a repository tests itself, as its configuration and its base branch say; nothing that a run changes can change it. */
export interface TestPlan {
  /** What is run once, before the first tests. */
  readonly setup?: string;
  /** The commands that test these changed paths, each once. */
  commandsFor(changed: readonly string[]): readonly string[];
  /** What `npm test` stands for in the base's package.json. */
  readonly script?: string;
}

/**
 * The configuration's `commands` first, then what the base branch says of itself. Undefined where nobody knows a command. A path's own test
 * command counts for the files that its glob matches; where several match, the first.
 */
export async function makeTestPlan(commands: Settings["commands"], base: CommitFiles): Promise<TestPlan | undefined> {
  const read = async (path: string): Promise<string | undefined> => {
    const bytes = await base.file(path);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
  };
  const list = (folder: string): Promise<readonly string[]> =>
    Promise.resolve(base.paths().filter((path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes("/")));
  const general = commands.test ?? (await detectTestCommand(read, list))[0]?.command ?? commands.build;
  const byPath = Object.entries(commands.paths).flatMap(([glob, { test }]) => {
    const parsed = parsePlacedGlob(glob.replace(/\/$/, "/**").replace(/^\.\//, "/"));
    return test === undefined || !parsed.ok ? [] : [{ matches: parsed.matches, test }];
  });
  if (general === undefined && byPath.length === 0) return undefined;
  const script = scriptOf(await read("package.json"));
  return {
    ...(commands.setup === undefined ? {} : { setup: commands.setup }),
    ...(script === undefined ? {} : { script }),
    commandsFor(changed) {
      const chosen = changed.map((path) => byPath.find(({ matches }) => matches(path))?.test ?? general);
      return [...new Set(chosen.filter((command) => command !== undefined))];
    },
  };
}

function scriptOf(manifest: string | undefined): string | undefined {
  if (manifest === undefined) return undefined;
  try {
    const parsed = JSON.parse(manifest.replace(/^\ufeff/, "")) as { readonly scripts?: { readonly test?: unknown } } | null;
    const script = parsed?.scripts?.test;
    return typeof script === "string" ? script : undefined;
  } catch {
    return undefined;
  }
}
