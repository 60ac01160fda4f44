import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { detectTestCommand } from "../../workspace/test-command.ts";
import { WORKFLOWS } from "./files.ts";

/** What a folder says of itself. */
export interface Found {
  /** The command that most likely tests it, and the file that says so. */
  readonly test: { readonly command: string; readonly source: string } | undefined;
  /** The name of the workflow that runs the tests. */
  readonly ciName: string | undefined;
  readonly isRoot: boolean;
}

/** Looks at a working tree; nothing in it is run. */
export async function lookAt(folder: string): Promise<Found> {
  const read = async (path: string): Promise<string | undefined> => readFile(join(folder, path), "utf8").catch(() => undefined);
  const list = async (path: string): Promise<readonly string[]> => readdir(join(folder, path)).catch(() => []);
  const candidates = await detectTestCommand(read, list);
  const workflow = candidates.find(({ source }) => source.startsWith(`${WORKFLOWS}/`))?.source;
  return {
    test: candidates[0],
    ciName: workflow === undefined ? undefined : nameIn(await read(workflow), workflow),
    isRoot: await stat(join(folder, ".git")).then(
      () => true,
      () => false,
    ),
  };
}

/** A workflow without a name goes by its path. */
function nameIn(text: string | undefined, path: string): string {
  const workflow: unknown = parse(text ?? "", { logLevel: "silent" });
  const name: unknown = typeof workflow === "object" && workflow !== null && "name" in workflow ? workflow.name : undefined;
  return typeof name === "string" && name !== "" ? name : path;
}
