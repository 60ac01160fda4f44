import { LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { ConfigurationError, messageOf } from "../core/errors.ts";
import { nearest } from "../text/nearest.ts";
import { YAML_OPTIONS, yamlFault } from "../text/yaml-fault.ts";
import { fileSchema, SERVER_ONLY, type FileSettings } from "./file-schema.ts";
import { heldKeysOf } from "./held-keys.ts";
import { keysAt } from "./known-keys.ts";
import { keyBefore, offsetOf } from "./yaml-place.ts";

/** More is no configuration that a person wrote. Characters. */
const LONGEST_FILE = 256 * 1024;
/** What is wrong beyond these is told once they are mended. */
const MOST_FAULTS = 100;

/** Whose file it is: the server's may hold keys that count nowhere else, a workflow's the one of them that is about its own machine. */
export type Origin = "server" | "workflow" | "organisation" | "repository";

/** One thing that is wrong with a file. */
export interface Fault {
  /** 1-based. */
  readonly line: number;
  /** `review.ignore`; empty for what is wrong with the file as a whole. */
  readonly key: string;
  readonly why: string;
}

/** What a file says, or what is wrong with it. */
export type LayerReading =
  | { readonly status: "good"; readonly settings: FileSettings }
  | {
      readonly status: "faulty";
      /** In the order of their lines; at least one. */
      readonly faults: readonly Fault[];
      /** What can be read of it about gate, permission and budgets: it may still tighten them. */
      readonly held: FileSettings;
    };

/** Reads a file of the configuration. An empty one says nothing. Never throws for what stands in it. */
export function readLayer(text: string, origin: Origin): LayerReading {
  if (text.length > LONGEST_FILE) return faulty([{ line: 1, key: "", why: `the file has more than ${LONGEST_FILE} characters` }]);
  const lines = new LineCounter();
  // A silent parser says nothing of further documents, whose keys would then count for nothing without a word.
  const document = parseDocument(text.replace(/^\uFEFF/, ""), { ...YAML_OPTIONS, logLevel: "error", lineCounter: lines });
  const broken = yamlFault(document);
  let value: unknown;
  try {
    value = broken?.isCostly === true ? undefined : document.toJS();
  } catch (error) {
    return faulty([{ line: 1, key: "", why: `it is no valid YAML: ${messageOf(error)}` }]);
  }
  if (broken !== undefined) {
    const { at } = broken;
    const why = broken.why.replace("; please use YAML.parseAllDocuments()", "");
    return faulty([{ line: lines.linePos(at).line, key: keyBefore(document, at), why: `it is no valid YAML: ${why}` }], value);
  }
  if (value === null || value === undefined) return { status: "good", settings: {} };
  if (!isPlain(value)) return faulty([{ line: 1, key: "", why: "expected keys such as gate:" }]);
  const parsed = fileSchema.safeParse(withoutEmpty(value));
  const place = (path: Path): Pick<Fault, "line" | "key"> => ({
    line: lines.linePos(offsetOf(document, path)).line,
    key: path.map(String).join("."),
  });
  const misplaced = Object.keys(value).filter(
    (key) => SERVER_ONLY.has(key) && origin !== "server" && !(origin === "workflow" && key === "sandbox"),
  );
  const faults = [
    ...(parsed.error?.issues ?? [])
      .slice(0, MOST_FAULTS)
      .flatMap((issue) => describe(issue, []))
      .slice(0, MOST_FAULTS)
      .map(({ path, why }) => ({ ...place(path), why })),
    ...misplaced.map((key) => ({ ...place([key]), why: "only the server's own file may say this" })),
  ];
  if (parsed.success && faults.length === 0) return { status: "good", settings: parsed.data };
  return faulty(
    faults.toSorted((a, b) => a.line - b.line),
    value,
  );
}

/**
 * What a file says, where nothing can be done without it.
 * @param file how the file is called in an error
 * @throws {ConfigurationError} naming file, line and key of the first thing that is wrong.
 */
export function readGoodLayer(text: string, file: string, origin: Origin): FileSettings {
  const reading = readLayer(text, origin);
  if (reading.status === "good") return reading.settings;
  const [first] = reading.faults;
  throw new ConfigurationError(`${first === undefined ? file : sayFault(first, file)}.`, {
    code: "bad-configuration",
    hint: "Mend it, then try again.",
  });
}

/** `.github/sallyport.yml:3: review.ingore: this key is not known; did you mean ignore?` */
export function sayFault({ line, key, why }: Fault, file: string): string {
  return `${file}:${line}: ${key === "" ? "" : `${key}: `}${why}`;
}

function faulty(faults: readonly Fault[], value?: unknown): LayerReading {
  return { status: "faulty", faults, held: isPlain(value) ? heldKeysOf(value) : {} };
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A key without a value says nothing; one that begins with `x-` is the file's own, for what is referred to more than once. */
function withoutEmpty(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key, one]) => one !== null && !key.startsWith("x-")));
}

type Path = readonly PropertyKey[];
interface Described {
  readonly path: Path;
  readonly why: string;
}

/** Where an issue stands, and what it is in words: one for each key that is not known, else one. */
function describe(issue: z.core.$ZodIssue, above: Path): readonly Described[] {
  const path = [...above, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, MOST_FAULTS).map((key) => {
      const meant = nearest(key, keysAt(path));
      return { path: [...path, key], why: `this key is not known${meant === undefined ? "" : `; did you mean ${meant}?`}` };
    });
  }
  if (issue.code === "invalid_union") {
    // Of the forms that a value may have, the one that it was meant to be: wrong only further in.
    const meant = issue.errors.find((issues) => issues.every((one) => one.path.length > 0 || one.code === "unrecognized_keys"));
    return meant === undefined || meant.length === 0 ? [{ path, why: issue.message }] : meant.flatMap((one) => describe(one, path));
  }
  if (issue.code === "invalid_key") return [{ path, why: issue.issues[0]?.message ?? issue.message }];
  if (issue.code === "invalid_value") {
    return [{ path, why: `expected ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}` }];
  }
  return [{ path, why: issue.message.replace(/^(?:Invalid input|Too \w+): /, "") }];
}
