import type { CheckAnnotation } from "../../core/operation.ts";
import { codeSpan, oneLine } from "../../text/code-span.ts";
import { cleanPlain } from "../../text/outgoing/plain.ts";
import type { OutgoingPolicy } from "../../text/outgoing/policy.ts";
import type { CiFailure } from "./failure.ts";

/** As many as one request may carry. */
const MOST_ANNOTATIONS = 50;
const LONGEST_LINE = 500;
const LONGEST_TITLE = 120;

/** The first error of each failed job, as Markdown; says of which jobs nothing could be read, and why. */
export function errorList({ jobs, unread, facts }: CiFailure): string {
  const rows = jobs.flatMap(({ job, log }) => {
    const name = `**${codeSpan(job.name, 200)}**`;
    if (log.status === "unavailable") return [`- ${name}: ${oneLine(log.why)}`];
    if (log.errors.length === 0) return [`- ${name}: its log names no error.`];
    return log.errors.map(({ step, line, place }) => {
      const where = place === undefined ? "" : ` ${codeSpan(`${place.path}${place.line === undefined ? "" : `:${place.line}`}`, 300)}`;
      const at = step === undefined ? "" : ` (${codeSpan(step, 120)})`;
      return `- ${name}${at}:${where} ${codeSpan(line.trim(), LONGEST_LINE)}`;
    });
  });
  const rest = unread.length === 0 ? [] : [`- and ${unread.length} more failed jobs, whose logs were not read`];
  return [...rows, ...rest, ...(facts.length === 0 ? [] : ["", ...facts.map((fact) => `- ${codeSpan(fact, 600)}`)])].join("\n");
}

/** The same as remarks on the lines that they name. */
export function errorAnnotations({ jobs }: CiFailure, outgoing: OutgoingPolicy): readonly CheckAnnotation[] {
  const plain = (text: string): string => cleanPlain(oneLine(text).slice(0, LONGEST_LINE).toWellFormed(), outgoing).text.trim();
  return jobs
    .flatMap(({ job, log }) => (log.status === "read" ? log.errors.map((error) => ({ ...error, job: job.name })) : []))
    .flatMap(({ place, line, job }): readonly CheckAnnotation[] => {
      const message = plain(line);
      if (place?.line === undefined || message === "") return [];
      return [
        {
          path: place.path,
          startLine: place.line,
          endLine: place.line,
          level: "failure",
          title: plain(job).slice(0, LONGEST_TITLE),
          message,
        },
      ];
    })
    .slice(0, MOST_ANNOTATIONS);
}

/** The first of them in one line, for a title. */
export function firstErrorTitle({ jobs }: CiFailure): string | undefined {
  for (const { job, log } of jobs) {
    const error = log.status === "read" ? log.errors[0] : undefined;
    if (error !== undefined) return oneLine(`${job.name}: ${error.line.trim()}`).slice(0, LONGEST_TITLE).toWellFormed();
  }
  return undefined;
}
