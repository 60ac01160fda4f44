import type { RunLogs } from "../core/run-logs.ts";
import { maskShapes } from "../gate/secrets/mask-shapes.ts";
import type { GitHubReads } from "../core/github-reads.ts";
import type { RunContext } from "./run-context.ts";

/** Bytes of one job's log when it alone is asked for: all failed ones together take no more. */
const LONGEST_LOG = 16_000;

/** What a run's tools may read on GitHub: its own repository. Logs may hold secrets that GitHub does not know: what has their shape goes too. */
export function gitHubReads({ reader, signal }: Pick<RunContext, "reader" | "signal">, mask: (text: string) => string): GitHubReads {
  const maskLog = (text: string): string => maskShapes(mask(text));
  return {
    issue: (number) => reader.issue(number),
    issues: (filter) => reader.issues(filter),
    pull: (number) => reader.pullDetails(number),
    pullFiles: (query) => reader.pullFiles(query),
    workflowRuns: (filter) => reader.workflowRuns(filter),
    runLogs: (query): Promise<RunLogs> =>
      reader.runLogs({ ...query, mask: maskLog, signal, ...(query.jobId === undefined ? {} : { longest: LONGEST_LOG }) }),
    tags: (limit) => reader.tags(limit),
  };
}
