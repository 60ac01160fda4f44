import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf, SallyportError } from "../core/errors.ts";
import { collectAnswers, type Answers, type Ask, type Given } from "./init/answers.ts";
import { filesFor, type InitFile } from "./init/files.ts";
import { lookAt } from "./init/look-at.ts";

export interface InitOptions {
  /** The repository's root, absolute. */
  readonly dir: string;
  readonly given: Given;
  /** Takes the defaults for what was not given, and asks nothing. */
  readonly yes: boolean;
  /** Replaces files that are there. */
  readonly overwrite: boolean;
  readonly json: boolean;
}

export interface InitWorld {
  readonly write: (text: string) => void;
  readonly complain: (line: string) => void;
  /** Asks the person at the terminal; absent where nobody can answer. */
  readonly ask?: Ask;
}

type Outcome = "written" | "replaced" | "kept" | "unchanged";

/**
 * `sallyport init`: asks a few questions, and writes the repository's configuration and, for the Action, its workflows. What is there already stays
 * unless somebody says otherwise. Answers 0, or 1 when a file that is there was kept and says something else.
 * @throws {SallyportError} `misused` when nobody can be asked and `yes` is missing; for a folder that is not there.
 */
export async function init({ dir, given, yes, overwrite, json }: InitOptions, { write, complain, ask }: InitWorld): Promise<number> {
  const mayAsk = yes ? undefined : ask;
  if (!yes && ask === undefined) {
    throw new SallyportError("Nobody can be asked here.", { code: "misused", hint: "--yes takes the defaults for what no option says." });
  }
  const isFolder = await stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new SallyportError(`There is no folder ${dir}.`, { code: "no-folder" });
  const { test, ciName, isRoot } = await lookAt(dir);
  if (!isRoot) complain(`note: ${dir} is not the root of a git checkout; --cwd names another folder.`);
  if (test !== undefined && given.test === undefined) complain(`note: ${test.source} says that its tests are run by: ${test.command}`);
  const answers = await collectAnswers({
    given,
    defaults: { as: "app", review: "yes", ci: "fix", test: test?.command ?? "-", model: "-" },
    ...(mayAsk === undefined ? {} : { ask: mayAsk }),
    complain,
  });
  const files: { readonly path: string; readonly outcome: Outcome }[] = [];
  for (const file of filesFor(answers, { ciName })) files.push({ path: file.path, outcome: await put(dir, file, mayReplace) });
  const next = nextSteps(answers, ciName);
  if (json) write(`${JSON.stringify({ answers, files, next }, null, 2)}\n`);
  else {
    const lines = files.map(
      ({ path, outcome }) => `${outcome.padEnd(10)}${path}${outcome === "kept" ? " (it is there already; --overwrite replaces it)" : ""}`,
    );
    write(`${lines.join("\n")}\n\nNext\n${next.map((step, index) => `  ${index + 1}. ${step}`).join("\n")}\n`);
  }
  return files.some(({ outcome }) => outcome === "kept") ? 1 : 0;

  async function mayReplace(path: string): Promise<boolean> {
    if (overwrite || mayAsk === undefined) return overwrite;
    return /^y(?:es)?$/i.test((await mayAsk(`${path} is there already. Replace it?`, "no")).trim());
  }
}

async function put(dir: string, { path, content }: InitFile, mayReplace: (path: string) => Promise<boolean>): Promise<Outcome> {
  const target = join(dir, path);
  try {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content, { flag: "wx" });
    return "written";
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) throw new SallyportError(`${target} cannot be written: ${messageOf(error)}.`, { code: "cannot-write", cause: error });
  }
  if ((await readFile(target, "utf8").catch(() => undefined)) === content) return "unchanged";
  if (!(await mayReplace(path))) return "kept";
  await writeFile(target, content);
  return "replaced";
}

function nextSteps({ as, ci }: Answers, ciName: string | undefined): readonly string[] {
  const commit = "Commit the files to the default branch: they count from there.";
  if (as === "app") {
    return [
      commit,
      'Where the server is to run, "sallyport setup" creates the App and starts it.',
      "Install the App on this repository, and write a comment: @<its name> help",
    ];
  }
  return [
    "In the workflows, put the commit of a release of Sallyport where its 40 digits are only an example.",
    'Store the model\'s key as the secret OPENAI_API_KEY: "gh secret set OPENAI_API_KEY".',
    'Allow it to open pull requests: Settings, Actions, General, "Allow GitHub Actions to create and approve pull requests".',
    ...(ci === "off" || ciName !== undefined
      ? []
      : ["No workflow that runs tests was found, so none was written for failed CI: examples/action/ci-fix.yml of Sallyport is one."]),
    commit,
    "Write a comment on an issue: @sallyport help",
  ];
}
