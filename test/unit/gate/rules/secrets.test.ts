import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../src/gate/judged.ts";
import { secretsRule } from "../../../../src/gate/rules/secrets.ts";
import { sameThreadScanner } from "../../../../src/gate/secrets/scanner.ts";
import { ask, comment, commit, filler, gateWith, openPull, run, severities, write } from "../fixtures.ts";

const rule = secretsRule();
const HEX = "3f0a9c27e4b1d685";
const UPPER = "QZ7WEXR2TYU4IOP3ASD5FGHJK6LCVBNM";
const ghp = `ghp_${filler(36)}`;
const body = filler(400);
const key = (kind: string, content: string): string => `-----BEGIN ${kind}PRIVATE KEY-----\n${content}\n-----END ${kind}PRIVATE KEY-----\n`;
const webToken = `eyJ${filler(20)}.eyJ${filler(120)}.${filler(86)}`;
const sample = [
  { alg: "HS256", typ: "JWT" },
  { sub: "1234567890", name: "John Doe", iat: 1516239022 },
].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));

const wrapped = (bytes: Buffer): string => bytes.toString("base64").replace(/.{30}/g, "$&\n  ");
/** The checksum at the end no longer fits. */
function spoilt(bytes: Buffer): Buffer {
  bytes[bytes.length - 7] = (bytes[bytes.length - 7] ?? 0) ^ 255;
  return bytes;
}
/** A zip archive of one entry, without a central directory. */
function zip(name: string, data: Buffer, method: number, flags = 0): Buffer {
  const header = Buffer.alloc(30);
  header.write("PK\u0003\u0004", "latin1");
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name), data]);
}

/** Made-up secrets of each shape; none stands in one piece in this file. */
const SECRETS: readonly [string, string][] = [
  ["a personal GitHub token", ghp],
  ["a GitHub token of an app", `ghs_${filler(36)}`],
  ["a long installation token", `ghs_1234567_eyJ${filler(40)}.eyJ${filler(240)}.${filler(220)}`],
  ["a fine-grained GitHub token", `github_pat_${filler(22)}_${filler(59)}`],
  ["a GitHub token glued to a word", `tokengho_${filler(36)}tail`],
  ["a GitLab token", `glpat-${filler(20)}`],
  ["an AWS key id", `AKIA${filler(16, UPPER)}`],
  ["an AWS secret", `AWS_SECRET_ACCESS_KEY="${filler(40)}"`],
  ["an OpenAI project key", `sk-proj-${filler(60)}`],
  ["an older OpenAI key", `sk-${filler(20)}T3BlbkFJ${filler(20)}`],
  ["an Anthropic key", `sk-ant-api03-${filler(93)}AA`],
  ["a Slack bot token", `xoxb-123456789012-1234567890123-${filler(24)}`],
  ["a Slack webhook", `https://hooks.slack.com/services/T${filler(8, UPPER)}/B${filler(8, UPPER)}/${filler(24)}`],
  ["a Stripe key", `sk_live_${filler(24)}`],
  ["an npm token", `npm_${filler(36)}`],
  ["a PyPI token", `pypi-AgEIcHlwaS5vcmc${filler(60)}`],
  ["a Google key", `AIza${filler(35)}`],
  ["a SendGrid key", `SG.${filler(22)}.${filler(43)}`],
  ["a Hugging Face token", `hf_${filler(34, "qZwErTyUiOpAsDfGhJkLzXcVbNm")}`],
  ["a DigitalOcean token", `dop_v1_${filler(64, HEX)}`],
  ["a Vault token", `hvs.${filler(24)}`],
  ["a private RSA key", key("RSA ", body)],
  ["a private key in one line", JSON.stringify({ key: key("", body) })],
  ["a private OpenSSH key", key("OPENSSH ", body)],
  ["a private PGP key", `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: x\n\n${body}`],
  ["a key after a stand-in for one", key("", "your key here") + key("", body)],
  ["a signed web token", `ACTIONS_RUNTIME_TOKEN=${webToken}`],
  ["a signed web token glued to a word", `bearer${webToken}`],
  ["a database URL", `postgres://app:${filler(16)}@db.prod.acme.io/app`],
  ["a token in a git URL", `https://x:${filler(20)}@git.acme.io/app.git`],
  ["a token after stand-ins that run into it", `ghs_example_ghs_${"a".repeat(4)}ghp_${filler(36)}`],
];

describe("secrets", () => {
  it.each(SECRETS)("blocks %s in a file, a comment, a pull request and a commit message", async (_, secret) => {
    const judged: readonly Judged[] = [
      write("src/k.ts", `const k = ${secret}\n`),
      commit({ "package-lock.json": { after: `{\n${secret}\n}` } }),
      comment(`Look: ${secret}`),
      openPull(undefined, { body: secret }),
      openPull(undefined, { title: secret }),
      commit(undefined, { message: `Fix\n\n${secret}` }),
    ];
    for (const one of judged) expect(severities(await ask(rule, one))).toContain("block");
  });

  it.each<[string, Judged]>([
    ["behind a comment that switches secretlint off", write("a.ts", `// secretlint-disable\nconst t = "${ghp}"`)],
    ["behind a comment that switches gitleaks off", write("a.ts", `const t = "${ghp}" // gitleaks:allow`)],
    ["in a lock file", write("package-lock.json", ghp)],
    ["in node_modules", write("node_modules/x.js", ghp)],
    ["in UTF-16", write("x.txt", Buffer.from(ghp, "utf16le"))],
    ["in UTF-16 of the other order", write("x.txt", Buffer.from(ghp, "utf16le").swap16())],
    ["in a binary file", write("x.bin", Buffer.concat([Buffer.from([0, 255, 254, 200]), Buffer.from(ghp), Buffer.from([0, 1])]))],
    ["packed with gzip, in base64", write("x.zip.b64", gzipSync(ghp).toString("base64"))],
    ["packed with gzip whose checksum is spoilt", write("x.gz", spoilt(gzipSync(`${ghp} ${filler(40)}`)))],
    ["packed with gzip that is cut off", write("x.gz", gzipSync(`${filler(4000)}${ghp}`).subarray(0, -8))],
    ["packed with zstd, in base64 of short lines", write("x.txt", wrapped(zstdCompressSync(Buffer.from(ghp))))],
    ["packed with zlib, in hex", write("x.txt", deflateSync(ghp).toString("hex"))],
    ["in a zip archive", write("x.zip", zip("a.txt", deflateRawSync(ghp), 8))],
    ["stored in a zip archive inside a gzip", write("x.bin", gzipSync(zip("a.txt", Buffer.from(ghp), 0)))],
    ["in the second part of a gzip", write("x.gz", Buffer.concat([gzipSync("nothing to see"), gzipSync(`token ${ghp} end`)]))],
    ["packed behind a script", write("x.sh", Buffer.concat([Buffer.from("#!/bin/sh\nexit\n"), gzipSync(`token ${ghp} end`)]))],
    ["in a zip behind a picture", write("x.png", Buffer.concat([Buffer.from("\x89PNG\r\n"), zip("a.txt", deflateRawSync(ghp), 8)]))],
    [
      "in base64 behind an archive",
      write("x.gz", Buffer.concat([gzipSync("x"), Buffer.from(`\n${Buffer.from(`${ghp}${ghp}`).toString("base64")}`)])),
    ],
    ["in a stream of a PDF", write("x.pdf", Buffer.concat([Buffer.from("%PDF-1.4\n1 0 obj<<>>stream\n"), deflateSync(`(${ghp})`)]))],
    [
      "in a packed text of a picture",
      write("x.png", Buffer.concat([Buffer.from("\x89PNG\r\nzTXtComment\0\0", "latin1"), deflateSync(`c ${ghp}`)])),
    ],
    [
      "in a packed international text of a picture",
      write("x.png", Buffer.concat([Buffer.from("iTXtComment\0\x01\0en\0\0", "latin1"), deflateSync(`c ${ghp}`)])),
    ],
    ["as the name of an archive's entry", write("x.zip", zip(ghp, Buffer.from("x"), 0))],
    ["in base64", write("a.yml", `data: ${Buffer.from(`token: ${ghp}`).toString("base64")}`)],
    ["in base64 that begins elsewhere", write("a.yml", `data/x${Buffer.from(`\0\u0001\u0002${ghp}`).toString("base64")}`)],
    ["in base64 of a comment", comment(Buffer.from(ghp).toString("base64"))],
    ["in what the model wrote before it was cleaned", comment("Nothing.", { written: [`<!-- ${ghp} -->`] })],
    ["in hex", write("a.ts", Buffer.from(ghp).toString("hex"))],
    [
      "in percent escapes",
      write(
        "a.ts",
        ghp.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`),
      ),
    ],
    ["as a list of character codes", write("a.ts", `String.fromCharCode(${Array.from(ghp, (c) => c.charCodeAt(0)).join(", ")})`)],
    ["assigned to a variable for a password", write("a.py", `DB_PASSWORD = "${filler(32)}"`)],
    ["assigned to a key of YAML", write("a.yml", `  api_key: ${filler(40)}\n`)],
    ["assigned in hex", write(".env", `SESSION_SECRET=${filler(64, HEX)}`)],
    ["assigned as a property", write("a.ts", `client.clientSecret = '${filler(40)}'`)],
    ["in a file name", write(`docs/${ghp}.md`)],
    ["in a branch name", commit(undefined, { branch: `sallyport/${ghp}` })],
    ["beside an old one", write("a.ts", `${ghp}\nghp_${filler(36).replace("q", "7").slice(0, 30)}K7m2Qx`, ghp)],
    ["taken from another place of the same file name", commit({ "a.ts": { before: "x", after: ghp } })],
  ])("blocks a token %s", async (_, judged) => {
    expect(severities(await ask(rule, judged))).toContain("block");
  });

  it.each<[string, Judged]>([
    ["a row of one letter", write("a.ts", `ghp_${"x".repeat(36)}`)],
    ["the alphabet", write("a.ts", "ghp_abcdefghijklmnopqrstuvwxyz0123456789")],
    ["the manual's key id", write("a.ts", "AKIAIOSFODNN7EXAMPLE")],
    ["a key to fill in", write(".env.example", "OPENAI_API_KEY=sk-your-key-here\nDB=postgres://user:password@localhost/db")],
    ["a password from a variable", write("a.yml", "https://x-access-token:${TOKEN}@github.com/a/b postgres://app:$PW@db.acme.io")],
    ["an ordinary password on a service of the test", write("compose.yml", "postgres://postgres:postgres@db:5432/app")],
    ["a URL with a port and an at sign", write("a.md", "http://localhost:3000/@scope https://esm.sh/react@18")],
    [
      "spelt-out passwords",
      write("a.md", "postgres://someuser:somepassword@somehost/db https://a:b@acme.io amqp://u:my-secret1@mq.acme.io"),
    ],
    [
      "a library that is written in base64",
      write("a.js", `"${Buffer.from(Array.from({ length: 60_000 }, (_, index) => (index * index) % 251)).toString("base64")}"`),
    ],
    [
      "long names in their thousands",
      write("a.js", Array.from({ length: 5000 }, (_, index) => `aVeryLongNameOfSomethingThatIsCalledNumber${index};`).join("\n")),
    ],
    ["an identifier", write("a.ts", 'const id = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"')],
    ["a commit id and a digest", write("a.md", `${filler(40, HEX)} sha512-${filler(86)}==`)],
    ["a certificate", write("c.pem", `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`)],
    ["a public key", write("k.pub", `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${filler(40)} a@b`)],
    [
      "talk about a private key",
      write("a.md", "It starts with `-----BEGIN PRIVATE KEY-----` and ends with another line of dashes, as every key file does."),
    ],
    ["a key with nothing in it", write("a.md", key("RSA ", "..."))],
    ["the format's sample", write("a.md", `${sample.join(".")}.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c`)],
    ["talk about a token", comment("The token in `config.ts` is read with `process.env.NPM_TOKEN`; rotate it.")],
    [
      "a picture in base64",
      write("a.css", `url(data:image/png;base64,${Buffer.from(Array.from(filler(900), (c) => c.charCodeAt(0) * 7)).toString("base64")})`),
    ],
    ["a script with an archive behind it", write("a.sh", Buffer.concat([Buffer.from("#!/bin/sh\n"), gzipSync("just text\n".repeat(500))]))],
    ["a table of signatures", write("a.ts", 'const XZ = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];\nconst SEVEN = "7z\\xbc\\xaf";')],
    ["a page about encrypted messages", write("docs/pgp.md", "A message begins with `-----BEGIN PGP MESSAGE-----`, then come headers.")],
    ["a PDF without a password", write("a.pdf", "%PDF-1.7\n1 0 obj<<>>stream\nBT (Encrypt me) ET\nendstream\ntrailer<</Root 1 0 R>>")],
    ["an archive of ordinary files", write("a.gz", gzipSync("just text\n".repeat(500)))],
    ["integrity hashes of a lock file", write("package-lock.json", `"integrity": "sha512-${filler(86)}=="`)],
    ["a secret's name in a vault", write("a.yml", 'secret: "projects/acme/secrets/Prod_DB_Password01/versions/latest"')],
    ["a token that a function makes", write("a.ts", "const token = createAccessTokenForUser01(Session2Manager);")],
    ["a secret of the workflow", write("a.yml", "token: ${{ secrets.NPM_TOKEN }}\npassword: $DB_PASSWORD\n")],
    ["the type of a key", write("a.py", "def f(self, private_key: ed25519.Ed25519PrivateKey, f_priv: _List) -> None:")],
    ["a public key in a variable", write("a.ts", `const publicKey = "${filler(40)}"`)],
    ["a token of a cross-site check", write("a.html", `<input name="csrf_token" value="x"> csrf_token = "${filler(40)}"`)],
    ["a message about tokens", write("a.json", '{"passwordResetToken": "Your reset token has expired, please ask for another one"}')],
    ["the removal of a secret", write("a.ts", "export {}", `const t = "${ghp}"`)],
    ["a file that is deleted with its secret", commit({ "a.ts": { before: ghp } })],
  ])("lets through %s", async (_, judged) => {
    expect(await ask(rule, judged)).toEqual([]);
  });

  it.each<[string, Judged, string]>([
    ["a random value in a test's variable", write("test/auth.test.ts", `const token = "${filler(40)}"`), "warn"],
    ["a key of Stripe's test mode", write("a.ts", `const key = "sk_test_${filler(24)}"`), "warn"],
    ["a short value of a token", write("a.py", `f("access_token=${filler(22)}")`), "warn"],
    ["an archive that unpacks to more than is looked at", write("a.gz", gzipSync(Buffer.alloc(20 * 1024 * 1024))), "ask"],
    ["an archive of an unknown kind", write("a.7z", Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4])), "ask"],
    ["one behind a script that unpacks it", write("a.sh", Buffer.from("#!/bin/sh\ntail -n1 $0\n\xfd7zXZ\0\0\x04", "latin1")), "ask"],
    ["one in base64", write("a.txt", Buffer.from("BZh91AY&SY and more of it", "latin1").toString("base64")), "ask"],
    ["one in a comment, in base64", comment(Buffer.from("Rar!\x1a\x07\x01\0 and more of it", "latin1").toString("base64")), "ask"],
    [
      "a text that unpacks to more than is looked at",
      comment(gzipSync(gzipSync(Buffer.alloc(20 * 1024 * 1024))).toString("base64")),
      "ask",
    ],
    ["what is encrypted by openssl", write("a.enc", Buffer.from("Salted__12345678abcdefgh")), "ask"],
    ["a message of PGP", write("a.asc", "-----BEGIN PGP MESSAGE-----\n\nabc\n"), "ask"],
    ["a PDF with a password", write("a.pdf", "%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<</Encrypt 5 0 R>>"), "ask"],
    [
      "an archive in an archive in an archive in an archive",
      write("a.gz", gzipSync(gzipSync(gzipSync(gzipSync("hello, hello, hello, hello"))))),
      "ask",
    ],
    ["an encrypted entry of an archive", write("a.zip", zip("a.txt", Buffer.from("????"), 0, 1)), "ask"],
  ])("does not let %s through unsaid", async (_, judged, severity) => {
    expect(severities(await ask(rule, judged))).toEqual([severity]);
  });

  it.each<[string, Judged]>([
    ["stays where it was", write("a.ts", `// changed\nconst t = "${ghp}"`, `const t = "${ghp}"`)],
    ["moves with its file", commit({ "a.ts": { before: `1 ${ghp}` }, "b.ts": { after: `2 ${ghp}`, movedFrom: "a.ts" } })],
    [
      "moves to another file of the change",
      commit({ "a.ts": { before: `1 ${ghp}`, after: "1" }, "b.ts": { before: "2", after: `2 ${ghp}` } }),
    ],
  ])("only reports a secret that %s", async (_, judged) => {
    expect(severities(await ask(rule, judged))).toEqual(["info"]);
  });

  it("names the kind, the file and the line, and never the value", async () => {
    const findings = await ask(rule, write("src/k.ts", `// one\n\nconst t = "${ghp}"\n`));
    expect(findings).toMatchObject([
      { rule: "secrets", where: { path: "src/k.ts", line: 3 }, why: expect.stringContaining("GitHub token") as string },
    ]);
    for (const [, secret] of SECRETS) {
      const all = JSON.stringify([
        await ask(rule, write("k", secret)),
        await ask(rule, comment(secret)),
        await ask(rule, write(secret.slice(0, 200), "")),
      ]);
      expect(all).not.toContain(secret.slice(-20).trim());
    }
  });

  it("holds what it judges while its library cannot be loaded, and looks for it again the next time", async () => {
    let isThere = false;
    const load = (): Promise<() => Promise<[]>> =>
      isThere ? Promise.resolve(() => Promise.resolve([])) : Promise.reject(new Error("gone"));
    const broken = secretsRule({ scanner: sameThreadScanner({ load }) });
    const gate = gateWith({ rules: [broken] });
    expect((await gate.judge(comment("plain"), run)).decision.verdict).toBe("block");
    isThere = true;
    expect((await gate.judge(comment("plain"), run)).decision.verdict).toBe("allow");
  });

  it("does not list old secrets in place of a new one", async () => {
    const old = Array.from({ length: 30 }, (_, index) => `ghp_${filler(34)}${10 + index}`).join("\n");
    expect(severities(await ask(rule, write("a.ts", `${old}\n${ghp}`, old)))[0]).toBe("block");
  });
});
