import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openProxy, type InstallProxy, type ProxyOptions } from "../../../../src/workspace/sandbox/proxy.ts";
import { hostList } from "../../../../src/workspace/sandbox/proxy-hosts.ts";
import { isPublicAddress } from "../../../../src/workspace/sandbox/public-address.ts";

const folder = mkdtempSync(join(tmpdir(), "px-"));
let far: Server;
beforeAll(async () => {
  far = createServer((socket) => socket.on("error", () => undefined).pipe(socket));
  await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  far.close();
  rmSync(folder, { recursive: true, force: true });
});

const PUBLIC = "93.184.216.34";
/** A proxy whose every connection ends at a local echo, and that tells where it would have gone. */
async function proxyWith(more: Partial<ProxyOptions> = {}): Promise<{ proxy: InstallProxy; dialled: string[] }> {
  const dialled: string[] = [];
  const proxy = await openProxy({
    hosts: ["registry.example.org", "*.cdn.example.org"],
    folder,
    resolve: () => Promise.resolve([PUBLIC]),
    dial: (address, port): Socket => {
      dialled.push(`${address}:${port}`);
      return connect((far.address() as AddressInfo).port, "127.0.0.1");
    },
    ...more,
  });
  return { proxy, dialled };
}

/** Speaks to the proxy until it closes, or has answered `enough` characters. */
function say(socket: string, text: string, enough = Number.POSITIVE_INFINITY): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const client = connect(socket, () => client.write(text));
    client.setEncoding("latin1").on("data", (chunk: string) => {
      answer += chunk;
      if (answer.length >= enough) client.destroy();
    });
    client.on("error", () => undefined).on("close", () => resolve(answer));
  });
}
const CONNECTED = "HTTP/1.1 200 Connection Established\r\n\r\n";
const tunnel = (proxy: InstallProxy, target: string): Promise<string> =>
  say(proxy.socket, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\nping`, CONNECTED.length + 4);

describe("the proxy of an installation", () => {
  test("tunnels to a listed host, by the address that it looked at", async () => {
    const { proxy, dialled } = await proxyWith();
    await using _ = proxy;
    expect(await tunnel(proxy, "registry.example.org:443")).toBe(`${CONNECTED}ping`);
    expect(await tunnel(proxy, "A.cdn.EXAMPLE.org:80")).toBe(`${CONNECTED}ping`);
    expect(dialled).toEqual([`${PUBLIC}:443`, `${PUBLIC}:80`]);
    expect(proxy.visits).toEqual([
      { host: "registry.example.org", port: 443 },
      { host: "a.cdn.example.org", port: 80 },
    ]);
  });

  test.each([
    ["another host", "evil.example.org:443", /not on the operator's list/],
    ["a listed name's ending alone", "registry.example.org.evil.net:443", /list/],
    ["a listed name behind another", "xregistry.example.org:443", /list/],
    ["the bare name of a pattern", "cdn.example.org:443", /list/],
    ["a name with credentials", "registry.example.org@evil.net:443", /list/],
    ["an address", "93.184.216.34:443", /list/],
    ["an address in brackets", "[::1]:443", /list/],
    ["an address as one number", "2130706433:443", /list/],
    ["localhost", "localhost:443", /list/],
    ["another port", "registry.example.org:22", /ports/],
    ["a port beyond", "registry.example.org:99999", /ports/],
    ["no port", "registry.example.org", /ports/],
  ])("refuses %s, and connects nowhere", async (_, target, why) => {
    const { proxy, dialled } = await proxyWith();
    await using _proxy = proxy;
    expect(await tunnel(proxy, target)).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(dialled).toEqual([]);
    for (const { refused } of proxy.visits) expect(refused).toMatch(why);
  });

  test.each([
    ["a private address", ["10.0.0.5"]],
    ["this machine", ["127.0.0.1"]],
    ["a cloud's credentials", ["169.254.169.254"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
    ["a public and a private address", [PUBLIC, "192.168.1.1"]],
    ["nothing", []],
  ])("refuses a listed name that leads to %s", async (_, addresses) => {
    const { proxy, dialled } = await proxyWith({ resolve: () => Promise.resolve(addresses) });
    await using _proxy = proxy;
    expect(await tunnel(proxy, "registry.example.org:443")).toMatch(/^HTTP\/1\.1 403 /);
    expect(dialled).toEqual([]);
  });

  test("asks for a name once a connection, so that no second answer counts", async () => {
    const answers = [[PUBLIC], ["127.0.0.1"]];
    const { proxy, dialled } = await proxyWith({ resolve: () => Promise.resolve(answers.shift() ?? []) });
    await using _ = proxy;
    await tunnel(proxy, "registry.example.org:443");
    expect(dialled).toEqual([`${PUBLIC}:443`]);
    expect(await tunnel(proxy, "registry.example.org:443")).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("takes no request but CONNECT", async () => {
    const { proxy, dialled } = await proxyWith();
    await using _ = proxy;
    expect(await say(proxy.socket, "GET http://registry.example.org/ HTTP/1.1\r\nHost: registry.example.org\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 405 /,
    );
    expect(dialled).toEqual([]);
  });

  test("cuts everything at its limit of bytes, and lets nothing out afterwards", async () => {
    const { proxy } = await proxyWith({ limits: { bytes: 1000 } });
    await using _ = proxy;
    const answer = await say(proxy.socket, `CONNECT registry.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n${"x".repeat(5000)}`);
    expect(answer.length).toBeLessThan(1000 + CONNECTED.length);
    expect(await tunnel(proxy, "registry.example.org:443")).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("cuts everything at its limit of time", async () => {
    const { proxy } = await proxyWith({ limits: { milliseconds: 150 } });
    await using _ = proxy;
    expect(await say(proxy.socket, "CONNECT registry.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n")).toBe(CONNECTED);
  });

  test("ends though a caller that was refused sends on and keeps its side open", async () => {
    const { proxy } = await proxyWith();
    const client = connect({ path: proxy.socket, allowHalfOpen: true }).on("error", () => undefined);
    client.write("CONNECT evil.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n");
    await new Promise((resolve) => client.once("data", resolve));
    client.write("more");
    await proxy[Symbol.asyncDispose]();
    expect(existsSync(proxy.socket)).toBe(false);
    client.destroy();
  });

  test("leaves no socket behind, and no connection", async () => {
    const { proxy } = await proxyWith();
    const open = say(proxy.socket, "CONNECT registry.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => proxy.visits.length).toBe(1);
    await proxy[Symbol.asyncDispose]();
    expect(existsSync(proxy.socket)).toBe(false);
    await open;
  });
});

describe("a public address", () => {
  test.each(["93.184.216.34", "1.1.1.1", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::200e"])("is %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.168.0.1",
    "198.18.0.1",
    "203.0.113.9",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:93.184.216.34",
    "0:0:0:0:0:ffff:7f00:1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:1::1",
    "2001:db8::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "2606:4700::1111%lo",
    "",
    "localhost",
    "127.1",
    "0x7f000001",
  ])("is not %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test("is never within a private network, whichever address of it", () => {
    fc.assert(
      fc.property(fc.constantFrom("10", "127", "0"), fc.nat(255), fc.nat(255), fc.nat(255), (first, ...rest) => {
        const address = [first, ...rest].join(".");
        expect([address, `::ffff:${address}`].some(isPublicAddress)).toBe(false);
      }),
    );
  });
});

test("a list of hosts takes names and names below, and nothing that is or could be an address", () => {
  const allows = hostList(["Registry.example.org", "*.cdn.example.org", "10.0.0.1", "*", "*.org.", "localhost", "0x7f.1"]);
  expect(["registry.example.org", "a.cdn.example.org", "a.b.cdn.example.org"].every(allows)).toBe(true);
  for (const host of ["10.0.0.1", "example.org", "cdn.example.org", "localhost", "0x7f.1", "*.cdn.example.org", "", "evil.org"]) {
    expect.soft(allows(host), host).toBe(false);
  }
});
