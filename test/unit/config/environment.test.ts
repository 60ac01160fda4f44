import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { faultsOf, readEnvironment, secretsOf } from "../../../src/config/environment.ts";
import { ConfigurationError } from "../../../src/core/errors.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = pair.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
const PKCS8 = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const FULL = { APP_ID: "42", PRIVATE_KEY: PEM, WEBHOOK_SECRET: "hush-hush" };
const folder = mkdtempSync(join(tmpdir(), "environment-"));
afterAll(() => rmSync(folder, { recursive: true }));

function refusal(variables: Record<string, string | undefined>): ConfigurationError {
  try {
    readEnvironment({ ...FULL, ...variables });
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("readEnvironment", () => {
  it("needs three variables and has a default for the rest", () => {
    expect(readEnvironment(FULL)).toEqual({
      appId: 42,
      privateKey: PEM,
      webhookSecrets: ["hush-hush"],
      port: 3000,
      host: "localhost",
      webhookPath: "/api/github/webhooks",
      logLevel: "info",
      logFormat: "pretty",
      github: { apiUrl: "https://api.github.com", webUrl: "https://github.com" },
      model: { names: [], api: "chat" },
      dataDir: "./.sallyport",
      concurrency: 4,
      extensions: [],
      isProduction: false,
      warnings: [],
    });
  });

  it.each([
    ["PEM", PEM],
    ["PEM of the other kind", PKCS8],
    ["PEM with escaped line ends", PEM.replaceAll("\n", "\\n")],
    ["PEM with carriage returns", PEM.replaceAll("\n", "\r\n")],
    ["PEM with blanks for line ends", PEM.replaceAll("\n", " ")],
    ["quoted PEM", `"${PEM.replaceAll("\n", "\\n")}"`],
    ["base64", Buffer.from(PEM).toString("base64")],
    [
      "base64 in lines",
      (
        Buffer.from(PEM)
          .toString("base64")
          .match(/.{1,76}/g) ?? []
      ).join("\n"),
    ],
  ])("takes the key as %s", (_, key) => {
    expect(readEnvironment({ ...FULL, PRIVATE_KEY: key }).privateKey).toBe(key === PKCS8 ? PKCS8 : PEM);
  });

  it("takes the key from a file", () => {
    const path = join(folder, "app.pem");
    writeFileSync(path, PEM);
    expect(readEnvironment({ ...FULL, PRIVATE_KEY: "", PRIVATE_KEY_PATH: path }).privateKey).toBe(PEM);
  });

  it.each<[string, Record<string, string>, object]>([
    ["secrets for rotation, newest first", { WEBHOOK_SECRET: " new , old ,," }, { webhookSecrets: ["new", "old"] }],
    ["any free port", { PORT: "0" }, { port: 0 }],
    ["a webhook path with a slash behind", { WEBHOOK_PATH: "/hooks/" }, { webhookPath: "/hooks" }],
    ["words in another case", { LOG_LEVEL: "WARN", LOG_FORMAT: "JSON" }, { logLevel: "warn", logFormat: "json" }],
    ["production, which logs JSON", { NODE_ENV: "production" }, { logFormat: "json", isProduction: true }],
    [
      "an enterprise server",
      { GHE_HOST: "git.acme.test:8443" },
      { github: { webUrl: "https://git.acme.test:8443", apiUrl: "https://git.acme.test:8443/api/v3" } },
    ],
    [
      "one without TLS",
      { GHE_HOST: "127.0.0.1:80", GHE_PROTOCOL: "http" },
      { github: { webUrl: "http://127.0.0.1:80", apiUrl: "http://127.0.0.1:80/api/v3" } },
    ],
    [
      "a tenant with data residency",
      { GHE_HOST: "acme.ghe.com" },
      { github: { webUrl: "https://acme.ghe.com", apiUrl: "https://api.acme.ghe.com" } },
    ],
    [
      "a model",
      { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://m/v1/", SALLYPORT_MODEL: "m" },
      { model: { apiKey: "k", baseUrl: "http://m/v1", names: ["m"], api: "chat" } },
    ],
    [
      "several models over the other wire",
      { SALLYPORT_MODEL: "a, b,", SALLYPORT_MODEL_API: "Responses" },
      { model: { names: ["a", "b"], api: "responses" } },
    ],
    ["a database", { DATABASE_URL: "postgresql://u:p@h/d" }, { databaseUrl: "postgresql://u:p@h/d" }],
    [
      "own settings",
      { SALLYPORT_DATA_DIR: "/d", SALLYPORT_CONCURRENCY: "1", SALLYPORT_DASHBOARD_TOKEN: "t" },
      { dataDir: "/d", concurrency: 1, dashboardToken: "t" },
    ],
    ["where people find it", { SALLYPORT_PUBLIC_URL: "https://Bot.example.com/" }, { publicUrl: "https://bot.example.com" }],
    [
      "empty values as missing ones",
      { PORT: "", LOG_LEVEL: " ", DATABASE_URL: "", SALLYPORT_MODL: "" },
      { port: 3000, logLevel: "info", warnings: [] },
    ],
  ])("reads %s", (_, variables, expected) => {
    expect(readEnvironment({ ...FULL, ...variables })).toMatchObject(expected);
  });

  it.each<[string, string | undefined]>([
    ["APP_ID", undefined],
    ["APP_ID", "forty-two"],
    ["APP_ID", "0"],
    ["APP_ID", "4.2"],
    ["PRIVATE_KEY", undefined],
    ["PRIVATE_KEY", "not-a-key-0123456789"],
    ["PRIVATE_KEY", PEM.replace("MII", "XXX")],
    ["PRIVATE_KEY", PEM.slice(0, 800)],
    ["PRIVATE_KEY", generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
    ["PRIVATE_KEY", pair.publicKey.export({ type: "pkcs1", format: "pem" }).toString()],
    ["WEBHOOK_SECRET", undefined],
    ["WEBHOOK_SECRET", " , ,"],
    ["PORT", "http"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "1e3"],
    ["LOG_LEVEL", "loud"],
    ["LOG_FORMAT", "xml"],
    ["GHE_HOST", "https://git.acme.test"],
    ["GHE_HOST", "git.acme.test/path"],
    ["GHE_HOST", "user:word@git.acme.test"],
    ["GHE_PROTOCOL", "ftp"],
    ["WEBHOOK_PATH", "hooks"],
    ["WEBHOOK_PATH", "/"],
    ["WEBHOOK_PATH", "/healthz"],
    ["OPENAI_BASE_URL", "nowhere"],
    ["OPENAI_BASE_URL", "file:///etc/passwd"],
    ["SALLYPORT_MODEL_API", "telepathy"],
    ["SALLYPORT_MODEL_API", "completions"],
    ["DATABASE_URL", "mysql://u:pass-word@127.0.0.1/x"],
    ["SALLYPORT_PUBLIC_URL", "bot.example.com"],
    ["SALLYPORT_PUBLIC_URL", "https://bot.example.com/sallyport"],
    ["SALLYPORT_PUBLIC_URL", "https://user:word@bot.example.com"],
    ["SALLYPORT_PUBLIC_URL", "javascript:alert(1)"],
    ["SALLYPORT_CONCURRENCY", "many"],
    ["SALLYPORT_CONCURRENCY", "0"],
  ])("refuses to start with %s=%j in one line that names it", (name, value) => {
    const error = refusal({ [name]: value });
    expect(error.message.startsWith(`${name} `)).toBe(true);
    expect(`${error.message}${error.hint ?? ""}`).not.toContain("\n");
    expect(error.hint).toMatch(/\.$/);
  });

  it.each([
    ["PRIVATE_KEY", "not-a-key-0123456789"],
    ["DATABASE_URL", "mysql://u:pass-word@127.0.0.1/x"],
    ["OPENAI_BASE_URL", "user:pass-word@nowhere"],
  ])("gives nothing of %s away", (name, value) => {
    const { message, hint, cause } = refusal({ [name]: value });
    expect(`${message} ${hint} ${String(cause)}`).not.toMatch(/0123456789|pass-word/);
  });

  it("names the variable and the path of a key file that is not there", () => {
    expect(refusal({ PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: join(folder, "none.pem") }).message).toMatch(
      /^PRIVATE_KEY_PATH .*ENOENT.*none\.pem/,
    );
  });

  it("lists every fault, the first being the one it refuses to start with", () => {
    const faulty = { ...FULL, APP_ID: "x", WEBHOOK_SECRET: "", PORT: "-1", GHE_HOST: "https://x" };
    expect(faultsOf(faulty).map(({ message }) => message.split(" ", 1)[0])).toEqual(["APP_ID", "WEBHOOK_SECRET", "PORT", "GHE_HOST"]);
    expect(faultsOf(faulty)[0]?.message).toBe(refusal({ APP_ID: "x" }).message);
    expect(faultsOf(FULL)).toEqual([]);
  });

  it("warns of what does nothing", () => {
    const { warnings } = readEnvironment({
      ...FULL,
      SALLYPORT_MODLE: "m",
      SALLYPORT_X_Y_Z_W_V: "1",
      SALLYPORT_EXTENSIONS: "a",
      OTHER: "1",
    });
    expect(warnings).toEqual([
      "SALLYPORT_MODLE is not known and does nothing; did you mean SALLYPORT_MODEL?",
      expect.stringMatching(/^SALLYPORT_X_Y_Z_W_V is not known and does nothing/) as string,
    ]);
  });
});

describe("secretsOf", () => {
  it("lists every value that must not be seen", () => {
    const variables = {
      ...FULL,
      WEBHOOK_SECRET: "new,old",
      OPENAI_API_KEY: "sk-1",
      DATABASE_URL: "postgres://u:p@h/d",
      SALLYPORT_DASHBOARD_TOKEN: "t",
    };
    expect(secretsOf(readEnvironment(variables)).map(({ value }) => value)).toEqual([PEM, "new", "old", "sk-1", "postgres://u:p@h/d", "t"]);
  });

  it("leaves out what is not set", () => {
    expect(secretsOf(readEnvironment(FULL)).map(({ name }) => name)).toEqual(["PRIVATE_KEY", "WEBHOOK_SECRET"]);
  });
});
