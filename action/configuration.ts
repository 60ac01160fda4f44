import type { FileSettings } from "../src/config/file-schema.ts";
import { readLayer, sayFault } from "../src/config/read-layer.ts";
import { ConfigurationError } from "../src/core/errors.ts";
import type { GitHubSession } from "../src/github/client.ts";
import { readRepositoryFile } from "../src/github/repository-file.ts";
import type { Inputs } from "./inputs.ts";

/**
 * The layer that the workflow itself is: the input `config`, and the budgets that have inputs of their own. The repository's file on its
 * default branch lies below it, so it can tighten the gate, the permission and the budgets, and not loosen them. What it says of the
 * sandbox holds too: whoever writes the workflow runs the machine.
 * @throws {ConfigurationError} naming `config`, and line and key of what is wrong in it.
 */
export async function workflowLayer(
  { config, maxUsd, maxMinutes }: Inputs,
  session: GitHubSession,
  repository: { readonly owner: string; readonly name: string },
): Promise<FileSettings> {
  const said = config === undefined ? {} : readGood(isPath(config) ? await readFile(config, session, repository) : config);
  return {
    ...said,
    ...(maxUsd === undefined ? {} : { max_usd: maxUsd }),
    ...(maxMinutes === undefined ? {} : { max_minutes: maxMinutes }),
  };
}

/** A text without a key and without a second line can only be a path. */
function isPath(config: string): boolean {
  return !/[\n{]/.test(config) && !/:(?:\s|$)/.test(config);
}

async function readFile(
  path: string,
  session: GitHubSession,
  repository: { readonly owner: string; readonly name: string },
): Promise<string> {
  const file = await readRepositoryFile(session, repository, path.replace(/^\.?\/+/, ""));
  if (file.status === "text") return file.text;
  const why = file.status === "absent" ? "is not on the default branch" : `cannot be read: ${file.why}`;
  throw wrong(`names ${JSON.stringify(path.slice(0, 200))}, which ${why}`);
}

function readGood(text: string): FileSettings {
  const reading = readLayer(text, "workflow");
  if (reading.status === "good") return reading.settings;
  const [first] = reading.faults;
  throw wrong(`has a fault: ${first === undefined ? "it cannot be read" : sayFault(first, "config")}`);
}

function wrong(why: string): ConfigurationError {
  return new ConfigurationError(`The input config ${why}.`, {
    code: "bad-input",
    hint: "Give YAML such as `review: {ignore: [docs/**]}`, or a path on the default branch.",
  });
}
