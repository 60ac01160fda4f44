#!/usr/bin/env node
import { parseArgs } from "node:util";
import { demo } from "./commands/demo.ts";
import { serve } from "./commands/serve.ts";
import { SallyportError } from "./core/errors.ts";
import { nearest } from "./text/nearest.ts";

interface Command {
  readonly says: string;
  readonly options: Readonly<Record<string, { readonly type: "string" | "boolean"; readonly says: string }>>;
  /** Answers the exit status. */
  run(options: Readonly<Record<string, string | boolean | undefined>>): Promise<number>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    says: "receive webhooks and work on them (the default of npm start)",
    options: { role: { type: "string", says: "web or worker: split the process; needs DATABASE_URL" } },
    run: (options) => serve({ role: textOf(options["role"]) }),
  },
  demo: {
    says: "show the whole path on this machine, offline: a mention, a fix, the gate, a pull request",
    options: { serve: { type: "boolean", says: "keep the server running afterwards" } },
    run: (options) => demo({ keepServing: options["serve"] === true }),
  },
};

const textOf = (value: string | boolean | undefined): string | undefined => (typeof value === "string" ? value : undefined);

function usage(): string {
  const rows = Object.entries(COMMANDS).flatMap(([name, { says, options }]) => [
    `  ${name.padEnd(8)} ${says}`,
    ...Object.entries(options).map(([option, { says }]) => `    --${option.padEnd(8)} ${says}`),
  ]);
  return `sallyport <command> [options]\n\n${rows.join("\n")}\n  help     this text\n`;
}

/** Runs one command line; answers the exit status: 0 done, 1 failed, 2 called wrongly. */
async function main(args: readonly string[]): Promise<number> {
  const [name = "help", ...rest] = args;
  if (["help", "--help", "-h"].includes(name)) {
    process.stdout.write(usage());
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return misused(`there is no command ${JSON.stringify(name)}${meant(nearest(name, Object.keys(COMMANDS)))}`);
  let values: Readonly<Record<string, string | boolean | undefined>>;
  try {
    values = parseArgs({
      args: rest,
      strict: true,
      options: Object.fromEntries(Object.entries(command.options).map(([option, { type }]) => [option, { type }])),
    }).values;
  } catch (error) {
    const [unknown = ""] = /--[\w-]+/.exec(String(error)) ?? [];
    const known = Object.keys(command.options);
    return misused(`${name}: unknown or incomplete option ${unknown || rest.join(" ")}${meant(nearest(unknown.slice(2), known), "--")}`);
  }
  return command.run(values);
}

const meant = (name: string | undefined, prefix = ""): string => (name === undefined ? "" : `; did you mean ${prefix}${name}?`);

function misused(why: string): number {
  process.stderr.write(`sallyport: ${why}\n\n${usage()}`);
  return 2;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SallyportError)) throw error;
  process.stderr.write(`sallyport: ${error.message}${error.hint === undefined ? "" : ` ${error.hint}`}\n`);
  process.exitCode = 1;
}
