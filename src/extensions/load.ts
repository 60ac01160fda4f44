import { messageOf, SallyportError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Entrypoint, Extension, VariableName } from "./api.ts";
import { openDraft, type Draft } from "./draft.ts";
import { cannotLoad } from "./fault.ts";
import { offerOwnPackage } from "./own-package.ts";
import { readConfig } from "./read-config.ts";
import { resolveModule } from "./resolve-module.ts";
import { within } from "./within.ts";

/** What the operator says of extensions; the server's file has the same names. */
export interface ExtensionWish {
  /** From the environment and from the server's file. */
  readonly modules: readonly string[];
  readonly searchPaths: readonly string[];
  /** By the extension's name. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly onError: "stop" | "skip";
  /** What relative paths start from, absolute. */
  readonly folder: string;
}

export interface LoadOptions extends ExtensionWish {
  readonly entrypoint: Entrypoint;
  /** Names of tools that are there already. */
  readonly tools: readonly string[];
  /** Names of gate rules that are there already. */
  readonly rules: readonly string[];
  /** Extensions of the product itself, by the name after `sallyport:`. */
  readonly bundled?: Readonly<Record<string, Extension>>;
  /** What `bot.secret` answers. */
  readonly secret: (variable: VariableName) => string;
  readonly log: Logger;
}

/** How the names of bundled extensions begin. */
const BUNDLED = "sallyport:";
const EXTENSION_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** Milliseconds in which a module is read and registers itself. */
const LOAD_WITHIN = 30_000;

/**
 * Loads each module in its order. What is wrong with one stops the start, or with `skip` is said in the log, and nothing of that module stays.
 * @throws {ConfigurationError} naming the module.
 */
export async function loadExtensions(options: LoadOptions): Promise<readonly Draft[]> {
  const { modules, onError, log } = options;
  const drafts: Draft[] = [];
  if (modules.length > 0) offerOwnPackage();
  for (const specifier of new Set(modules)) {
    try {
      const draft = await loadOne(specifier, options);
      refuseTaken(draft, drafts, options);
      drafts.push(draft);
      log.info({ extension: draft.name, tools: draft.tools.map(({ name }) => name) }, "an extension was loaded");
    } catch (error) {
      const fault = cannotLoad(specifier, error);
      if (onError === "stop") throw fault;
      log.warn({ module: specifier, error: fault.message }, "an extension is left out");
    }
  }
  return drafts;
}

async function loadOne(specifier: string, options: LoadOptions): Promise<Draft> {
  const extension = readExtension(bundledAs(specifier, options) ?? (await moduleAt(specifier, options)));
  const { name } = extension;
  try {
    const config = await readConfig(extension.config, name, options.config[name] ?? {});
    const { bot, draft, close } = openDraft(name, config, options.entrypoint, options.secret);
    try {
      await within(LOAD_WITHIN, () => extension.register(bot));
    } finally {
      close();
    }
    return draft;
  } catch (error) {
    throw new TypeError(`${name}: ${messageOf(error)}`, { cause: error });
  }
}

/** The module that a bundled extension would be; undefined for what is none of ours. */
function bundledAs(specifier: string, { bundled = {} }: LoadOptions): { readonly default: unknown } | undefined {
  if (!specifier.startsWith(BUNDLED)) return undefined;
  const name = specifier.slice(BUNDLED.length);
  if (!Object.hasOwn(bundled, name)) {
    const names = Object.keys(bundled).map((one) => `${BUNDLED}${one}`);
    throw new TypeError(`there is none of that name here: expected ${names.length === 0 ? "a module" : `one of ${names.join(", ")}`}`);
  }
  return { default: bundled[name] };
}

async function moduleAt(specifier: string, options: LoadOptions): Promise<unknown> {
  const url = resolveModule(specifier, options);
  if (url === undefined) {
    throw new SallyportError("it is not there.", {
      code: "no-extension",
      hint: "Give a path, a file URL, or the name of a package in one of extensions.search_paths.",
    });
  }
  return within(LOAD_WITHIN, () => import(url));
}

function readExtension(module: unknown): Extension {
  const { default: given } = module as { readonly default?: unknown };
  if (typeof given !== "object" || given === null)
    throw new TypeError("its default export is no extension: expected { name, register(bot) }");
  const { name, register } = given as Partial<Extension>;
  if (typeof name !== "string" || !EXTENSION_NAME.test(name)) {
    throw new TypeError(`its name is ${JSON.stringify(name)}: expected lower case letters, digits and hyphens`);
  }
  if (typeof register !== "function") throw new TypeError(`${name} has no register(bot)`);
  return given as Extension;
}

/** Two of one name would hide each other. */
function refuseTaken(draft: Draft, earlier: readonly Draft[], { tools, rules }: Pick<LoadOptions, "tools" | "rules">): void {
  if (earlier.some(({ name }) => name === draft.name)) throw new TypeError(`another extension is named ${draft.name} as well`);
  const refuse = (kind: string, own: readonly string[], taken: readonly string[]): void => {
    const twice = own.find((name, index) => taken.includes(name) || own.indexOf(name) !== index);
    if (twice !== undefined) throw new TypeError(`${draft.name}: there is a ${kind} named ${twice} already`);
  };
  refuse(
    "tool",
    draft.tools.map(({ name }) => name),
    [...tools, ...earlier.flatMap((one) => one.tools.map(({ name }) => name))],
  );
  refuse(
    "gate rule",
    draft.rules.map(({ name }) => name),
    [...rules, ...earlier.flatMap((one) => one.rules.map(({ name }) => name))],
  );
}
