import { createInterface } from "node:readline/promises";
import { SallyportError } from "../core/errors.ts";
import { inertOutput } from "../text/inert-output.ts";
import { createSpinner } from "./local/spinner.ts";
import type { LocalWorld } from "./local/tell.ts";
import type { ServeWorld } from "./serve.ts";

/** The way to the terminal: what is printed may quote anybody. */
export const write = (text: string): void => void process.stdout.write(inertOutput(text));
/** A line for whoever sits here, beside what the command answers. */
export const complain = (line: string): void => void process.stderr.write(`${inertOutput(line)}\n`);

/** The terminal of whoever works on this machine. Interrupted, a command gives up and cleans up. */
export function localWorld(): LocalWorld {
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  const spinner = process.stderr.isTTY ? createSpinner(process.stderr) : undefined;
  const busy = (what: string | undefined): void => spinner?.show(what === undefined ? undefined : inertOutput(what).replaceAll("\n", " "));
  return {
    variables: process.env,
    write(text) {
      busy(undefined);
      write(text);
    },
    complain: (line) => (spinner === undefined ? complain(line) : spinner.line(inertOutput(line))),
    busy,
    signal: interrupted.signal,
    ...(isTerminal()
      ? {
          ask(question) {
            busy(undefined);
            return ask(question);
          },
        }
      : {}),
  };
}

/** Where the server runs: relative paths count from the process's own folder, as its data folder does. */
export function serverWorld(): ServeWorld {
  return { variables: process.env, cwd: process.cwd(), isTerminal: process.stdin.isTTY && process.stdout.isTTY, complain };
}

/** Somebody sits here who can be asked. */
export const isTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

async function ask(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await askLine(question, "y/N")).trim());
}

/** One question, and what an empty line means. @throws {SallyportError} when the input ends. */
export async function askLine(question: string, otherwise: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  lines.once("close", () => ended.abort());
  try {
    return await lines.question(inertOutput(`${question} [${otherwise}] `), { signal: ended.signal });
  } catch (error) {
    throw new SallyportError("The question was not answered.", { code: "misused", cause: error });
  } finally {
    lines.close();
  }
}
