import { open } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { readGitHub } from "../config/environment.ts";
import type { AdvisorySource } from "../core/advisory.ts";
import { messageOf, SallyportError } from "../core/errors.ts";
import { silent } from "../core/log.ts";
import { loadStored, storedAdvisoriesFile } from "../gate/advisories/stored-file.ts";
import { storedSource } from "../gate/advisories/stored-source.ts";
import { createLedger } from "../gate/mint.ts";
import type { GateReport } from "../gate/report/gate-report.ts";
import { renderJson } from "../gate/report/json.ts";
import { renderSarif } from "../gate/report/sarif.ts";
import { renderText } from "../gate/report/text.ts";
import { createAdvisorySources } from "../github/advisories.ts";
import { createTokenSession } from "../github/client.ts";
import { openGit } from "../workspace/git.ts";
import { diffChange, directoryChange, rangeChange, type LocalChange } from "../workspace/local/local-change.ts";
import { openCheckout, type Checkout } from "../workspace/local/open-checkout.ts";
import packageFile from "../../package.json" with { type: "json" };
import { judgeLocal } from "./gate/judge-local.ts";

export interface GateCommandOptions {
  /** `base..head`, as far as it was given. */
  readonly ranges: readonly string[];
  /** A file, or `-` for standard input. */
  readonly diff?: string | undefined;
  readonly dir?: string | undefined;
  readonly base?: string | undefined;
  readonly format?: string | undefined;
  /** The folder that the command works in, absolute. */
  readonly cwd: string;
}

/** What the command may see and touch of the machine. */
export interface GateCommandWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly write: (text: string) => void;
  readonly complain: (line: string) => void;
}

/** The exit statuses, which scripts rely on. */
const STATUS: Readonly<Record<GateReport["verdict"], number>> = { pass: 0, block: 1, ask: 2 };
/** Nothing was judged: whoever waits for a zero does not get it. */
const NOT_JUDGED = 3;

const RENDERERS: Readonly<Record<string, (report: GateReport) => string>> = {
  text: renderText,
  json: renderJson,
  sarif: (report) => renderSarif(report, { version: packageFile.version }),
};
/** Bytes of a diff. */
const LARGEST_DIFF = 256 * 1024 * 1024;
/** Variables whose values must not leave in any change. */
const SECRETS = [
  "PRIVATE_KEY",
  "WEBHOOK_SECRET",
  "OPENAI_API_KEY",
  "DATABASE_URL",
  "SALLYPORT_DASHBOARD_TOKEN",
  "GITHUB_TOKEN",
  "GH_TOKEN",
];

/**
 * `sallyport gate`: judges a range, a diff or a folder that anybody made, without a model. Answers the exit status: 0 pass, 1 block,
 * 2 needs approval, 3 could not judge; the last comes with one line that says why, and with no report.
 */
export async function gate(options: GateCommandOptions, world: GateCommandWorld): Promise<number> {
  try {
    const { render, subject, take } = readOptions(options, world);
    const { PATH: path = "", SALLYPORT_CONFIG: config = "" } = world.variables;
    const checkout = await openCheckout(openGit({ path }), options.cwd);
    const report = await judgeLocal({
      checkout,
      change: await take(checkout),
      subject,
      ...(config.trim() === "" ? {} : { serverFile: resolve(options.cwd, config.trim()) }),
      secrets: SECRETS.flatMap((name) => world.variables[name] ?? []),
      ...advisoriesOf(world.variables),
      ...storedAdvisoriesOf(options.cwd, world.variables),
    });
    world.write(render(report));
    return STATUS[report.verdict];
  } catch (error) {
    // Also what nobody expected: a crash must not be taken for a verdict.
    const hint = error instanceof SallyportError && error.hint !== undefined ? ` ${error.hint}` : "";
    world.complain(`sallyport gate: ${messageOf(error)}${hint}`.replace(/\s*\n\s*/g, " "));
    return NOT_JUDGED;
  }
}

/** GitHub's advisories, for whoever has a token for it: nobody else is asked in this process's name. */
function advisoriesOf(variables: GateCommandWorld["variables"]): { readonly advisories?: AdvisorySource } {
  const { GITHUB_TOKEN, GH_TOKEN } = variables;
  const token = (GITHUB_TOKEN ?? GH_TOKEN ?? "").trim();
  if (token === "") return {};
  const session = { baseUrl: readGitHub(variables).apiUrl, ledger: createLedger(), log: silent, token, botLogin: "" };
  return { advisories: createAdvisorySources()(createTokenSession(session)) };
}

/** Only from a folder that somebody named: the usual one would lie in what is judged, where the change could bring its own. */
function storedAdvisoriesOf(cwd: string, { SALLYPORT_DATA_DIR: folder = "" }: GateCommandWorld["variables"]) {
  if (folder.trim() === "") return {};
  return { storedAdvisories: storedSource({ load: loadStored(storedAdvisoriesFile(resolve(cwd, folder.trim()))) }) };
}

/** What is asked for, once it is clear that it can be meant. */
interface Wish {
  readonly render: (report: GateReport) => string;
  readonly subject: string;
  readonly take: (checkout: Checkout) => Promise<LocalChange>;
}

function readOptions({ ranges, diff, dir, base, format = "text", cwd }: GateCommandOptions, { stdin }: GateCommandWorld): Wish {
  const render = Object.hasOwn(RENDERERS, format) ? RENDERERS[format] : undefined;
  if (render === undefined) throw misused(`--format ${JSON.stringify(format)} is not known: expected ${Object.keys(RENDERERS).join(", ")}`);
  const [range] = ranges;
  const wishes = [
    ...(ranges.length > 0 ? ["a range"] : []),
    ...(diff === undefined ? [] : ["--diff"]),
    ...(dir === undefined ? [] : ["--dir"]),
  ];
  if (wishes.length > 1 || ranges.length > 1)
    throw misused(`it judges one thing at a time, and not ${wishes.length > 1 ? wishes.join(" and ") : ranges.join(" and ")}`);
  if (range !== undefined) {
    if (base !== undefined) throw misused("--base goes with --diff and --dir; a range names its own");
    return { render, subject: range, take: async (checkout) => rangeChange(checkout, await checkout.resolveRange(range)) };
  }
  if (diff !== undefined) {
    const take = async (checkout: Checkout): Promise<LocalChange> =>
      diffChange(checkout, await checkout.resolve(base ?? "HEAD"), await (diff === "-" ? readAll(stdin) : readDiff(resolve(cwd, diff))));
    return { render, subject: diff === "-" ? "the diff on standard input" : diff, take };
  }
  if (dir === undefined) throw misused("it needs something to judge: a range such as main..HEAD, --diff or --dir");
  if (base === undefined) throw misused("--dir needs --base, the commit that the folder is compared with");
  return { render, subject: dir, take: async (checkout) => directoryChange(checkout, await checkout.resolve(base), resolve(cwd, dir)) };
}

function misused(why: string): SallyportError {
  return new SallyportError(`${why}.`, { code: "misused", hint: "sallyport gate --help shows how it is called." });
}

async function readDiff(path: string): Promise<Buffer> {
  try {
    await using file = await open(path);
    return await readAll(file.createReadStream({ autoClose: false }));
  } catch (error) {
    if (error instanceof SallyportError) throw error;
    throw new SallyportError(`The diff ${path} cannot be read: ${messageOf(error)}.`, { code: "bad-diff", cause: error });
  }
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk as string);
    size += bytes.length;
    if (size > LARGEST_DIFF) throw new SallyportError(`The diff has more than ${LARGEST_DIFF} bytes.`, { code: "bad-diff" });
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
