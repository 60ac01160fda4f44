import { gzipSync } from "node:zlib";
import type { EmbeddedGitHub } from "../../../../src/testing/index.ts";
import type { Exchange, Stage } from "./exchange.ts";
import { api } from "./world.ts";

const REPOSITORY = "/repos/acme/widgets";
const SARIFS = "POST /repos/{owner}/{repo}/code-scanning/sarifs";
const packed = (value: unknown): string => gzipSync(JSON.stringify(value)).toString("base64");
const SARIF = packed({ version: "2.1.0", runs: [{ tool: { driver: { name: "test" } }, results: [] }] });
const about = ({ head }: Pick<Stage, "head">, more: object = {}) => ({ commit_sha: head, ref: "refs/pull/2/head", sarif: SARIF, ...more });

/** An upload that was made before, and a repository that has code scanning switched off. Answers the upload's id. */
export async function seedCodeScanning(from: EmbeddedGitHub, head: string): Promise<string> {
  from.addRepository("acme/unscanned", { files: { a: "a" }, codeScanning: false });
  const { body } = await api(from, `POST ${REPOSITORY}/code-scanning/sarifs`, { token: from.addToken(), body: about({ head }) });
  return String(body["id"]);
}

/** What is asked of code scanning. */
export const CODE_SCANNING_EXCHANGES: readonly Exchange[] = [
  { route: SARIFS, status: 202, path: () => `${REPOSITORY}/code-scanning/sarifs`, body: (s) => about(s) },
  {
    route: SARIFS,
    about: "of what is no SARIF",
    status: 400,
    path: () => `${REPOSITORY}/code-scanning/sarifs`,
    body: (s) => about(s, { sarif: packed({ version: "2.1.0" }) }),
  },
  {
    route: SARIFS,
    about: "about a reference that is not there",
    status: 404,
    path: () => `${REPOSITORY}/code-scanning/sarifs`,
    body: (s) => about(s, { ref: "refs/pull/77/head" }),
  },
  {
    route: SARIFS,
    about: "where code scanning is off",
    status: 403,
    path: () => "/repos/acme/unscanned/code-scanning/sarifs",
    body: (s) => about(s),
  },
  {
    route: "GET /repos/{owner}/{repo}/code-scanning/sarifs/{sarif_id}",
    status: 200,
    path: (s) => `${REPOSITORY}/code-scanning/sarifs/${s.sarifId}`,
  },
  {
    route: "GET /repos/{owner}/{repo}/code-scanning/sarifs/{sarif_id}",
    status: 404,
    path: () => `${REPOSITORY}/code-scanning/sarifs/47177e22-5596-11eb-80a1-c1e54ef945c6`,
  },
];
