#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { useProxies } from "./commands/network.ts";
import { askLine, complain, isTerminal, localWorld, serverWorld, write } from "./commands/terminal.ts";
import { overview, usageOf, type Described, type Groups } from "./commands/usage.ts";
import { SallyportError } from "./core/errors.ts";
import { nearest } from "./text/nearest.ts";

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** Each command is loaded when it is called: most need little of the rest. */
interface Command extends Described {
  /** The exit status of a call that cannot be meant; 2 unless the command's own statuses mean something else. */
  readonly misused?: number;
  /** Answers the exit status. */
  run(options: Values, positionals: readonly string[]): Promise<number>;
}

const CWD = { type: "string", says: "the folder to work in (default: where it was called)" } as const;

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    says: "receive webhooks and work on them; npm start does the same",
    page: "operating.md",
    examples: ["sallyport serve", "sallyport serve --role web", "sallyport serve --role worker"],
    options: { role: { type: "string", says: "web or worker: split the process; needs DATABASE_URL" } },
    run: async (options) => (await import("./commands/serve.ts")).serve({ role: textOf(options["role"]) }, serverWorld()),
  },
  setup: {
    says: "create a GitHub App on a page of this machine, keep its credentials, and serve with it; npm start does the same where no App is set up",
    page: "setup.md",
    examples: ["sallyport setup", "sallyport setup --port 4000"],
    options: { port: { type: "string", says: "the page's port on 127.0.0.1 (default: any free one)" } },
    run: async (options) => (await import("./commands/setup.ts")).setup({ port: numberOf("port", options["port"]) ?? 0 }, serverWorld()),
  },
  run: {
    says: "work on a task in a copy of this checkout, show the gate's verdict, and leave what passed as a branch",
    page: "local.md",
    examples: ['sallyport run "fix the failing test"', 'sallyport run "fix the failing test" --yes'],
    takes: '"<task>"',
    options: {
      yes: { type: "boolean", says: "leave the branch without asking; answers nothing that the gate asks people" },
      json: { type: "boolean", says: "the result as JSON" },
      cwd: CWD,
    },
    run: async (options, words) => {
      const { run } = await import("./commands/run.ts");
      const { yes, json, cwd } = options;
      return run({ task: words.join(" "), yes: yes === true, json: json === true, cwd: workingFolder(textOf(cwd)) }, localWorld());
    },
  },
  review: {
    says: "review a range of this checkout (default: what HEAD has over the main branch)",
    page: "local.md",
    examples: ["sallyport review", "sallyport review main..HEAD --json"],
    takes: "[base..head]",
    options: { json: { type: "boolean", says: "the remarks as JSON" }, cwd: CWD },
    run: async (options, [range]) => {
      const { review } = await import("./commands/review.ts");
      return review({ range, json: options["json"] === true, cwd: workingFolder(textOf(options["cwd"])) }, localWorld());
    },
  },
  gate: {
    says: "judge a change that anybody made, without a model; the exit status is 0 pass, 1 block, 2 needs approval, 3 could not judge",
    page: "gate.md",
    examples: [
      "sallyport gate main..HEAD",
      "git diff | sallyport gate --diff -",
      "sallyport gate --dir ../result --base HEAD --format sarif",
    ],
    takes: "[base..head]",
    options: {
      diff: { type: "string", says: "a diff file, or - for standard input, against --base (default HEAD)" },
      dir: { type: "string", says: "a folder, against --base" },
      base: { type: "string", says: "the commit that a diff or a folder is compared with" },
      format: { type: "string", says: "text (default), json or sarif" },
      cwd: CWD,
    },
    misused: 3,
    run: async (options, ranges) => {
      const { gate } = await import("./commands/gate.ts");
      const [diff, dir, base, format] = ["diff", "dir", "base", "format"].map((name) => textOf(options[name]));
      const world = {
        variables: process.env,
        stdin: process.stdin,
        write,
        complain,
      };
      return gate({ ranges, diff, dir, base, format, cwd: workingFolder(textOf(options["cwd"])) }, world);
    },
  },
  graph: {
    says: "ask the code graph of a checkout as it stands, without a model: search, callers, callees, impact, flow, context, map, summary or dependencies; a name alone tells where it is and who uses it",
    page: "code-graph.md",
    examples: [
      "sallyport graph parseDate",
      "sallyport graph callers parseDate",
      "sallyport graph impact parseDate --depth 3",
      "sallyport graph map src",
    ],
    takes: "[question] <name or path>",
    options: {
      file: { type: "string", says: "the file that declares the name, where several do" },
      depth: { type: "string", says: "how many steps to follow" },
      limit: { type: "string", says: "how many answers to show" },
      budget: { type: "string", says: "tokens of a context (default 4000)" },
      json: { type: "boolean", says: "as JSON" },
      cwd: CWD,
    },
    run: async (options, words) => {
      const { graph } = await import("./commands/graph.ts");
      const world = {
        variables: process.env,
        write,
        complain,
      };
      const [depth, limit, budget] = ["depth", "limit", "budget"].map((name) => numberOf(name, options[name]));
      const cwd = workingFolder(textOf(options["cwd"]));
      return graph({ words, json: options["json"] === true, file: textOf(options["file"]), depth, limit, budget, cwd }, world);
    },
  },
  advisories: {
    says: "keep known vulnerabilities for when GitHub does not answer: import a download, update it, or show its status",
    page: "gate.md",
    examples: ["sallyport advisories import advisory-database/", "sallyport advisories update", "sallyport advisories status"],
    takes: "import <path> | update | status",
    options: { cwd: CWD },
    run: async (options, words) => {
      const world = {
        variables: process.env,
        cwd: workingFolder(textOf(options["cwd"])),
        write,
      };
      return (await import("./commands/advisories.ts")).advisories(words, world);
    },
  },
  config: {
    says: "show each value of the configuration with the layer that it came from",
    page: "configuration.md",
    examples: ["sallyport config explain"],
    takes: "explain",
    options: { json: { type: "boolean", says: "as JSON" }, cwd: CWD },
    run: async (options, words) => {
      const { config } = await import("./commands/config.ts");
      const world = {
        variables: process.env,
        write,
        complain,
      };
      return config({ words, json: options["json"] === true, cwd: workingFolder(textOf(options["cwd"])) }, world);
    },
  },
  doctor: {
    says: "look at all that a server needs, the sandbox first, and say what to install or set",
    page: "operating.md",
    examples: ["sallyport doctor"],
    options: { json: { type: "boolean", says: "as JSON" }, cwd: CWD },
    run: async (options) => {
      const { doctor } = await import("./commands/doctor.ts");
      const world = { variables: process.env, write };
      return doctor({ json: options["json"] === true, cwd: workingFolder(textOf(options["cwd"])) }, world);
    },
  },
  init: {
    says: "ask a few questions and write a repository's configuration, and for the Action its workflows; never over what is there without asking",
    page: "setup.md",
    examples: ["sallyport init", "sallyport init --yes --as action --ci explain", 'sallyport init --yes --test "make check" --json'],
    options: {
      as: { type: "string", says: "app (default) or action" },
      review: { type: "string", says: "yes (default) or no: review pull requests unasked" },
      ci: { type: "string", says: "fix (default), explain or off: what to do when CI fails" },
      test: { type: "string", says: "the command that runs the tests (default: what the repository says)" },
      model: { type: "string", says: "the model's name (default: the server's, or the Action's)" },
      yes: { type: "boolean", says: "take the defaults, ask nothing, keep what is there" },
      overwrite: { type: "boolean", says: "replace files that are there" },
      json: { type: "boolean", says: "what was written, as JSON" },
      cwd: { type: "string", says: "the repository's root (default: where it was called)" },
    },
    run: async (options) => {
      const { init } = await import("./commands/init.ts");
      const [as, review, ci, test, model] = ["as", "review", "ci", "test", "model"].map((name) => textOf(options[name]));
      const [yes, overwrite, json] = ["yes", "overwrite", "json"].map((name) => options[name] === true);
      const world = { write, complain, ...(isTerminal() ? { ask: askLine } : {}) };
      const dir = workingFolder(textOf(options["cwd"]));
      return init(
        { dir, given: { as, review, ci, test, model }, yes: yes === true, overwrite: overwrite === true, json: json === true },
        world,
      );
    },
  },
  ...Object.fromEntries(
    (["pause", "resume"] as const).map((name): [string, Command] => [
      name,
      {
        says: name === "pause" ? "stop all runs, or those of one installation; what comes queues" : "release what was paused",
        page: "operating.md",
        examples: [`sallyport ${name}`, `sallyport ${name} --installation 123`],
        options: { installation: { type: "string", says: "the id of one installation (default: all)" }, cwd: CWD },
        run: async (options) => {
          const { pause } = await import("./commands/pause.ts");
          const world = {
            variables: process.env,
            cwd: workingFolder(textOf(options["cwd"])),
            write,
          };
          return pause({ paused: name === "pause", installation: textOf(options["installation"]) }, world);
        },
      },
    ]),
  ),
  purge: {
    says: "delete all that is kept of one repository, but for the audit log",
    page: "privacy.md",
    examples: ["sallyport purge acme/widgets", "sallyport purge acme/widgets --yes"],
    takes: "<owner/repo>",
    options: { yes: { type: "boolean", says: "do not ask" }, cwd: CWD },
    run: async (options, [repository]) => {
      const { purge } = await import("./commands/purge.ts");
      return purge({ repository, yes: options["yes"] === true }, { ...localWorld(), cwd: workingFolder(textOf(options["cwd"])) });
    },
  },
  replay: {
    says: "judge a recorded run, or all changes of some days, by another policy, without a model; nothing is written anywhere",
    page: "replay.md",
    examples: ["sallyport replay 01jz8m2q5v7d3k9r4t6w8x0y1z --policy new.yml", "sallyport replay --policy new.yml --last 90d --json"],
    takes: "[run]",
    options: {
      policy: { type: "string", says: "a configuration file whose gate is tried (default for a run: the policy that it had)" },
      last: { type: "string", says: "how far back: 90d, 12h or 4w" },
      json: { type: "boolean", says: "as JSON" },
      cwd: CWD,
    },
    run: async (options, [run]) => {
      const { replay } = await import("./commands/replay.ts");
      const [policy, last] = ["policy", "last"].map((name) => textOf(options[name]));
      const cwd = workingFolder(textOf(options["cwd"]));
      return replay({ run, policy, last, json: options["json"] === true, cwd }, { variables: process.env, write });
    },
  },
  verify: {
    says: "check a run's receipt: signature, key, commit and tree; the exit status is 0 good, 1 not to be believed, 3 could not judge",
    page: "receipts.md",
    examples: ["sallyport verify receipt.json --key keys.json", "sallyport verify acme/widgets#12 --key keys.json"],
    takes: "<file, owner/repo#number or a pull request's address>",
    options: {
      key: { type: "string", says: "the keys that you trust: a file or an https address, as a list of keys or PEM" },
      json: { type: "boolean", says: "as JSON" },
      cwd: CWD,
    },
    misused: 3,
    run: async (options, [target]) => {
      const { verify } = await import("./commands/verify.ts");
      const world = { variables: process.env, write, complain };
      const cwd = workingFolder(textOf(options["cwd"]));
      return verify({ target, key: textOf(options["key"]), json: options["json"] === true, cwd }, world);
    },
  },
  demo: {
    says: "show the whole path on this machine, offline: a mention, a fix, the gate, a pull request",
    examples: ["sallyport demo", "sallyport demo --serve"],
    options: { serve: { type: "boolean", says: "keep the server running afterwards" } },
    run: async (options) => (await import("./commands/demo.ts")).demo({ keepServing: options["serve"] === true }),
  },
};

const GROUPS: Groups = {
  "See it work": ["demo"],
  "In any git checkout": ["init", "gate", "review", "run", "graph", "config", "verify"],
  "As a GitHub App": ["setup", "doctor", "serve", "pause", "resume", "purge", "advisories", "replay"],
};

const textOf = (value: string | boolean | undefined): string | undefined => (typeof value === "string" ? value : undefined);

/** @throws {SallyportError} for what is no whole number from 1 up. */
function numberOf(name: string, value: string | boolean | undefined): number | undefined {
  if (typeof value !== "string") return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new SallyportError(`--${name} ${JSON.stringify(value)} is no whole number above 0.`, { code: "misused" });
}

/** `--cwd`, or the folder from which this project's own npm script was called: npm runs scripts in the project's folder. */
function workingFolder(cwd: string | undefined): string {
  const { INIT_CWD: called, npm_lifecycle_event: script, npm_package_name: name } = process.env;
  const from = called !== undefined && script === "sallyport" && name === "sallyport" ? called : process.cwd();
  return resolve(from, cwd ?? ".");
}

/** Runs one command line; answers the exit status: 0 done, 1 failed, 2 called wrongly, unless the command says otherwise. */
async function main(args: readonly string[]): Promise<number> {
  const manifest = readManifest(new URL("../package.json", import.meta.url));
  if (args[0] === "--version") return help(`${manifest.version}\n`);
  const isHelp = ["help", "--help", "-h"].includes(args[0] ?? "help");
  const [name, ...rest] = isHelp ? args.slice(1) : args;
  if (name === undefined || (isHelp && name.startsWith("-"))) return help(overview(COMMANDS, GROUPS));
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const known = Object.values(GROUPS).flat().join(", ");
    process.stderr.write(
      `sallyport: there is no command ${JSON.stringify(name)}${meant(nearest(name, Object.keys(COMMANDS)))} (${known}; --help says what they do)\n`,
    );
    return 2;
  }
  if (isHelp) return help(usageOf(name, command));
  const { options, takes, misused = 2 } = command;
  const types = Object.fromEntries(Object.entries(options).map(([option, { type }]) => [option, { type }]));
  let parsed: { readonly values: Values; readonly positionals: readonly string[] };
  try {
    parsed = parseArgs({
      args: rest,
      strict: true,
      allowPositionals: takes !== undefined,
      options: { ...types, help: { type: "boolean", short: "h" } },
    });
  } catch (error) {
    const [unknown = ""] = /--?[\w-]+/.exec(String(error)) ?? [];
    const why = `unknown or incomplete option ${unknown || rest.join(" ")}${meant(nearest(unknown.slice(2), Object.keys(options)), "--")}`;
    process.stderr.write(`sallyport ${name}: ${why} (sallyport ${name} --help shows all)\n`);
    return misused;
  }
  if (parsed.values["help"] === true) return help(usageOf(name, command));
  // Older ones stop at an import that they do not have, and say nothing of their age.
  if (Number.parseInt(process.versions.node, 10) < Number.parseInt(manifest.engines.node.replace(">=", ""), 10)) {
    const wayOut = "In a checkout of Sallyport, npm finds the right one: npm run --silent sallyport -- <command>";
    complain(`sallyport ${name}: this is Node.js ${process.versions.node}, and it takes ${manifest.engines.node}. ${wayOut}`);
    return misused;
  }
  useProxies(process.env);
  return command.run(parsed.values, parsed.positionals);
}

interface Manifest {
  readonly version: string;
  /** `node` is `>=` and a major version. */
  readonly engines: { readonly node: string };
}

function readManifest(file: URL): Manifest {
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}

function help(text: string): number {
  process.stdout.write(text);
  return 0;
}

const meant = (name: string | undefined, prefix = ""): string => (name === undefined ? "" : `; did you mean ${prefix}${name}?`);

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SallyportError)) throw error;
  // What moves at the bottom of a terminal does not stand before the last word.
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  complain(`sallyport: ${error.message}${error.hint === undefined ? "" : ` ${error.hint}`}`);
  // Not the exit code alone: what was begun beside what failed (reads of GitHub, with patience) would keep the process for a while.
  process.exit(error.code === "misused" ? 2 : 1);
}
