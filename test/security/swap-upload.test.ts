import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import type { ChangeSet } from "../../src/core/change-set.ts";
import { silent } from "../../src/core/log.ts";
import { filesOf } from "../../src/gate/contents.ts";
import type { Cleared } from "../../src/gate/gate.ts";
import { blobId, sha256 } from "../../src/gate/git-blob.ts";
import { createLedger, PassRefusedError } from "../../src/gate/mint.ts";
import type { GateRule } from "../../src/gate/rule.ts";
import { createTokenSession } from "../../src/github/client.ts";
import { GitHubError } from "../../src/github/errors.ts";
import { perform } from "../../src/github/writer.ts";
import { differenceOf, type DifferenceRequest } from "../../src/workspace/change-set.ts";
import { openGit } from "../../src/workspace/git.ts";
import { commit, gateWith, run } from "../unit/gate/fixtures.ts";
import { temporaryFolder } from "../unit/workspace/git-host.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

/** Change sets that are judged and sent while their files are being swapped. */
const ROUNDS = 5000;
/** Rounds after which a way that leaks has long shown itself. */
const FEWER_ROUNDS = 400;
const SECRET = "the-secret-that-stands-outside-the-workspace";

/** How an allowed change set comes to GitHub. `directory` is what it was taken from. */
type Upload = (
  cleared: Cleared,
  wire: { readonly fetch: typeof fetch; readonly ledger: ReturnType<typeof createLedger> },
  directory: string,
) => Promise<void>;

/** Takes, judges and sends change sets while another process swaps what they are taken from; answers what of it went wrong. */
async function race(rounds: number, upload: Upload) {
  const room = mkdtempSync(join(temporary.path, "race-"));
  const [directory, outside] = ["inside-", "outside-"].map((name) => mkdtempSync(join(room, name))) as [string, string];
  writeFileSync(join(outside, "secret"), `${SECRET}\n`);
  const swapper = spawn(process.execPath, [fileURLToPath(new URL("swap/swapper.ts", import.meta.url)), directory, outside, "2"], {
    stdio: "ignore",
  });
  const request: DifferenceRequest = {
    git: openGit({ path: "" }),
    gitDir: room,
    commit: "b".repeat(40),
    tree: { files: new Map(), folders: new Map([["", "c".repeat(40)]]) },
    stamps: new Map(),
    directory,
    // Git is not asked what is ignored, so that a round is all race.
    rules: { ignored: () => Promise.resolve(new Set()), [Symbol.dispose]() {} },
  };
  const result = { rounds: 0, uploads: 0, leaks: 0, refused: 0, unscanned: 0, problems: 0 };
  const ledger = createLedger();
  const scanned = new Set<string>();
  const recorder: GateRule = {
    name: "recorder",
    applies: ["commit"],
    check: (judged) => {
      scanned.clear();
      for (const { after } of filesOf(judged)) if (after?.bytes !== undefined) scanned.add(sha256(after.bytes));
      return [];
    },
  };
  const gate = gateWith({ rules: [recorder], ledger });
  try {
    while (result.rounds < rounds) {
      const { changes, problems } = await differenceOf(request);
      result.problems += problems.length;
      // What cannot be published holds a whole run; here the rest goes on, so that every round is a chance.
      if (changes.changes.length === 0) continue;
      result.rounds++;
      const judgement = await gate.judge(commit(undefined, { changes }), run);
      if (!("operation" in judgement)) throw new TypeError(JSON.stringify(judgement));
      const sent: Buffer[] = [];
      try {
        await upload(judgement, { fetch: gitHubFor(changes, sent), ledger }, directory);
      } catch (error) {
        // Another file's judged bytes may be sent, as a blob that nothing names: the writer sees that it is not the one.
        const isRefused = error instanceof PassRefusedError || (error instanceof GitHubError && error.code === "tree-mismatch");
        if (!isRefused) throw error;
        result.refused++;
      }
      if (sent.length > 0) result.uploads++;
      for (const bytes of sent) {
        if (bytes.includes(SECRET)) result.leaks++;
        if (!scanned.has(sha256(bytes))) result.unscanned++;
      }
    }
  } finally {
    swapper.kill("SIGKILL");
  }
  return result;
}

/** A GitHub that takes commits, and notes the bytes that it is sent. */
function gitHubFor({ tree }: ChangeSet, sent: Buffer[]): typeof fetch {
  return (input, init) => {
    const body = JSON.parse(init?.body as string) as Sent;
    const take = (base64: string): string => {
      const bytes = Buffer.from(base64, "base64");
      sent.push(bytes);
      return blobId(bytes);
    };
    for (const { contents } of body.variables?.input.fileChanges.additions ?? []) take(contents);
    const sha = body.content === undefined ? ((input as string).endsWith("/git/trees") ? tree : "e".repeat(40)) : take(body.content);
    const commit = { oid: sha, tree: { oid: tree }, signature: { isValid: true } };
    const answer = {
      sha,
      object: { sha },
      tree: { sha: tree },
      parents: [{ sha: "b".repeat(40) }],
      data: { createCommitOnBranch: { commit } },
    };
    return Promise.resolve(new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } }));
  };
}

/** What of the requests that make a commit holds bytes. */
interface Sent {
  readonly content?: string;
  readonly variables?: { readonly input: { readonly fileChanges: { readonly additions: readonly { readonly contents: string }[] } } };
}

/** The product's own way: the writer, the mint and the wire guard. */
const asTheProductDoes: Upload = async ({ operation, mint }, { fetch, ledger }) => {
  const session = createTokenSession({
    baseUrl: "https://github.test/api/v3",
    ledger,
    log: silent,
    fetch,
    token: "t",
    botLogin: "b[bot]",
    runId: run.id,
  });
  await perform(operation, { session, mint, once: (step) => step.send() });
};

/** What stands at the paths by now, as somebody would send it who looks at them once more. */
function readAgain({ operation }: Cleared, directory: string): Cleared["operation"] {
  if (operation.kind !== "commit") throw new TypeError(operation.kind);
  const { changes } = operation;
  const blobs = new Map(changes.blobs);
  for (const { path, after } of changes.changes) {
    try {
      if (after !== undefined) blobs.set(after.sha, readFileSync(join(directory, path)));
    } catch {
      // It is not there for the moment.
    }
  }
  return { ...operation, changes: { ...changes, blobs } };
}

it(
  `sends ${ROUNDS} change sets whose files are swapped between judging and sending: nothing else than what was scanned`,
  { timeout: 120_000 },
  async () => {
    const { rounds, uploads, leaks, unscanned, problems, refused } = await race(ROUNDS, asTheProductDoes);
    expect({ rounds, uploads, leaks, unscanned, refused }).toEqual({ rounds: ROUNDS, uploads: ROUNDS, leaks: 0, unscanned: 0, refused: 0 });
    // The race was one: links and hard links were met on the way.
    expect(problems).toBeGreaterThan(ROUNDS / 10);
  },
);

it("finds the leak of a way that reads the files again past the gate", { timeout: 60_000 }, async () => {
  const { leaks, unscanned } = await race(FEWER_ROUNDS, async (cleared, { fetch }, directory) => {
    const operation = readAgain(cleared, directory);
    if (operation.kind !== "commit") throw new TypeError(operation.kind);
    const { changes, blobs } = operation.changes;
    const additions = changes.map(({ path, after }) => ({
      path,
      contents: Buffer.from(blobs.get(after?.sha ?? "") ?? []).toString("base64"),
    }));
    await fetch("https://github.test/api/graphql", {
      method: "POST",
      body: JSON.stringify({ variables: { input: { fileChanges: { additions } } } }),
    });
  });
  expect(leaks).toBeGreaterThan(0);
  expect(unscanned).toBeGreaterThan(leaks);
});

it("gives no pass to a way that reads the files again", { timeout: 60_000 }, async () => {
  const { leaks, unscanned, refused } = await race(FEWER_ROUNDS, (cleared, wire, directory) =>
    asTheProductDoes({ ...cleared, operation: readAgain(cleared, directory) }, wire, directory),
  );
  expect({ leaks, unscanned }).toEqual({ leaks: 0, unscanned: 0 });
  expect(refused).toBeGreaterThan(0);
});
