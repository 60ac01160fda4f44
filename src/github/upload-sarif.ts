import type { UploadSarif } from "../core/operation.ts";
import { packSarif } from "../text/packed-sarif.ts";
import { repositoryPath } from "./repository-url.ts";
import { send, type SendOptions } from "./send.ts";
import type { WriteStep } from "./step.ts";

/**
 * The one step of an upload to code scanning. A later one of the same pull request takes its place, so it is simply sent again when in doubt.
 * Needs the permission `security_events: write`. Source: https://docs.github.com/rest/code-scanning/code-scanning#upload-an-analysis-as-sarif-data
 */
export function uploadSarifStep({ repository, number, headSha, sarif, kind }: UploadSarif, key: string, options: SendOptions): WriteStep {
  return {
    key,
    operation: kind,
    find: () => Promise.resolve(undefined),
    send: () =>
      send(
        {
          method: "POST",
          path: repositoryPath(repository, "code-scanning/sarifs"),
          body: { commit_sha: headSha, ref: `refs/pull/${number}/head`, sarif: packSarif(sarif) },
        },
        {
          doing: `upload what was found on ${repository.owner}/${repository.name}#${number} to code scanning`,
          accept: (data) =>
            typeof data === "object" && data !== null && "url" in data && typeof data.url === "string"
              ? { operation: kind, url: data.url }
              : undefined,
        },
        options,
      ),
  };
}
