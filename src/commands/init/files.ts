import { readFileSync } from "node:fs";
import { stringify } from "yaml";
import type { Answers } from "./answers.ts";

/** A file to be written, relative to the repository's root. */
export interface InitFile {
  readonly path: string;
  readonly content: string;
}

const EXAMPLES = new URL("../../../examples/action/", import.meta.url);
const HEAD = `# How Sallyport works in this repository. It counts once it is on the default branch.
# "sallyport config explain" shows every key, its value and where that came from.
`;

/** Where the workflows of the Action lie. */
export const WORKFLOWS = ".github/workflows";

/** The files for these answers. `ciName` is the name of the workflow whose failures are looked at; without one that workflow is left out. */
export function filesFor(answers: Answers, { ciName }: { readonly ciName: string | undefined }): readonly InitFile[] {
  const { as, review, ci, test, model } = answers;
  const settings = {
    review,
    ci,
    ...(test === undefined ? {} : { commands: { test } }),
    ...(model === undefined ? {} : { model }),
  };
  const files: InitFile[] = [{ path: ".github/sallyport.yml", content: HEAD + stringify(settings) }];
  if (as === "app") return files;
  files.push({ path: `${WORKFLOWS}/sallyport.yml`, content: example("mention.yml").replace("model: gpt-5", `model: ${model ?? "gpt-5"}`) });
  if (review) files.push({ path: `${WORKFLOWS}/sallyport-review.yml`, content: example("review.yml") });
  if (ci !== "off" && ciName !== undefined) {
    const content = example("ci-fix.yml").replace("workflows: [CI]", `workflows: [${JSON.stringify(ciName)}]`);
    // Whoever only explains needs no right to write what is in the repository.
    const mode = ci === "fix" ? content : content.replace("mode: fix", "mode: auto").replace("contents: write", "contents: read");
    files.push({ path: `${WORKFLOWS}/sallyport-ci.yml`, content: mode });
  }
  return files;
}

function example(name: string): string {
  return readFileSync(new URL(name, EXAMPLES), "utf8");
}
