import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { explain, renderExplained, type NamedLayer } from "../config/explain.ts";
import { readLayer, sayFault } from "../config/read-layer.ts";
import { withoutEffect } from "../config/without-effect.ts";
import { readServerFile } from "../config/server-file.ts";
import { SallyportError } from "../core/errors.ts";
import { openGit } from "../workspace/git.ts";
import { fileAt } from "../workspace/local/local-change.ts";
import { openCheckout, type Checkout, type Revision } from "../workspace/local/open-checkout.ts";

export interface ConfigCommandOptions {
  readonly words: readonly string[];
  readonly json: boolean;
  /** The folder that the command works in, absolute. */
  readonly cwd: string;
}

export interface ConfigCommandWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
  readonly complain: (line: string) => void;
}

const REPOSITORY_FILE = ".github/sallyport.yml";

/**
 * `sallyport config explain`: every value with the layer that it came from. The repository's layer is the file of the checkout's default branch,
 * as for the bot. Answers 0, or 1 when the repository's file has faults: they are named, and the rest is shown without it.
 * @throws {ConfigurationError} for a server file that cannot be used.
 */
export async function config(
  { words, json, cwd }: ConfigCommandOptions,
  { variables, write, complain }: ConfigCommandWorld,
): Promise<number> {
  const [word, ...more] = words;
  if (word !== "explain" || more.length > 0) {
    const said = word === undefined ? "" : `, and not ${words.join(" ")}`;
    complain(`sallyport config: it needs to know what to do: sallyport config explain${said}`);
    return 2;
  }
  const { PATH: path = "", SALLYPORT_CONFIG: named = "" } = variables;
  const serverFile = named.trim() === "" ? undefined : resolve(cwd, named.trim());
  const server: NamedLayer = { name: `the server's file ${serverFile ?? ""}`.trim(), settings: readServerFile(serverFile) };
  const found = await repositoryFile(path, cwd);
  const reading = found.text === undefined ? undefined : readLayer(found.text, "repository");
  const layers = [server, ...(reading?.status === "good" ? [{ name: found.name, settings: reading.settings }] : [])];
  const faults = reading?.status === "faulty" ? reading.faults.map((fault) => sayFault(fault, found.name)) : [];
  const explained = explain(layers);
  const notes = [
    ...layers.flatMap(({ name, settings }) => withoutEffect(settings, name)),
    ...found.notes,
    "The layer of the organisation's .github repository is not read here.",
  ];
  write(json ? `${JSON.stringify({ values: explained, notes, faults }, null, 2)}\n` : renderExplained(explained));
  if (!json) for (const note of notes) complain(`note: ${note}`);
  for (const fault of faults) complain(`sallyport config: ${fault}; the file counts for nothing but what it tightens`);
  return faults.length === 0 ? 0 : 1;
}

interface Found {
  readonly name: string;
  readonly text?: string;
  readonly notes: readonly string[];
}

async function repositoryFile(path: string, cwd: string): Promise<Found> {
  let checkout: Checkout;
  try {
    checkout = await openCheckout(openGit({ path }), cwd);
  } catch (error) {
    if (!(error instanceof SallyportError)) throw error;
    return { name: REPOSITORY_FILE, notes: [`${error.message} Only the server's file and the defaults are shown.`] };
  }
  const revision = await defaultRevision(checkout);
  const committed = revision === undefined ? undefined : await textAt(checkout, revision);
  const there = await readFile(join(checkout.root, REPOSITORY_FILE), "utf8").catch(() => undefined);
  const branch = revision?.name ?? "a default branch";
  if (committed === undefined && there !== undefined) {
    const name = `${REPOSITORY_FILE} of the working tree`;
    return { name, text: there, notes: [`${REPOSITORY_FILE} counts once it is on ${branch}; what the working tree says is shown.`] };
  }
  const differs = committed !== undefined && there !== committed;
  return {
    name: `${REPOSITORY_FILE} of ${branch}`,
    ...(committed === undefined ? {} : { text: committed }),
    notes: differs ? [`The working tree's ${REPOSITORY_FILE} differs from that of ${branch}, which counts.`] : [],
  };
}

async function textAt(checkout: Checkout, revision: Revision): Promise<string | undefined> {
  const bytes = await fileAt(checkout, revision, REPOSITORY_FILE);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
}

/** The default branch as far as a checkout knows it. */
async function defaultRevision(checkout: Checkout): Promise<Revision | undefined> {
  for (const name of ["origin/HEAD", "main", "master", "HEAD"]) {
    try {
      return await checkout.resolve(name);
    } catch (error) {
      if (!(error instanceof SallyportError)) throw error;
    }
  }
  return undefined;
}
