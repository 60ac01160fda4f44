import { randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { ApiError, invalid, notFound } from "../api-error.ts";
import { requiredText } from "../fields.ts";
import { resolveCommit } from "../git/objects.ts";
import { ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";

/** Bytes of packed SARIF. Source: https://docs.github.com/code-security/code-scanning/troubleshooting-sarif-uploads/file-too-large */
const LARGEST_PACKED = 10 * 1024 * 1024;
const LARGEST_UNPACKED = 256 * 1024 * 1024;
/** Results in one run beyond which it is refused. Source: https://docs.github.com/code-security/code-scanning/troubleshooting-sarif-uploads/results-exceed-limit */
const MOST_RESULTS = 25_000;

/** Source: https://docs.github.com/rest/code-scanning/code-scanning#upload-an-analysis-as-sarif-data */
export const CODE_SCANNING_ROUTES = [
  repositoryRoute("POST /code-scanning/sarifs", ["security_events"], upload),
  repositoryRoute("GET /code-scanning/sarifs/{sarif_id}", ["security_events"], (call) => {
    mustBeOn(call);
    const { id } = present(call.repository.sarifUploads.find((one) => one.id === call.params["sarif_id"]));
    const analyses = `${call.world.origin}/api/v3/repos/${call.repository.fullName}/code-scanning/analyses?sarif_id=${id}`;
    return ok({ processing_status: "complete", analyses_url: analyses, errors: null });
  }),
];

function upload(call: RepositoryCall): Answer {
  mustBeOn(call);
  const { world, repository, body } = call;
  const [commitSha, ref, packed] = [requiredText(body, "commit_sha"), requiredText(body, "ref"), requiredText(body, "sarif")];
  if (!/^[0-9a-f]{40}$/.test(commitSha)) throw invalid({ resource: "CodeScanning", field: "commit_sha", code: "invalid" });
  if (!/^refs\/(?:heads|tags|pull)\/.+$/.test(ref)) throw invalid({ resource: "CodeScanning", field: "ref", code: "invalid" });
  if (resolveCommit(repository.gitDirectory, ref) === undefined) throw notFound(`ref '${ref}' not found in this repository`);
  if (resolveCommit(repository.gitDirectory, commitSha) !== commitSha) throw notFound("commit not found");
  const sarif = unpack(packed);
  const id = randomUUID();
  repository.sarifUploads.push({ id, ref, commitSha, sarif });
  return { status: 202, body: { id, url: `${world.origin}/api/v3/repos/${repository.fullName}/code-scanning/sarifs/${id}` } };
}

/** Source: https://docs.github.com/code-security/code-scanning/troubleshooting-sarif-uploads/ghas-required */
function mustBeOn({ repository }: RepositoryCall): void {
  if (!repository.codeScanning) throw new ApiError(403, "Code Security must be enabled for this repository to use code scanning.");
}

/** GitHub answers 400 to what it cannot read, and 413 to what is too large. */
function unpack(packed: string): string {
  const bytes = Buffer.from(packed, "base64");
  if (bytes.length > LARGEST_PACKED) throw new ApiError(413, "Payload Too Large");
  let sarif: string;
  let value: unknown;
  try {
    sarif = gunzipSync(bytes, { maxOutputLength: LARGEST_UNPACKED }).toString("utf8");
    value = JSON.parse(sarif);
  } catch {
    throw new ApiError(400, "Invalid SARIF");
  }
  const { version, runs } = value as { readonly version?: unknown; readonly runs?: unknown };
  if (version !== "2.1.0" || !Array.isArray(runs) || runs.length === 0) throw new ApiError(400, "Invalid SARIF");
  for (const { results } of runs as readonly { readonly results?: readonly unknown[] }[]) {
    if (!Array.isArray(results)) throw new ApiError(400, "Invalid SARIF");
    if (results.length > MOST_RESULTS) throw new ApiError(400, "Invalid SARIF: too many results");
  }
  return sarif;
}
