/** A line of a job's log as people read it, and what the runner says it is. */
export interface LogLine {
  readonly kind: "text" | "group" | "end-group" | "error" | "warning" | "debug";
  readonly text: string;
}

/** The runner's own time stamp, with seven digits of a second. */
const TIME_STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z ?/;
/**
 * Control sequences of terminals (ECMA-48): colours and cursor moves, links and titles up to BEL or ST, and the short escapes. A sequence
 * that never ends takes no more than its line.
 */
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const ESCAPE =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u001b[PX^_][^\u001b]*(?:\u001b\\|$)|\u001b[ -/]*[0-~]?/g;
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff]/g;
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const UNUSUAL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/;
/** Commands that a step prints for its runner. Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
const COMMAND = /^##\[(group|endgroup|error|warning|notice|debug|command|section)\](.*)$/s;
const KINDS: Readonly<Record<string, LogLine["kind"]>> = {
  group: "group",
  endgroup: "end-group",
  error: "error",
  warning: "warning",
  debug: "debug",
};

/** Takes byte order mark, time stamp, escapes and overprinted text off a line, and reads the runner's command in it. */
export function cleanLine(raw: string): LogLine {
  const text = plainText(raw.replace(/^\ufeff/, "").replace(TIME_STAMP, ""));
  const command = COMMAND.exec(text);
  if (command === null) return { kind: "text", text };
  return { kind: KINDS[command[1] ?? ""] ?? "text", text: (command[2] ?? "").trimEnd() };
}

function plainText(line: string): string {
  if (!UNUSUAL.test(line)) return line.trimEnd();
  // A progress line that was printed over and over shows what it showed last.
  const shown = line
    .replace(ESCAPE, "")
    .split("\r")
    .findLast((part) => part.trim() !== "");
  return (shown ?? "").replace(CONTROL, "").trimEnd();
}
