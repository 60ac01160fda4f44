import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { createGitHubApp, type GitHubSession } from "../../../src/github/client.ts";
import { createReader, type GitHubReader } from "../../../src/github/reader.ts";
import { startEmbeddedGitHub, type EmbeddedGitHub, type EmbeddedGitHubOptions } from "../../../src/testing/index.ts";
import { fakeLedger } from "./loopback.ts";

export interface Embedded {
  readonly github: EmbeddedGitHub;
  readonly session: GitHubSession;
  readonly reader: GitHubReader;
}

/** An embedded GitHub with acme/widgets, read by the App; both end with the test. */
export async function embedded(
  options: Omit<EmbeddedGitHubOptions, "directory"> = {},
  repository: { readonly isPrivate?: boolean; readonly files?: Readonly<Record<string, string>> } = {},
): Promise<Embedded> {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-reads-"));
  const github = await startEmbeddedGitHub({ directory: folder, ...options });
  onTestFinished(async () => {
    await github.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const { id } = github.addRepository("acme/widgets", { files: { "a.txt": "a\n" }, permissions: { alice: "write" }, ...repository });
  const { appId, privateKey, apiUrl: baseUrl, installationId } = github;
  const app = createGitHubApp({ appId, privateKey, baseUrl, ledger: fakeLedger(), log: silent });
  const session = app.session(installationId);
  return { github, session, reader: createReader(session, { id, owner: "acme", name: "widgets" }) };
}
