import { styleText } from "node:util";
import type { RunEvent } from "../../runs/run-context.ts";

/** Where the demo writes: plain lines, with colour on a terminal. */
export interface View {
  heading(text: string): void;
  line(text: string): void;
  /** One step of a run, with the seconds since the demo began. */
  step(text: string): void;
  event(event: RunEvent): void;
  diff(text: string): void;
}

export interface ViewOptions {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  readonly now?: () => number;
}

type Style = Parameters<typeof styleText>[0];

const PHASES = {
  authorize: "the asker may ask; eyes set, commit pinned",
  "check-out": "commit unpacked into a workspace without .git and without a token",
  converse: "the conversation has ended",
  publish: "what was left to publish has been seen to",
  report: "reported",
} as const;

/** The live view of the demo: each line says what has just happened. */
export function createView({ write, isTerminal, now = Date.now }: ViewOptions): View {
  const began = now();
  const paint = (style: Style, text: string): string => (isTerminal ? styleText(style, text) : text);
  const step = (text: string): void => {
    const seconds = ((now() - began) / 1000).toFixed(1).padStart(5);
    write(`${paint("dim", `${seconds} s`)}  ${text}\n`);
  };
  return {
    heading: (text) => write(`\n${paint("bold", text)}\n`),
    line: (text) => write(`${text}\n`),
    step,
    event(event) {
      const text = said(event);
      if (text !== undefined) step(event.kind === "finding" ? paint("yellow", text) : text);
    },
    diff(text) {
      for (const line of text.trimEnd().split("\n")) {
        const style = line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : undefined;
        write(`    ${style === undefined ? line : paint(style, line)}\n`);
      }
    },
  };
}

function said(event: RunEvent): string | undefined {
  switch (event.kind) {
    case "phase":
      return `phase   ${event.phase}: ${PHASES[event.phase]}`;
    case "tool":
      return `turn ${event.turn}  ${event.tool}${event.status === "ok" ? "" : ` (${event.status})`}`;
    case "note":
      return `        ${event.text.split("\n", 1)[0]}`;
    case "finding":
      return `gate    ${event.finding.severity}: ${event.finding.rule}: ${event.finding.why}`;
    case "ended":
      return `ended   ${event.end}`;
    case "turn":
      return undefined;
  }
}
