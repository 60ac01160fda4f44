import { readFileSync } from "node:fs";
import { createLogReader, type DigestOptions } from "../../../../src/github/logs/digest-log.ts";
import type { LogDigest } from "../../../../src/core/run-logs.ts";

const FIXTURES = new URL("../../../fixtures/job-logs/", import.meta.url);
/** How many lines a `{noise:…%n…}` of a fixture stands for. */
const NOISE = 300;

/** What a tool printed: `␛` stands for an escape, `{noise:…%n…}` for many lines that differ in N. */
export function printed(fixture: string): readonly string[] {
  const text = readFileSync(new URL(`${fixture}.txt`, FIXTURES), "utf8").replaceAll("␛", "\u001b");
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const noise = /^\{noise:(.*)\}$/.exec(line)?.[1];
      return noise === undefined ? [line] : Array.from({ length: NOISE }, (_, n) => noise.replaceAll("%n", String(n + 1)));
    });
}

/** The lines of a step as the runner frames them. */
export function step(title: string, lines: readonly string[] = [], exit?: number): readonly string[] {
  return [
    `##[group]Run ${title}`,
    `\u001b[36;1m${title}\u001b[0m`,
    "shell: /usr/bin/bash -e {0}",
    "env:",
    "  ERROR_LEVEL: fatal",
    "##[endgroup]",
    ...lines,
    ...(exit === undefined ? [] : [`##[error]Process completed with exit code ${exit}.`]),
  ];
}

/** What the runner prints before the first step of one's own. */
export const SET_UP: readonly string[] = [
  "Current runner version: '2.328.0'",
  "##[group]Runner Image Provisioner",
  "Hosted Compute Agent",
  "##[endgroup]",
  "##[group]GITHUB_TOKEN Permissions",
  "Contents: read",
  "##[endgroup]",
  "Secret source: Actions",
  "Prepare all required actions",
  "Complete job name: test",
  "##[group]Run actions/checkout@v4",
  "with:",
  "  repository: acme/widgets",
  "##[endgroup]",
  "Syncing repository: acme/widgets",
  ...step("npm ci", ["npm warn deprecated error-prone@1.0.0: broken", "added 211 packages in 4s"]),
];

export const CLEAN_UP: readonly string[] = [
  "Post job cleanup.",
  "[command]/usr/bin/git version",
  "git version 2.51.0",
  "Temporarily overriding HOME='/home/runner/work/_temp/0a1b' before making global git config changes",
  "[command]/usr/bin/git config --local --name-only --get-regexp core\\.sshCommand",
  "Cleaning up orphan processes",
];

/** A whole log as GitHub serves it: a byte order mark, CRLF for some lines, and a time stamp before each. */
export function jobLog(lines: readonly string[]): Buffer {
  const at = (n: number) =>
    `2031-02-03T04:${String(Math.floor(n / 60) % 60).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}.1234567Z `;
  return Buffer.from(`\ufeff${lines.map((line, n) => at(n) + line).join("\n")}\n`);
}

/** Reads bytes in pieces that are cut anywhere. */
export function digest(bytes: Uint8Array, options: DigestOptions & { readonly piece?: number } = {}): LogDigest {
  const { piece = 1000, ...rest } = options;
  const reader = createLogReader(rest);
  for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
  return reader.end();
}
