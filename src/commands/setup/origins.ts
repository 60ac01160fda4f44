import { lookup } from "node:dns/promises";
import type { Wish } from "../../web/setup/wish.ts";

/** All addresses of a machine: a browser on it takes the first. */
const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** Where a browser on this machine finds the server that will listen so, written as the server itself will write it: a cookie holds for one host. */
export async function localOrigin({ host, port }: { readonly host: string; readonly port: number }): Promise<string> {
  const { address, family } = await lookup(host).catch(() => ({ address: "127.0.0.1", family: 4 }));
  const name = EVERYWHERE.has(address) ? "127.0.0.1" : family === 6 ? `[${address}]` : address;
  return `http://${name}:${port}`;
}

/**
 * Where people find this server, as far as the wish says: only where its webhooks arrive at the server's own path, for elsewhere a proxy that
 * passes on nothing but them may stand.
 */
export function publicOrigin({ hook }: Pick<Wish, "hook">, webhookPath: string): string | undefined {
  if (hook.kind !== "public") return undefined;
  const { origin, pathname } = new URL(hook.url);
  return pathname === webhookPath ? origin : undefined;
}
