import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { findReceipt, receiptBlock } from "../../../src/receipts/block.ts";
import { preAuthEncoding, seal } from "../../../src/receipts/envelope.ts";
import { openKeys } from "../../../src/receipts/key-file.ts";
import { makeKey, readKeys, readPublicKeys } from "../../../src/receipts/keys.ts";
import { statementOf } from "../../../src/receipts/statement.ts";
import { type Known, verifyReceipt } from "../../../src/receipts/verify.ts";
import { COMMIT, ENTRIES, FACTS, KEYS, STATEMENT, TREE } from "./sample.ts";

const { envelope } = seal(JSON.stringify(STATEMENT), KEYS.signing);
const known = (tree: string | undefined, more: Partial<Known> = {}): Known => ({
  source: "a test",
  treeOf: (commit) => Promise.resolve(commit === COMMIT ? tree : undefined),
  ...more,
});
const verify = (text: string, more: { readonly keys?: typeof KEYS.listed; readonly known?: Known } = {}) =>
  verifyReceipt({ envelope: text, keys: KEYS.listed, known: known(TREE), ...more });

test("what is signed is encoded as DSSE says", () => {
  // The protocol's own example. Source: https://github.com/secure-systems-lab/dsse/blob/master/protocol.md
  expect(preAuthEncoding("http://example.com/HelloWorld", Buffer.from("hello world")).toString()).toBe(
    "DSSEv1 29 http://example.com/HelloWorld 11 hello world",
  );
  expect(preAuthEncoding("é", new Uint8Array()).toString()).toBe("DSSEv1 2 é 0 ");
});

describe("a statement", () => {
  it("is made of the journal: who, what was read, what the gate said, who approved, what it cost", () => {
    expect(STATEMENT).toEqual({
      _type: "https://in-toto.io/Statement/v1",
      subject: [
        { name: "octo/cart commit", digest: { gitCommit: COMMIT } },
        { name: "octo/cart tree", digest: { gitTree: TREE } },
      ],
      predicateType: "https://github.com/sallyport/sallyport/receipt/v1",
      predicate: {
        product: { name: "sallyport", version: "1.2.3" },
        run: { id: FACTS.runId, kind: "mention", end: "done" },
        repository: { id: FACTS.request.repository.id, name: "octo/cart" },
        thread: FACTS.request.thread.number,
        pullRequest: 8,
        trigger: { source: FACTS.request.source.kind, id: FACTS.request.source.id, delivery: FACTS.request.deliveryId },
        actor: FACTS.request.actor,
        base: { commit: "e".repeat(40), ref: "main" },
        models: ["scripted", "small"],
        promptSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        read: { files: ["src/a.ts"], filesLeftOut: 0, unread: [] },
        gate: {
          policySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          rules: [{ name: "protected-paths", version: "1.2.3" }],
          decisions: [
            {
              operation: "open-pull-request",
              verdict: "ask",
              approval: "abcde-fghij",
              findings: [{ rule: "protected-paths", severity: "ask", path: "src/a.ts", line: 3 }],
              findingsLeftOut: 0,
            },
          ],
        },
        approvals: [{ id: "abcde-fghij", by: "maria", answer: "approved" }],
        tests: { command: "npm test", ended: "passed", isOutdated: false },
        usage: { input: 20, output: 4, cached: 2, answers: 2, usd: 0.75 },
      },
    });
  });

  it("names the tree that came of replayed work, and the commit that it was replayed on", () => {
    const replayed = { onto: "1".repeat(40), tree: "2".repeat(40) };
    const entries = ENTRIES.map((entry) => (entry.kind === "published" ? { ...entry, replayed } : entry));
    expect(statementOf({ ...FACTS, entries })).toMatchObject({
      subject: [{}, { digest: { gitTree: replayed.tree } }],
      predicate: { replayedOnto: replayed.onto },
    });
  });

  it("is not made where nothing was published and nothing reviewed", () => {
    expect(statementOf({ ...FACTS, entries: ENTRIES.filter(({ kind }) => kind !== "published") })).toBeUndefined();
  });

  it("of a judgement is about the head that was judged, and is not made before there is one", () => {
    const judged: (typeof ENTRIES)[number] = {
      kind: "decision",
      operation: "commit",
      key: "judged",
      decision: { verdict: "block", findings: [{ rule: "unicode", severity: "block", where: { path: "a.js" }, why: "why", fix: "fix" }] },
    };
    const facts = { ...FACTS, request: { ...FACTS.request, trigger: "gate" as const }, end: "blocked" as const };
    expect(statementOf({ ...facts, entries: [] })).toBeUndefined();
    expect(statementOf({ ...facts, entries: [judged] })).toMatchObject({
      subject: [{ digest: { gitCommit: "e".repeat(40) } }],
      predicate: {
        run: { kind: "gate", end: "blocked" },
        models: [],
        gate: { decisions: [{ operation: "commit", verdict: "block", findings: [{ rule: "unicode", severity: "block", path: "a.js" }] }] },
      },
    });
  });

  it("names no cost where a price was not known", () => {
    const entries = ENTRIES.map((entry) => (entry.kind === "turn" ? { ...entry, usd: undefined } : entry)) as typeof ENTRIES;
    expect(statementOf({ ...FACTS, entries })?.predicate.usage).not.toHaveProperty("usd");
  });
});

describe("a receipt", () => {
  it("is good for its key, its commit and its tree, and says what that does not show", async () => {
    const verified = await verify(envelope);
    expect(verified).toMatchObject({ status: "good", commit: COMMIT, tree: TREE, keyId: KEYS.signing.keyId, receipt: STATEMENT.predicate });
    expect(verified).toHaveProperty(
      "provesNot",
      expect.arrayContaining([expect.stringContaining("does not show that the change is right")]),
    );
    expect(await verify(`${envelope}\n`)).toMatchObject({ status: "good" });
  });

  it("fails whichever of its bytes is another one", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(envelope.length - 1), fc.integer({ min: 32, max: 126 }), async (at, code) => {
        const other = String.fromCharCode(code);
        fc.pre(envelope[at] !== other);
        expect(await verify(envelope.slice(0, at) + other + envelope.slice(at + 1))).toMatchObject({
          status: "bad",
          why: expect.any(String),
        });
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ["a blank", (text: string) => text.replace(":", ": ")],
    ["a field", (text: string) => text.replace("{", '{"more":1,')],
    ["a second signature", (text: string) => text.replace(/"signatures":\[(.*)\]/, '"signatures":[$1,$1]')],
    ["a byte behind", (text: string) => `${text} `],
    ["another type", (text: string) => text.replace("in-toto+json", "json")],
    ["nothing", () => ""],
  ])("fails with %s", async (_, change) => {
    expect(await verify(change(envelope))).toMatchObject({ status: "bad" });
  });

  const leaves = leavesOf(STATEMENT);
  it("has fields to change", () => {
    expect(leaves.length).toBeGreaterThan(40);
  });
  it.each(leaves)("fails when $name is changed and the signature is kept", async ({ path }) => {
    const changed = JSON.parse(JSON.stringify(STATEMENT)) as object;
    change(changed, path);
    const { payloadType, signatures } = JSON.parse(envelope) as { readonly payloadType: string; readonly signatures: unknown };
    const payload = Buffer.from(JSON.stringify(changed)).toString("base64");
    expect(await verify(JSON.stringify({ payloadType, payload, signatures }))).toEqual({
      status: "bad",
      why: expect.stringContaining("it was altered, or signed by another key"),
    });
  });

  it("fails by another key, also under the trusted key's name", async () => {
    const other = readKeys(makeKey(), "another test");
    const foreign = seal(JSON.stringify(STATEMENT), other.signing).envelope;
    expect(await verify(foreign)).toEqual({ status: "bad", why: expect.stringContaining("none of those that are trusted") });
    const renamed = foreign.replace(other.signing.keyId, KEYS.signing.keyId);
    expect(await verify(renamed)).toEqual({ status: "bad", why: expect.stringContaining("signed by another key") });
  });

  it("fails for another tree, another commit and another repository", async () => {
    expect(await verify(envelope, { known: known("9".repeat(40)) })).toEqual({
      status: "bad",
      why: expect.stringContaining(`for the tree ${TREE}`),
    });
    expect(await verify(envelope, { known: known(TREE, { commit: "9".repeat(40) }) })).toEqual({
      status: "bad",
      why: expect.stringContaining(`for commit ${COMMIT}`),
    });
    expect(await verify(envelope, { known: known(TREE, { repositoryId: -1 }) })).toEqual({
      status: "bad",
      why: expect.stringContaining("for another repository"),
    });
  });

  it("cannot be judged without a key, nor where its commit is not there", async () => {
    expect(await verify(envelope, { keys: [] })).toMatchObject({ status: "unjudged" });
    expect(await verify(envelope, { known: known(undefined) })).toMatchObject({
      status: "unjudged",
      why: expect.stringContaining("is not there"),
    });
  });

  it.each(["no JSON", "[]", "null", '{"_type":"https://in-toto.io/Statement/v1","predicateType":"x","subject":[],"predicate":{}}'])(
    "fails where what was signed is %s",
    async (text) => {
      expect(await verify(seal(text, KEYS.signing).envelope)).toMatchObject({ status: "bad" });
    },
  );

  it("is found again in the text that shows it, the last one of several", () => {
    const text = `Some words\n\n${receiptBlock("{}")}\n\n${receiptBlock(envelope)}`;
    expect(findReceipt(text)).toBe(envelope);
    expect(findReceipt(text.replaceAll("\n", "\r\n"))).toBe(envelope);
    expect(findReceipt("Some words")).toBeUndefined();
    expect(receiptBlock("x".repeat(40_001))).toBe("");
  });
});

describe("keys", () => {
  it("are made once, for their owner alone, and are the same at the next start", async () => {
    const folder = await mkdtemp(join(tmpdir(), "receipt-keys-"));
    try {
      const file = join(folder, "data", "receipt-key.pem");
      const [one, two] = await Promise.all([openKeys({ file }), openKeys({ file })]);
      expect(one.signing.keyId).toBe(two.signing.keyId);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await openKeys({ file })).listed).toEqual(one.listed);
      expect(JSON.stringify(one.listed)).not.toContain((await readFile(file, "utf8")).split("\n")[1]);
      expect((await openKeys({ file, pem: makeKey() })).signing.keyId).not.toBe(one.signing.keyId);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("are listed with older ones, of which the public half is enough; the first private one signs", () => {
    const old = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();
    const pem = makeKey();
    const keys = readKeys(`${old}${pem}${makeKey()}`, "a test");
    expect(keys.listed).toHaveLength(3);
    expect(keys.signing.keyId).toBe(readKeys(pem, "a test").signing.keyId);
    expect(keys.listed[0]?.kid).toBe(keys.signing.keyId);
    expect(readKeys(pem.replaceAll("\n", "\\n"), "a test").signing.keyId).toBe(keys.signing.keyId);
  });

  it("are read from a published list, one key or PEM, and only under their own names", () => {
    const [key] = KEYS.listed;
    const pem = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();
    expect(readPublicKeys(JSON.stringify({ keys: KEYS.listed }), "a list")).toEqual(KEYS.listed);
    expect(readPublicKeys(JSON.stringify(key), "a key")).toEqual([key]);
    expect(readPublicKeys(pem, "PEM")).toHaveLength(1);
    expect(() => readPublicKeys(JSON.stringify({ ...key, kid: "mine" }), "a key")).toThrow("under a name that is not its thumbprint");
    expect(() => readPublicKeys("nonsense", "a file")).toThrow("a file holds neither PEM nor JSON");
    expect(() => readPublicKeys('{"keys":{}}', "a file")).toThrow("holds no list of keys");
  });

  it("of another kind, or none, stop the start with the variable's name", async () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    await expect(openKeys({ file: "/nowhere", pem: rsa })).rejects.toThrow("SALLYPORT_RECEIPT_KEY holds a key of another kind (rsa)");
    await expect(openKeys({ file: "/nowhere", pem: "hello" })).rejects.toThrow("SALLYPORT_RECEIPT_KEY holds no private key");
  });
});

type Path = readonly (string | number)[];

/** Every value in a statement that is no object, by its path. */
function leavesOf(value: unknown, path: Path = []): readonly { readonly name: string; readonly path: Path }[] {
  if (typeof value !== "object" || value === null) return [{ name: path.join("."), path }];
  const entries: readonly [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, one]) => leavesOf(one, [...path, key]));
}

function change(value: object, [key = "", ...rest]: Path): void {
  const holder = value as Record<string | number, unknown>;
  const one = holder[key];
  if (rest.length > 0) change(one as object, rest);
  else if (typeof one === "number") holder[key] = one + 1;
  else holder[key] = typeof one === "boolean" ? !one : `${String(one)}x`;
}
