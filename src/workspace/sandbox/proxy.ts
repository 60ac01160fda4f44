import { randomUUID } from "node:crypto";
import { lookup } from "node:dns/promises";
import { chmod, mkdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { hostList } from "./proxy-hosts.ts";
import { isPublicAddress } from "./public-address.ts";

export interface ProxyOptions {
  /** Names that may be reached: `registry.npmjs.org`, or `*.example.com` for all below a name. */
  readonly hosts: readonly string[];
  /** Absolute folder, short enough for a socket's path, in which the socket's own is made. */
  readonly folder: string;
  readonly limits?: Partial<ProxyLimits>;
  /** All addresses of a name; the machine's own resolver when not said. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /** Connects to exactly this address. */
  readonly dial?: (address: string, port: number) => Socket;
}

export interface ProxyLimits {
  /** In both directions, of all connections. */
  readonly bytes: number;
  readonly connections: number;
  /** Milliseconds from the opening of the proxy until everything is cut. */
  readonly milliseconds: number;
}

/** One request to be let out. */
export interface Visit {
  readonly host: string;
  readonly port: number;
  /** Why it was refused; absent when it was let through. */
  readonly refused?: string;
}

/** An HTTP proxy behind one unix socket, which takes CONNECT alone. */
export interface InstallProxy extends AsyncDisposable {
  /** Absolute path. */
  readonly socket: string;
  /** Every host that was asked for, in order, at most a thousand. */
  readonly visits: readonly Visit[];
}

const MIB = 1024 * 1024;
const LIMITS: ProxyLimits = { bytes: 4096 * MIB, connections: 64, milliseconds: 15 * 60_000 };
const PORTS = [443, 80];
const MOST_VISITS = 1000;
const DIAL_WITHIN_MS = 20_000;

/**
 * Opens the only way out of a sandbox: tunnels to listed names on ports 80 and 443. Names are resolved here; when any of a name's addresses
 * is not public none is used, and the connection goes to the address that was looked at, so that no second answer can lead elsewhere.
 */
export async function openProxy({ hosts, folder, limits, resolve = allAddresses, dial }: ProxyOptions): Promise<InstallProxy> {
  const bounds = { ...LIMITS, ...limits };
  const allows = hostList(hosts);
  const visits: Visit[] = [];
  const open = new Set<Duplex>();
  let left = bounds.bytes;
  let isCut = false;

  async function whereTo(target: string): Promise<{ readonly address: string; readonly port: number } | { readonly refused: string }> {
    const [, host = "", digits = ""] = /^([a-z0-9.-]{1,253}):(\d{1,5})$/i.exec(target) ?? [];
    const visit = { host: host === "" ? target.slice(0, 100) : host.toLowerCase().replace(/\.$/, ""), port: Number(digits) };
    const answer = await judge(visit);
    if (visits.length < MOST_VISITS) visits.push("refused" in answer ? { ...visit, refused: answer.refused } : visit);
    return answer;
  }

  async function judge({ host, port }: Visit): Promise<{ readonly address: string; readonly port: number } | { readonly refused: string }> {
    if (!allows(host)) return { refused: "the host is not on the operator's list" };
    if (!PORTS.includes(port)) return { refused: "only ports 443 and 80 are open" };
    const addresses = await resolve(host).catch(() => []);
    const [address] = addresses;
    if (address === undefined) return { refused: "the name cannot be resolved" };
    if (!addresses.every(isPublicAddress)) return { refused: "the name leads to an address that is not public" };
    return { address, port };
  }

  const counting = (): Transform =>
    new Transform({
      transform(chunk: Buffer, _, done) {
        left -= chunk.length;
        if (left < 0) cut();
        done(left < 0 ? new Error("the limit of bytes is reached") : null, chunk);
      },
    });
  const cut = (): void => {
    isCut = true;
    for (const stream of open) stream.destroy();
  };

  /** Every connection that the server itself has let go of: one that is forgotten would keep it from closing. */
  const keep = (stream: Duplex): void => {
    open.add(stream);
    stream.once("close", () => open.delete(stream));
  };

  async function tunnel({ url = "" }: IncomingMessage, inner: Duplex, head: Buffer): Promise<void> {
    const isTooMuch = isCut || open.size >= bounds.connections * 2;
    keep(inner);
    const to = isTooMuch ? { refused: "too much was asked for" } : await whereTo(url);
    if ("refused" in to) {
      // Whatever else is sent is read away, or the connection would never be seen to end.
      inner.resume();
      inner.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${to.refused}\n`);
      return;
    }
    const outer = await dialled((dial ?? connectTo)(to.address, to.port));
    keep(outer);
    // Cut while it was dialled.
    if (isCut || inner.destroyed) {
      outer.destroy();
      inner.destroy();
      return;
    }
    inner.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) inner.unshift(head);
    await Promise.allSettled([pipeline(inner, counting(), outer), pipeline(outer, counting(), inner)]);
    inner.destroy();
    outer.destroy();
  }

  const server = createServer((_, response) => {
    response.writeHead(405, { allow: "CONNECT", connection: "close" }).end("This proxy takes CONNECT alone: use https.\n");
  });
  server.maxConnections = bounds.connections;
  server.on("connect", (request, inner, head) => {
    inner.on("error", () => inner.destroy());
    tunnel(request, inner, head).catch(() => inner.destroy());
  });
  const own = join(folder, `proxy-${randomUUID().slice(0, 8)}`);
  await mkdir(own, { mode: 0o700 });
  const socket = join(own, "s");
  await new Promise<void>((ready, failed) => server.once("error", failed).listen(socket, ready));
  // The command's user is another one; the folder keeps everybody else away.
  await chmod(socket, 0o666);
  const timer = setTimeout(cut, bounds.milliseconds).unref();
  return {
    socket,
    visits,
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      cut();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(own, { recursive: true, force: true });
    },
  };
}

async function allAddresses(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

const connectTo = (address: string, port: number): Socket => connect({ host: address, port });

function dialled(outer: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      outer.destroy();
      reject(new Error("the host does not answer"));
    };
    outer.setTimeout(DIAL_WITHIN_MS, fail).once("error", fail);
    outer.once("connect", () => {
      outer
        .setTimeout(0)
        .off("error", fail)
        .on("error", () => outer.destroy());
      resolve(outer);
    });
  });
}
