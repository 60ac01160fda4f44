import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";

/** Where an annotation points. */
export interface Place {
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  readonly title?: string;
}

/** What the Action says to GitHub's runner: workflow commands on standard output, outputs and step summary in their files. */
export interface Runner {
  /** From now on the runner, and this process, show `***` instead. */
  mask(value: string): void;
  error(message: string, place?: Place): void;
  warning(message: string, place?: Place): void;
  notice(message: string, place?: Place): void;
  /** One line of the log; never a workflow command, whatever stands in it. */
  say(line: string): void;
  /** Sets each output; a value of several lines arrives as it is. */
  setOutputs(outputs: Readonly<Record<string, string>>): void;
  /** Adds Markdown to the step summary, as far as there is room. */
  summarise(markdown: string): void;
}

export interface RunnerOptions {
  readonly write: (text: string) => void;
  /** The files that GITHUB_OUTPUT and GITHUB_STEP_SUMMARY name; without one, nothing is kept. */
  readonly outputFile: string | undefined;
  readonly summaryFile: string | undefined;
  /** Takes held values out of a text. */
  readonly hide: (text: string) => string;
}

/** Bytes. GitHub takes 1 MiB of a step's summary, and as much of a job's outputs. */
const LONGEST_SUMMARY = 1_000_000;
const LONGEST_OUTPUT = 100_000;
/** Characters of one line of the log, and of one annotation. */
const LONGEST_LINE = 4_000;

export function openRunner({ write, outputFile, summaryFile, hide }: RunnerOptions): Runner {
  const command = (name: string, message: string, { file, line, title }: Place = {}): void => {
    const properties = Object.entries({ file, line, title })
      .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${escapeProperty(hide(String(value)))}`]))
      .join(",");
    write(`::${name}${properties === "" ? "" : ` ${properties}`}::${escapeData(inert(hide(bounded(message))))}\n`);
  };
  return {
    mask: (value) => write(`::add-mask::${escapeData(value)}\n`),
    error: (message, place) => command("error", message, place),
    warning: (message, place) => command("warning", message, place),
    notice: (message, place) => command("notice", message, place),
    say: (line) => write(`${inert(hide(bounded(line))).replace(/\s*[\n\r\u0085\u2028\u2029]\s*/g, " ")}\n`),
    setOutputs(outputs) {
      if (outputFile === undefined) return;
      const blocks = Object.entries(outputs).map(([name, value]) => outputBlock(name, cutAt(hide(value), LONGEST_OUTPUT)));
      appendFileSync(outputFile, blocks.join(""));
    },
    summarise(markdown) {
      if (summaryFile !== undefined) appendFileSync(summaryFile, `${cutAt(hide(markdown), LONGEST_SUMMARY)}\n`);
    },
  };
}

/** Text that is nobody's command, in neither of the two forms that the runner knows (`::name::` and `##[name]`). */
function inert(text: string): string {
  return (
    text
      // What a terminal would obey is left out.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g, "")
      .replaceAll("::", ":\u200b:")
      .replaceAll("##[", "##\u200b[")
  );
}

/** Source: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** A block whose end nobody can have foreseen. Source: https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions#multiline-strings */
function outputBlock(name: string, value: string): string {
  const end = `end_${randomBytes(16).toString("hex")}`;
  return `${name}<<${end}\n${value}\n${end}\n`;
}

function bounded(text: string): string {
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE).toWellFormed()} […]`;
}

function cutAt(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  // A letter that was cut in two leaves a mark, which is left out.
  return `${whole
    .subarray(0, bytes)
    .toString("utf8")
    .replace(/\ufffd$/, "")}\n\n[…] (the rest is left out)`;
}
