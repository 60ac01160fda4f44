import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { verify } from "../../../src/commands/verify.ts";
import { readPullName } from "../../../src/commands/verify/read-pull.ts";
import { receiptBlock } from "../../../src/receipts/block.ts";
import { seal } from "../../../src/receipts/envelope.ts";
import { makeKey, readKeys } from "../../../src/receipts/keys.ts";
import { statementOf } from "../../../src/receipts/statement.ts";
import { checkouts } from "../../e2e/checkouts.ts";
import { ENTRIES, FACTS, KEYS } from "../receipts/sample.ts";

const place = checkouts();
afterAll(place.remove);
const { root, git } = place.checkout({ "src/deep/file.ts": "export {};\n", "run.sh": "#!/bin/sh\n" });
const commit = git("rev-parse", "HEAD").trim();
const tree = git("rev-parse", "HEAD^{tree}").trim();

function receiptFor(at: { readonly commit: string; readonly tree: string }, keys = KEYS): string {
  const entries = ENTRIES.map((entry) => (entry.kind === "published" ? { ...entry, ...at } : entry));
  return seal(JSON.stringify(statementOf({ ...FACTS, entries })), keys.signing).envelope;
}
const GOOD = receiptFor({ commit, tree });
const keyFile = join(place.room, "keys.json");
writeFileSync(keyFile, JSON.stringify({ keys: KEYS.listed }));

interface Wish {
  readonly key?: string;
  readonly cwd?: string;
  readonly json?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
}
async function run(target: string, { key = keyFile, cwd = root, json = false, variables = {} }: Wish = {}) {
  let said = "";
  const world = {
    variables: { PATH: process.env["PATH"], ...variables },
    write: (text: string) => void (said += text),
    complain: (line: string) => void (said += `${line}\n`),
  };
  const status = await verify({ target, key: key === "" ? undefined : key, json, cwd }, world);
  return { status, said };
}

function file(envelope: string): string {
  const path = join(place.room, `receipt-${Math.random()}.json`);
  writeFileSync(path, envelope);
  return path;
}

describe("a receipt's file", () => {
  it("is good inside a checkout that has the commit, whose tree is computed anew", async () => {
    const { status, said } = await run(file(GOOD));
    expect(said).toContain(`GOOD: the receipt of run ${FACTS.runId}`);
    expect(said).toContain(`Commit ${commit} has the tree ${tree} that the receipt names`);
    expect(said).toContain("open-pull-request ask (protected-paths)");
    expect(said).toContain("abcde-fghij approved by maria");
    expect(status).toBe(0);
  });

  it("is bad for another tree, by another key, or altered, each with the reason", async () => {
    expect(await run(file(receiptFor({ commit, tree: "9".repeat(40) })))).toMatchObject({
      status: 1,
      said: expect.stringContaining("is for the tree 999"),
    });
    expect(await run(file(receiptFor({ commit, tree }, readKeys(makeKey(), "x"))))).toMatchObject({
      status: 1,
      said: expect.stringContaining("none of those that are trusted"),
    });
    expect(await run(file(GOOD.replace("payload", "payl0ad")))).toMatchObject({ status: 1, said: expect.stringMatching(/^BAD: /) });
  });

  it("cannot be judged without a key, without its commit, or where it is not there", async () => {
    expect(await run(file(GOOD), { key: "" })).toMatchObject({
      status: 3,
      said: expect.stringMatching(/^NOT JUDGED: No key was given[\s\S]*--key/),
    });
    expect(await run(file(receiptFor({ commit: "9".repeat(40), tree })))).toMatchObject({ status: 3 });
    expect(await run("/nowhere/receipt.json")).toMatchObject({ status: 3, said: expect.stringMatching(/^sallyport verify: ENOENT/) });
  });

  it("is judged by its signature alone outside of a checkout, which is said", async () => {
    const { status, said } = await run(file(receiptFor({ commit: "9".repeat(40), tree })), { cwd: place.room });
    expect(said).toContain("Nobody compared the commit and its tree");
    expect(status).toBe(0);
  });

  it("is told as JSON for programs", async () => {
    const { said } = await run(file(GOOD), { json: true });
    expect(JSON.parse(said)).toMatchObject({ status: "good", commit, tree, receipt: { run: { id: FACTS.runId } } });
  });
});

/** GitHub as far as it is asked: one pull request whose check runs show these texts. */
async function github(texts: readonly string[], repositoryId = FACTS.request.repository.id) {
  const asked: string[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    "/repos/octo/cart/pulls/8": { head: { sha: commit }, base: { repo: { id: repositoryId } } },
    [`/repos/octo/cart/git/commits/${commit}`]: { tree: { sha: tree } },
    [`/repos/octo/cart/commits/${commit}/check-runs`]: { check_runs: texts.map((text) => ({ output: { text } })) },
  };
  const server: Server = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    asked.push(`${request.method} ${path} ${request.headers.authorization ?? "without a token"}`);
    const answer = answers[path];
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const GITHUB_API_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    variables: { GITHUB_API_URL },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

describe("a pull request", () => {
  const block = (text: string): string => `Words\n\n${receiptBlock(text)}`;

  it("is good by the receipt on its head, without a token, whatever else stands beside it", async () => {
    const foreign = receiptFor({ commit, tree }, readKeys(makeKey(), "x"));
    await using hub = await github([block(foreign), "no receipt", block(GOOD)]);
    const { status, said } = await run("octo/cart#8", { variables: hub.variables, cwd: place.room });
    expect(said).toContain(`has the tree ${tree} that the receipt names (GitHub)`);
    expect(status).toBe(0);
    expect(hub.asked[0]).toBe("GET /repos/octo/cart/pulls/8 without a token");
  });

  it("is bad where its receipt is for another commit or another repository", async () => {
    await using hub = await github([block(receiptFor({ commit: "9".repeat(40), tree }))]);
    expect(await run("octo/cart#8", { variables: hub.variables })).toMatchObject({
      status: 1,
      said: expect.stringContaining("The receipt is for commit 999"),
    });
    await using other = await github([block(GOOD)], 7);
    expect(await run("octo/cart#8", { variables: other.variables })).toMatchObject({
      status: 1,
      said: expect.stringContaining("for another repository"),
    });
  });

  it("cannot be judged where its head bears no receipt, or GitHub does not answer", async () => {
    await using hub = await github(["no receipt"]);
    expect(await run("octo/cart#8", { variables: hub.variables })).toMatchObject({
      status: 3,
      said: expect.stringContaining("bears no receipt"),
    });
    expect(await run("octo/cart#9", { variables: hub.variables })).toMatchObject({
      status: 3,
      said: expect.stringContaining("GitHub answered 404"),
    });
  });

  it("is named as people name it", () => {
    const name = { owner: "octo", name: "cart", number: 8 };
    expect(readPullName("octo/cart#8")).toEqual(name);
    expect(readPullName("https://github.com/octo/cart/pull/8/files")).toEqual(name);
    for (const other of ["octo/cart", "receipt.json", "https://github.com/octo/cart/issues/8"]) expect(readPullName(other)).toBeUndefined();
  });
});
