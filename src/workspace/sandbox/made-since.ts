import { execFile } from "node:child_process";

const SLACK_MS = 50;
const BLOCK = 512;
const MOST_OUTPUT = 256 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/**
 * Bytes on disk and number of the entries below a folder that were made or changed since a moment, by the time of change, which nobody can
 * set. Links are not followed. Where it cannot be found out, everything counts as too much.
 */
export function madeSince(folder: string, since: number): Promise<{ readonly bytes: number; readonly files: number }> {
  // GNU find: it passes a quarter of a million files in a second, where system calls one by one would take ten.
  const args = ["-P", folder, "-xdev", "-newerct", `@${((since - SLACK_MS) / 1000).toFixed(3)}`, "-printf", "%b\\n"];
  return new Promise((resolve) => {
    execFile(
      "find",
      args,
      { env: { PATH: "/usr/bin:/bin", LC_ALL: "C" }, maxBuffer: MOST_OUTPUT, timeout: TIMEOUT_MS },
      (error, blocks) => {
        const counted = blocks.split("\n").filter(Boolean).map(Number);
        // What vanishes while it looks is no reason to doubt the rest.
        if (error !== null && counted.length === 0) resolve({ bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY });
        else resolve({ bytes: counted.reduce((sum, each) => sum + each * BLOCK, 0), files: counted.length });
      },
    );
  });
}
