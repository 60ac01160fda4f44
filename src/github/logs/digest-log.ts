import type { LogDigest } from "../../core/run-logs.ts";
import { cleanLine } from "./clean-line.ts";
import { errorPlace } from "./error-place.ts";
import { openStep, type LogStep, type NumberedLine } from "./log-step.ts";
import { showStep } from "./show-step.ts";
import { splitLines } from "./split-lines.ts";

export interface DigestOptions {
  /** UTF-8 bytes of the digest's text. */
  readonly longest?: number;
  /** Takes secrets out of a line, and of the whole. */
  readonly mask?: (text: string) => string;
}

export interface LogReader {
  push(chunk: Uint8Array): void;
  /** The log is over; `cut` says why it did not come whole. */
  end(cut?: string): LogDigest;
}

/** Bytes of one job's log that are shown unless more is asked for. */
const LONGEST_TEXT = 4096;
/** Steps with errors that are kept, and that are shown: the first ones and the last. */
const KEPT_STEPS = 16;
const SHOWN_STEPS = 3;
/** What the runner prints under a step's title: its script in this colour, or what an action is given. */
const HEADER = /\u001b\[36;1m|^(?:\d{4}-\S+Z )?(?:with:|env:|shell: )/;
/** What the runner does after the steps. */
const CLEAN_UP = /^(?:Post job cleanup\.|Cleaning up orphan processes)/;

/**
 * Reads a job's log as it streams, holding no more of it than it may show: a short log whole, of a longer one each failed step's first
 * error with what stands around it, and how the step ended. Steps are told by the runner's own `Run …` groups.
 */
export function createLogReader({ longest = LONGEST_TEXT, mask = (text) => text }: DigestOptions = {}): LogReader {
  const steps: LogStep[] = [];
  const whole: string[] = [];
  let wholeBytes = 0;
  let lines = 0;
  /** `expected`: the line before was a title, which may be that of a group that the step itself prints. */
  let header: "none" | "expected" | "inside" = "none";
  let title: string | undefined;
  let open = openStep(undefined, 0);

  const nextStep = (heading: string | undefined): void => {
    const step = open.close();
    if (step.hasError || step.cause !== undefined || step.tail.length > 0) keepStep(steps, step);
    open = openStep(heading, lines);
    title = heading;
  };
  const show = (text: string): void => {
    if (wholeBytes > longest) return;
    wholeBytes += Buffer.byteLength(text) + 1;
    whole.push(text);
  };
  const take = (raw: string): void => {
    const { kind, text } = cleanLine(raw);
    if (kind === "debug") return;
    if (kind === "end-group") {
      header = "none";
      return;
    }
    lines += 1;
    if (header === "expected") header = HEADER.test(raw) ? "inside" : "none";
    if (kind === "group" && /^Run\b/.test(text)) {
      nextStep(text);
      header = "expected";
      return show(`Step: ${text}`);
    }
    // The head of a step repeats its script and shows its environment.
    if (header === "inside") return;
    if (kind === "text" && CLEAN_UP.test(text) && title !== CLEANING) nextStep(CLEANING);
    const shown = kind === "error" || kind === "warning" ? `${kind}: ${text}` : text;
    open.add({ at: lines, text: shown }, kind === "warning" ? "" : text, kind === "error");
    show(shown);
  };
  const splitter = splitLines(take);

  return {
    push: (chunk) => splitter.push(chunk),
    end(cut) {
      splitter.end();
      nextStep(undefined);
      const failed = failedSteps(steps);
      const note = cut === undefined ? "" : `\n[${cut}]`;
      const isWhole = wholeBytes <= longest - Buffer.byteLength(note);
      const text = isWhole ? mask(whole.map((line) => mask(line)).join("\n")) : showSteps(failed, { longest: longest - note.length, mask });
      return {
        text: text + note,
        lines,
        isWhole: isWhole && cut === undefined,
        errors: failed.flatMap(({ title: step, cause, marked, before, after }) => {
          const line: NumberedLine | undefined = cause ?? marked[0];
          if (line === undefined) return [];
          const place = errorPlace(line.text, before, after);
          return [{ line: mask(line.text), ...(step === undefined ? {} : { step }), ...(place === undefined ? {} : { place }) }];
        }),
      };
    },
  };
}

const CLEANING = "(clean-up)";

/** Keeps the first and the last of the steps that failed, and only the newest of the others. */
function keepStep(steps: LogStep[], step: LogStep): void {
  const last = steps.at(-1);
  if (last !== undefined && !last.hasError) {
    // A step without a marked error counts only when none has one: then the last with any error, or the last.
    if (step.hasError || step.cause !== undefined || (last.cause === undefined && step.title !== CLEANING)) steps.pop();
    else return;
  }
  steps.push(step);
  if (steps.length > KEPT_STEPS) steps.splice(KEPT_STEPS / 2, 1);
}

function failedSteps(steps: readonly LogStep[]): readonly LogStep[] {
  const failed = steps.filter(({ hasError }) => hasError);
  if (failed.length === 0) return steps.slice(-1);
  return failed.length <= SHOWN_STEPS ? failed : [...failed.slice(0, SHOWN_STEPS - 1), ...failed.slice(-1)];
}

function showSteps(steps: readonly LogStep[], { longest, mask }: Required<DigestOptions>): string {
  let room = longest;
  const shown = steps.map((step, at) => {
    const share = Math.floor(room / (steps.length - at)) - 2;
    const text = showStep(step, share, mask);
    room -= Buffer.byteLength(text) + 2;
    return text;
  });
  return mask(shown.join("\n\n"));
}
