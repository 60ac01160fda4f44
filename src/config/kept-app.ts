import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { ConfigurationError, messageOf } from "../core/errors.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that say which App this is. With any of them set, the file says nothing. */
const APP = ["APP_ID", "PRIVATE_KEY", "PRIVATE_KEY_PATH", "WEBHOOK_SECRET"] as const;
/** By what people sign in: of another App, one of the two would be of no use beside the other. */
const CLIENT = ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"] as const;
/** What the file may say beside them: where the App lives, where its deliveries come from, and where people find this server. */
const BESIDE = ["GHE_HOST", "GHE_PROTOCOL", "WEBHOOK_PROXY_URL", "SALLYPORT_PUBLIC_URL"] as const;

/** What is kept of an App that the setup page created, by the names of its variables. */
export type KeptApp = Readonly<
  Record<"APP_ID" | "PRIVATE_KEY" | "WEBHOOK_SECRET", string> & Partial<Record<(typeof BESIDE | typeof CLIENT)[number], string>>
>;

/** What whoever has set up no App is told beside the variables that are missing. */
export const NO_APP_HINT = 'No GitHub App yet? "sallyport setup" creates one on a page of this machine, and keeps what a start needs.';

/** The variables of an App that are set, empty ones aside. */
export function appVariables(variables: Variables): readonly string[] {
  return APP.filter((name) => isSet(variables, name));
}

/** Those by which people would sign in, empty ones aside. */
export function clientVariables(variables: Variables): readonly string[] {
  return CLIENT.filter((name) => isSet(variables, name));
}

const isSet = (variables: Variables, name: string): boolean => (variables[name] ?? "").trim() !== "";

/** Where the credentials of an App are kept: `app.env` in the data folder, absolute. */
export function keptAppFile(variables: Variables, cwd: string): string {
  return resolve(cwd, variables["SALLYPORT_DATA_DIR"]?.trim() || "./.sallyport", "app.env");
}

/**
 * The variables with those of the kept App among them. They count only where no variable names an App, as one that is set in part must not be
 * completed from elsewhere; its client's neither; of the others each that is set wins. `warning` is a line about a file that more people can read than should.
 * @throws {ConfigurationError} for a file that is there and cannot be read.
 */
export function withKeptApp(variables: Variables, cwd: string): { readonly variables: Variables; readonly warning?: string } {
  if (appVariables(variables).length > 0) return { variables };
  const file = keptAppFile(variables, cwd);
  const text = textOf(file);
  if (text === undefined) return { variables };
  const kept: Record<string, string | undefined> = {};
  const said = parseEnv(text);
  for (const name of [...APP, ...BESIDE]) if (said[name] !== undefined) kept[name] = said[name];
  for (const name of clientVariables(variables).length > 0 ? [] : CLIENT) if (said[name] !== undefined) kept[name] = said[name];
  for (const [name, value] of Object.entries(variables)) if (isSet(variables, name)) kept[name] = value;
  const isOpen = process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0;
  return {
    variables: kept,
    ...(isOpen ? { warning: `${file} holds the App's key and can be read by others on this machine: chmod 600 it.` } : {}),
  };
}

/**
 * Writes an App's credentials, for the owner alone (0600). What was kept before is set aside beside it, under the id of its App. The file is
 * whole or not there. Its lines are `NAME=value` without quotes, as Node's and Docker's `--env-file` read them.
 * @throws {Error} for a value that such a line cannot hold, and when the folder cannot be written.
 */
export function keepApp(file: string, app: KeptApp): void {
  const values = Object.entries(app).map(([name, value]): [string, string] => [
    name,
    name === "PRIVATE_KEY" ? value.trim().replaceAll(/\r?\n/g, String.raw`\n`) : value,
  ]);
  const lines = values.map(([name, value]) => `${name}=${value}`);
  const text = `# Kept by sallyport setup: the credentials of a GitHub App. Show them to nobody.\n${lines.join("\n")}\n`;
  const read = parseEnv(text);
  for (const [name, value] of values) {
    if (read[name] !== value) throw new Error(`${name} of the new App has characters that cannot be kept in a file of variables.`);
  }
  prepareFolder(file);
  const before = textOf(file);
  const fresh = `${file}.new`;
  rmSync(fresh, { force: true });
  // The mode counts when a file is made; a link that lies there is not followed.
  writeFileSync(fresh, text, { mode: 0o600, flag: "wx", flush: true });
  chmodSync(fresh, 0o600);
  if (before !== undefined)
    renameSync(file, join(dirname(file), `app-${/^\d{1,15}$/.exec(parseEnv(before)["APP_ID"] ?? "")?.[0] ?? "before"}.env`));
  renameSync(fresh, file);
}

/** Makes the folder where it is missing, and finds out whether it can be written: before an App is created whose key could not be kept. */
export function prepareFolder(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const trial = `${file}.trial`;
    writeFileSync(trial, "", { mode: 0o600 });
    rmSync(trial);
  } catch (error) {
    throw new ConfigurationError(`SALLYPORT_DATA_DIR ${dirname(file)} cannot be written: ${messageOf(error)}.`, {
      code: "bad-environment",
      hint: "Choose a folder that this user may write.",
      cause: error,
    });
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new ConfigurationError(`${file} cannot be read: ${messageOf(error)}.`, {
      code: "bad-environment",
      hint: "It holds the App's credentials; let this user read it, or set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET.",
      cause: error,
    });
  }
}
