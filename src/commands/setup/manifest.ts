import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Manifest } from "../../web/setup/setup-pages.ts";
import type { Wish } from "../../web/setup/wish.ts";

/** Permissions and events have one source. */
const DECLARED = new URL("../../../app.yml", import.meta.url);
/** A hook has an address, also while it is switched off; nobody can ever own this one (RFC 2606). */
const NOWHERE = "https://sallyport.invalid/";

/** What GitHub is sent: `app.yml`, with a name, the webhook, and where it sends people back to. */
export function manifestOf({ name, hook }: Pick<Wish, "name" | "hook">, redirectUrl: string): Manifest {
  const declared = parse(readFileSync(DECLARED, "utf8")) as Manifest;
  const hook_attributes = hook.kind === "none" ? { url: NOWHERE, active: false } : { url: hook.url, active: true };
  const sent = { ...declared, name, redirect_url: redirectUrl, hook_attributes };
  return sent;
}
