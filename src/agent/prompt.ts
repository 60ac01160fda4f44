import type { Tool } from "../tools/tool.ts";
import { stripHidden } from "../text/hidden.ts";
import { PROMPT_1 } from "./prompts/system-1.ts";

export interface SystemPromptOptions {
  readonly tools: readonly Pick<Tool, "name" | "description">[];
  readonly hasSandbox: boolean;
  /** Says that work may not be published: reviews, forks. */
  readonly readOnly?: boolean;
  /** The language of what people read, as the configuration names it. */
  readonly language?: string;
  /** What the configuration asks of every change, and of changes to paths that match a glob. */
  readonly instructions?: { readonly all?: string; readonly paths: Readonly<Record<string, string>> };
  /** Fragments of the operator and of extensions, in their order. */
  readonly fragments?: readonly string[];
}

/** Characters of instructions that are shown; they go along with every turn. */
const LONGEST_INSTRUCTIONS = 20_000;
const LONGEST_LANGUAGE = 60;

/** The system prompt: the stable part first, so that provider caches hit; then the tools in their order; then what differs between runs. */
export function systemPrompt(options: SystemPromptOptions): string {
  const { tools, hasSandbox, readOnly = false, language, instructions = { paths: {} }, fragments = [] } = options;
  const listed = tools.map(({ name, description }) => `- ${name}: ${description.split("\n", 1)[0]}`);
  return [
    PROMPT_1.task,
    PROMPT_1.paths,
    PROMPT_1.data,
    PROMPT_1.gate,
    `Tools:\n${listed.join("\n")}`,
    hasSandbox ? PROMPT_1.sandbox : PROMPT_1.noSandbox,
    readOnly ? PROMPT_1.readOnly : PROMPT_1.publish,
    ...asked(instructions),
    ...(language === undefined ? [] : [spoken(language)]),
    ...fragments,
  ].join("\n\n");
}

function asked({ all, paths }: NonNullable<SystemPromptOptions["instructions"]>): readonly string[] {
  const general = all === undefined ? [] : [`${PROMPT_1.instructions}\n${stripHidden(all).trim()}`];
  const some = Object.entries(paths).map(([glob, text]) => `- ${glob}: ${stripHidden(text).trim()}`);
  const whole = [...general, ...(some.length === 0 ? [] : [`${PROMPT_1.pathInstructions}\n${some.join("\n")}`])].join("\n\n");
  if (whole.length <= LONGEST_INSTRUCTIONS) return whole === "" ? [] : [whole];
  return [`${whole.slice(0, LONGEST_INSTRUCTIONS).toWellFormed()}\n[… ${whole.length - LONGEST_INSTRUCTIONS} characters left out …]`];
}

function spoken(language: string): string {
  const name = stripHidden(language).replace(/\s+/g, " ").trim().slice(0, LONGEST_LANGUAGE).toWellFormed();
  return `Write what people read (comments, descriptions, your last words) in this language: ${name}. Code, names and commit messages stay in the repository's own.`;
}
