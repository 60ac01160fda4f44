import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { setup } from "../../../../src/commands/setup.ts";
import { readEnvironment } from "../../../../src/config/environment.ts";
import { createSignIn } from "../../../../src/github/sign-in.ts";
import { ask, openSetup } from "./opened.ts";

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' ORIGIN; frame-ancestors 'none'";

describe("an App that is set up on the page", () => {
  it("is created by the manifest, kept for its owner alone, and served with; the secrets are shown nowhere", async () => {
    await using opened = await openSetup();
    const { github, page, terminal, served, kept } = opened;
    const form = await ask(page);
    const back = await opened.create({ address: "https://bot.example.com" });
    const created = await ask(back);
    expect(created).toMatchObject({ status: 303, headers: { location: new URL(page).pathname } });
    const { variables, options } = await served;
    expect(readEnvironment(variables)).toMatchObject({
      appId: github.appId,
      privateKey: github.privateKey,
      webhookSecrets: [github.webhookSecret],
      github: { webUrl: github.origin },
    });
    expect((await stat(join(opened.folder, "data", "app.env"))).mode & 0o777).toBe(0o600);
    expect(await readdir(join(opened.folder, "data"))).toEqual(["app.env"]);

    const waiting = await ask(page);
    expect(waiting.headers["refresh"]).toBe("3");
    expect(waiting.text).toMatch(/Waiting for the first delivery/);
    expect(waiting.text).toContain(`href="${github.origin}/apps/${github.slug}/installations/new"`);
    expect(waiting.text).toContain('href="http://127.0.0.1:3999/sallyport"');
    options.arrivals?.note("installation");
    const arrived = await ask(page);
    expect(arrived.text).toMatch(/First delivery: installation, at\s+<time/);
    expect(arrived.headers["refresh"]).toBeUndefined();

    const everything = [form, created, waiting, arrived].map(({ text }) => text).join("") + terminal();
    const body = github.privateKey.split("\n")[3] ?? "";
    for (const secret of [github.webhookSecret, body, "BEGIN RSA"]) expect(everything).not.toContain(secret);
    expect(await kept()).toContain(body);
  });

  it("asks GitHub for what app.yml says, and for nothing else", async () => {
    await using opened = await openSetup();
    const back = await opened.create({ address: "https://bot.example.com", organisation: "acme" });
    const sent = opened.github.requests.find(({ path }) => path === "/organizations/acme/settings/apps/new");
    const manifest = JSON.parse(new URLSearchParams(String(sent?.body)).get("manifest") ?? "") as object;
    expect(manifest).toEqual({
      ...(parse(readFileSync(new URL("../../../../app.yml", import.meta.url), "utf8")) as object),
      name: "Acme bot",
      redirect_url: `${opened.page}/created`,
      callback_urls: ["https://bot.example.com/sallyport/sign-in/callback"],
      hook_attributes: { url: "https://bot.example.com/api/github/webhooks", active: true },
    });
    expect(back.href.startsWith(`${opened.page}/created?code=`)).toBe(true);
  });

  it("has its code exchanged without a token, by a request that nothing else may send", async () => {
    await using opened = await openSetup();
    await ask(await opened.create());
    const exchanges = opened.github.requests.filter(({ path }) => path.startsWith("/app-manifests/"));
    expect(exchanges).toMatchObject([{ method: "POST", auth: "none", status: 201 }]);
  });

  test.each([
    [{ proxy: "https://smee.io/abc" }, { url: "https://smee.io/abc", active: true }, "https://smee.io/abc"],
    [{}, { url: "https://sallyport.invalid/", active: false }, undefined],
    [{ address: "https://bot.example.com/hooks/" }, { url: "https://bot.example.com/hooks/", active: true }, undefined],
  ])("with %j sends its webhooks to %j", async (fields, hook, proxy) => {
    await using opened = await openSetup();
    await ask(await opened.create(fields));
    const sent = opened.github.requests.find(({ path }) => path === "/settings/apps/new");
    expect(JSON.parse(new URLSearchParams(String(sent?.body)).get("manifest") ?? "")).toMatchObject({ hook_attributes: hook });
    expect(readEnvironment((await opened.served).variables).webhookProxyUrl).toBe(proxy);
  });

  test.each([
    {
      fields: { address: "https://bot.example.com" },
      listening: {},
      pages: "https://bot.example.com",
      publicUrl: "https://bot.example.com",
    },
    { fields: { proxy: "https://smee.io/abc" }, listening: { HOST: "127.0.0.1" }, pages: "http://127.0.0.1:3000", publicUrl: undefined },
    { fields: {}, listening: { HOST: "0.0.0.0", PORT: "4100" }, pages: "http://127.0.0.1:4100", publicUrl: undefined },
    { fields: {}, listening: { HOST: "::1" }, pages: "http://[::1]:3000", publicUrl: undefined },
    // Behind another path there may be a proxy that passes on webhooks and nothing else.
    {
      fields: { address: "https://example.com/hooks" },
      listening: { HOST: "127.0.0.1" },
      pages: "http://127.0.0.1:3000",
      publicUrl: undefined,
    },
  ])("sends people who sign in back to $pages with $fields and $listening", async ({ fields, listening, pages, publicUrl }) => {
    await using opened = await openSetup(listening);
    await ask(await opened.create(fields));
    const environment = readEnvironment((await opened.served).variables);
    expect(environment.publicUrl).toBe(publicUrl);
    const { github } = opened;
    github.browseAs({ login: "maria" });
    const { signIn } = environment;
    if (signIn === undefined) throw new Error("nobody can sign in");
    // Without a word at the App's settings page, GitHub sends people back, and takes the kept client for the App's.
    const door = createSignIn({ ...signIn, ...environment.github });
    const verifier = "verifier".repeat(6);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const sent = await ask(door.address({ state: "theirs", challenge }));
    const back = new URL(String(sent.headers["location"]));
    expect(back.origin + back.pathname).toBe(`${pages}/sallyport/sign-in/callback`);
    expect(await door.identify(back.searchParams.get("code") ?? "", verifier)).toMatchObject({ login: "maria" });
    const shown = (await ask(opened.page)).text + opened.terminal();
    expect(shown).not.toContain(signIn.clientSecret);
  });

  it("is kept, and served with, where GitHub names no client: then nobody signs in", async () => {
    await using opened = await openSetup();
    const { github } = opened;
    const { appId, slug, privateKey, webhookSecret } = github;
    const body = { id: appId, slug, name: slug, html_url: `${github.origin}/apps/${slug}`, pem: privateKey, webhook_secret: webhookSecret };
    github.fault({ match: ({ path }) => path.startsWith("/app-manifests/"), times: 1, respond: { status: 201, body } });
    expect((await ask(await opened.create())).status).toBe(303);
    expect(readEnvironment((await opened.served).variables)).not.toHaveProperty("signIn");
  });

  it("sets another one aside, and says so before", async () => {
    await using opened = await openSetup();
    await writeFile(join(opened.folder, "data", "app.env"), "APP_ID=17\n");
    await ask(await opened.create());
    expect(await opened.kept("app-17.env")).toBe("APP_ID=17\n");
    expect(await opened.kept()).toContain(`APP_ID=${opened.github.appId}\n`);
  });
});

describe("what comes back from GitHub", () => {
  test.each([
    ["with the state of nobody", (back: URL) => back.searchParams.set("state", "x".repeat(32))],
    ["without a state", (back: URL) => back.searchParams.delete("state")],
  ])("%s is refused, and no code is exchanged", async (_, change) => {
    await using opened = await openSetup();
    const back = await opened.create();
    change(back);
    expect(await ask(back)).toMatchObject({ status: 403, text: expect.stringMatching(/does not belong to a form of this page/) });
    expect(opened.github.requests.filter(({ path }) => path.startsWith("/app-manifests/"))).toEqual([]);
  });

  it("counts once: a second time it shows how far the setup has come", async () => {
    await using opened = await openSetup();
    const back = await opened.create();
    const both = await Promise.all([ask(back), ask(back)]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect((await ask(back)).status).toBe(303);
    expect(opened.github.requests.filter(({ path }) => path.startsWith("/app-manifests/"))).toHaveLength(1);
  });

  it("with a code that was used already is told so, and the form can be begun anew", async () => {
    await using opened = await openSetup();
    const back = await opened.create();
    const code = back.searchParams.get("code") ?? "";
    await fetch(`${opened.github.apiUrl}/app-manifests/${code}/conversions`, { method: "POST" });
    expect(await ask(back)).toMatchObject({ status: 502, text: expect.stringMatching(/did not take the code .*\(status 404\)/) });
    expect(await ask(back)).toMatchObject({ status: 403 });
    expect((await ask(await opened.create())).status).toBe(303);
  });

  it("can be loaded again when GitHub did not answer", async () => {
    await using opened = await openSetup();
    const back = await opened.create();
    opened.github.fault({ match: ({ path }) => path.startsWith("/app-manifests/"), times: 1, respond: { status: 502 } });
    expect(await ask(back)).toMatchObject({ status: 502, text: expect.stringMatching(/Load this page again/) });
    expect((await ask(back)).status).toBe(303);
  });
});

describe("the page", () => {
  it("is for this machine's own names, for who knows its key, and lets nothing of others in", async () => {
    await using opened = await openSetup();
    const { page, origin } = opened;
    expect(await ask(page, { headers: { host: "evil.example" } })).toMatchObject({ status: 403 });
    expect(await ask(page, { headers: { "x-forwarded-for": "1.2.3.4" } })).toMatchObject({ status: 403 });
    for (const path of ["/", "/setup", "/setup-", `${new URL(page).pathname}x`, "/sallyport", "/favicon.ico"]) {
      expect(await ask(origin + path), path).toMatchObject({ status: 404 });
    }
    expect(await ask(`${page}/app`)).toMatchObject({ status: 405, headers: { allow: "POST" } });
    expect(await ask(`${page}/app`, { method: "POST", form: { name: "x" }, headers: { "sec-fetch-site": "cross-site" } })).toMatchObject({
      status: 403,
    });
    expect(await ask(`${page}/app`, { method: "POST", form: { name: "x".repeat(9000) } })).toMatchObject({ status: 413 });
    const { headers, text } = await ask(page);
    expect(headers).toMatchObject({
      "content-security-policy": POLICY.replace("ORIGIN", opened.github.origin),
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(text).not.toMatch(/<script|\son\w+=|style=/i);
    for (const [, id = ""] of text.matchAll(/<input id="(\w+)"/g)) expect(text).toContain(`<label for="${id}">`);
    expect(await ask(`${origin}/sallyport/style.css`)).toMatchObject({ status: 200 });
  });

  test.each([
    [{ name: "" }, /Up to 34 letters/],
    [{ name: "<b>x</b>" }, /Up to 34 letters[^]*value="&lt;b&gt;x&lt;\/b&gt;"/],
    [{ organisation: "a/b" }, /no name of an organisation/],
    [{ address: "bot.example.com" }, /starts with https/],
    [{ address: "javascript:alert(1)" }, /starts with https/],
    [{ proxy: "smee" }, /address of a channel/],
    [{ address: "https://a.example", proxy: "https://smee.io/x" }, /Either a public address or a proxy/],
  ])("says at the field what is wrong with %j, and keeps what was entered", async (fields, said) => {
    await using opened = await openSetup();
    const { status, text } = await ask(`${opened.page}/app`, { method: "POST", form: { name: "Acme bot", ...fields } });
    expect(status).toBe(422);
    expect(text).toMatch(said);
    expect(text).toMatch(/aria-describedby="\w+-help \w+-fault"\s+aria-invalid="true"/);
  });

  it("tells when the server does not start with the new App", async () => {
    await using opened = await openSetup();
    await ask(await opened.create());
    opened.end(new Error("PORT 3000 is already in use."));
    await expect.poll(async () => (await ask(opened.page)).text).toContain("PORT 3000 is already in use.");
    await expect(opened.ended).rejects.toThrow("PORT 3000");
  });
});

describe("sallyport setup stops before it asks for anything", () => {
  const world = (variables: Readonly<Record<string, string>>, cwd = "/nowhere") => ({ variables, cwd, complain: () => {} });

  test.each([
    ["a variable that names an App", { APP_ID: "1" }, "APP_ID is set, and would win"],
    ["a variable that names its client", { GITHUB_CLIENT_ID: "Iv1.x" }, "GITHUB_CLIENT_ID is set, and would win"],
    ["a variable that a start would stop at", { PORT: "x" }, "PORT is "],
    ["a GitHub that is none", { GHE_HOST: "https://x/" }, "GHE_HOST is no host"],
    ["a folder that cannot be written", { SALLYPORT_DATA_DIR: "/dev/null/none" }, "SALLYPORT_DATA_DIR /dev/null/none cannot be written"],
  ])("at %s", async (_, variables, said) => {
    await expect(setup({ port: 0 }, world(variables))).rejects.toThrow(said);
  });

  it("at a port that is taken", async () => {
    await using opened = await openSetup();
    const port = Number(new URL(opened.page).port);
    const folder = join(opened.folder, "other");
    await mkdir(dirname(folder), { recursive: true });
    await expect(setup({ port }, world({ SALLYPORT_DATA_DIR: folder }))).rejects.toThrow(`--port ${port} cannot be used`);
  });
});
