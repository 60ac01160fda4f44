import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { readEnvironment } from "../../../src/config/environment.ts";
import { keepApp, keptAppFile, withKeptApp, type KeptApp } from "../../../src/config/kept-app.ts";

const room = mkdtempSync(join(tmpdir(), "sallyport-kept-"));
afterAll(() => rmSync(room, { recursive: true }));
const PEM = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" }).toString();
const APP: KeptApp = { APP_ID: "42", PRIVATE_KEY: PEM, WEBHOOK_SECRET: "s3=cr+et/==", GHE_HOST: "git.example.com" };

function kept(app: KeptApp = APP) {
  const folder = mkdtempSync(join(room, "data-"));
  const variables = { SALLYPORT_DATA_DIR: folder };
  const file = keptAppFile(variables, "/");
  keepApp(file, app);
  return { folder, file, variables };
}

describe("the credentials of an App", () => {
  it("come back as they were kept", () => {
    const { variables } = kept();
    expect(readEnvironment(withKeptApp(variables, "/").variables)).toMatchObject({
      appId: 42,
      privateKey: PEM,
      webhookSecrets: [APP.WEBHOOK_SECRET],
      github: { webUrl: "https://git.example.com" },
    });
  });

  it("are for their owner alone, in one file, whatever lies where it is written", () => {
    const folder = mkdtempSync(join(room, "data-"));
    const file = keptAppFile({ SALLYPORT_DATA_DIR: folder }, "/");
    const elsewhere = join(room, "elsewhere");
    symlinkSync(elsewhere, `${file}.new`);
    keepApp(file, APP);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["app.env"]);
    expect(readdirSync(room)).not.toContain("elsewhere");
  });

  it.each(["APP_ID", "PRIVATE_KEY", "PRIVATE_KEY_PATH", "WEBHOOK_SECRET"])("do not complete an App of which %s is set", (name) => {
    const variables = { ...kept().variables, [name]: "x" };
    expect(withKeptApp(variables, "/")).toEqual({ variables });
  });

  it("yield to what is set beside them, and empty variables count as not set", () => {
    const { variables } = kept({ ...APP, WEBHOOK_PROXY_URL: "https://smee.io/kept" });
    const given = { ...variables, APP_ID: "", WEBHOOK_PROXY_URL: "https://smee.io/given", PATH: "/bin" };
    expect(withKeptApp(given, "/").variables).toMatchObject({
      APP_ID: "42",
      WEBHOOK_PROXY_URL: "https://smee.io/given",
      PATH: "/bin",
    });
  });

  it("bring their client whole or not at all", () => {
    const { variables } = kept({ ...APP, GITHUB_CLIENT_ID: "Iv1.kept", GITHUB_CLIENT_SECRET: "kept-secret" });
    expect(readEnvironment(withKeptApp(variables, "/").variables).signIn).toEqual({ clientId: "Iv1.kept", clientSecret: "kept-secret" });
    const given = withKeptApp({ ...variables, GITHUB_CLIENT_ID: "Iv1.given" }, "/").variables;
    expect(given["GITHUB_CLIENT_SECRET"]).toBeUndefined();
  });

  it("bring no other variable in", () => {
    const { file, variables } = kept();
    writeFileSync(file, `${readFileSync(file, "utf8")}NODE_OPTIONS=--require=/evil.js\nDATABASE_URL=postgres://x/y\n`);
    expect(Object.keys(withKeptApp(variables, "/").variables).toSorted()).toEqual([
      "APP_ID",
      "GHE_HOST",
      "PRIVATE_KEY",
      "SALLYPORT_DATA_DIR",
      "WEBHOOK_SECRET",
    ]);
  });

  it("are told of when others can read them", () => {
    const { file, variables } = kept();
    expect(withKeptApp(variables, "/").warning).toBeUndefined();
    chmodSync(file, 0o640);
    expect(withKeptApp(variables, "/").warning).toMatch(/can be read by others/);
  });

  test.each([
    ["a line end", "a\nAPP_ID=7"],
    ["a comment", "a #b"],
    ["quotation marks", '"a"'],
  ])("are refused rather than kept wrong: a secret with %s", (_, WEBHOOK_SECRET) => {
    const folder = mkdtempSync(join(room, "data-"));
    const file = join(folder, "app.env");
    const keep = (): void => keepApp(file, { ...APP, WEBHOOK_SECRET });
    let outcome: unknown;
    try {
      keep();
      outcome = withKeptApp({ SALLYPORT_DATA_DIR: folder }, "/").variables;
    } catch (error) {
      outcome = String(error);
    }
    expect(outcome).toMatch(/^Error: \w+ of the new App has characters/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("stop the start when they are there and cannot be read", () => {
    const folder = mkdtempSync(join(room, "data-"));
    symlinkSync(folder, join(folder, "app.env"));
    expect(() => withKeptApp({ SALLYPORT_DATA_DIR: folder }, "/")).toThrow(/app\.env cannot be read: EISDIR/);
  });
});
