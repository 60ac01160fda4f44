import type { JobLog } from "../../core/run-logs.ts";
import { messageOf } from "../../core/errors.ts";
import { reading } from "../answer.ts";
import type { GitHubSession } from "../client.ts";
import { GitHubError } from "../errors.ts";
import type { RepositoryName } from "../repository-url.ts";
import { createLogReader, type DigestOptions } from "./digest-log.ts";

export interface JobLogOptions extends DigestOptions {
  readonly signal?: AbortSignal;
}

/** Bytes of one log that are read; what is longer is a loop that prints. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Reads a job's log from where GitHub redirects to (the token does not go there: see the wire guard), as a stream. A log that is not to be
 * had is an answer; only the caller's abort is thrown.
 */
export async function fetchJobLog(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  jobId: number,
  { signal, ...options }: JobLogOptions = {},
): Promise<JobLog> {
  const request = { parseSuccessResponseBody: false, ...(signal === undefined ? {} : { signal }) };
  let body: unknown;
  try {
    body = await reading(`read the log of the Actions job ${jobId} of ${owner}/${repo}`, async () => {
      const answer = await octokit.request("GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs", { owner, repo, job_id: jobId, request });
      return answer.data;
    });
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return { status: "unavailable", why: whyNot(error) };
  }
  const reader = createLogReader(options);
  return { status: "read", ...reader.end(await pour(body, reader.push, signal)) };
}

/** Hands on what comes; answers why it ended early. */
async function pour(body: unknown, push: (chunk: Uint8Array) => void, signal: AbortSignal | undefined): Promise<string | undefined> {
  if (!(body instanceof ReadableStream)) return "GitHub answered without a log";
  let bytes = 0;
  try {
    for await (const chunk of body as ReadableStream<Uint8Array>) {
      bytes += chunk.length;
      push(chunk);
      if (bytes > MOST_BYTES) return `the log is longer than ${MOST_BYTES / 1024 / 1024} MB; its end was not read`;
    }
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    return `the log broke off after ${bytes} bytes (${messageOf(error)}); its end is missing`;
  }
}

function whyNot(error: GitHubError): string {
  if (error.code === "gone" || error.code === "not-found") {
    return "Its log has expired or was deleted, or the job has not ended yet: GitHub has none to give.";
  }
  return [`${error.message}.`, error.hint].filter(Boolean).join(" ");
}
