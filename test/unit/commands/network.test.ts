import http, { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { networkVariables, useProxies } from "../../../src/commands/network.ts";
import { createServerModel } from "../../../src/model/server-model.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

/** A proxy that remembers where it was asked to connect, and connects nowhere. */
async function proxy(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer();
  server.on("connect", ({ url }, socket) => {
    asked.push(url ?? "");
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  undo.push(() => new Promise((done) => server.close(done)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function askModel(baseUrl: string): Promise<unknown> {
  const model = createServerModel({ baseUrl, model: "m", retry: { attempts: 1 } });
  return model.complete({ messages: [], tools: [], signal: new AbortController().signal }).catch((error: unknown) => error);
}

describe("a proxy of the environment", () => {
  it.each([
    ["HTTPS_PROXY", "https://models.invalid/v1", "models.invalid:443"],
    ["https_proxy", "https://models.invalid/v1", "models.invalid:443"],
    ["HTTP_PROXY", "http://models.invalid/v1", "models.invalid:80"],
  ])("is what a model is asked through: %s", async (name, baseUrl, target) => {
    const { url, asked } = await proxy();
    undo.push(useProxies({ [name]: url }));
    expect(await askModel(baseUrl)).toMatchObject({ code: "model-unreachable" });
    expect(asked).toEqual([target]);
  });

  it("is passed by for what NO_PROXY names, and for this machine always", async () => {
    const { url, asked } = await proxy();
    undo.push(useProxies({ HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: ".inside.invalid" }));
    for (const host of ["a.inside.invalid", "127.0.0.1:9", "localhost:9", "[::1]:9"]) await askModel(`http://${host}/v1`);
    expect(asked).toEqual([]);
  });

  it("stops the start when it is none", () => {
    expect(() => useProxies({ HTTPS_PROXY: "nonsense" })).toThrow(/HTTPS_PROXY/);
  });

  it("is told to git as well, with the certificates", () => {
    expect(networkVariables({ HTTPS_PROXY: "http://p:1", NODE_EXTRA_CA_CERTS: "/ca.pem", PATH: "/bin", NO_PROXY: "" })).toEqual({
      https_proxy: "http://p:1",
      GIT_SSL_CAINFO: "/ca.pem",
    });
  });
});

it("is refused by a Node.js that cannot go through one, and only where one is set", () => {
  const { setGlobalProxyFromEnv } = http;
  undo.push(() => Object.assign(http, { setGlobalProxyFromEnv }));
  Object.assign(http, { setGlobalProxyFromEnv: undefined });
  expect(() => useProxies({ HTTPS_PROXY: "http://127.0.0.1:9" })).toThrow(/Node\.js v[\d.]+ cannot go through HTTPS_PROXY/);
  expect(() => useProxies({})).not.toThrow();
});
