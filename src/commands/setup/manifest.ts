import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Manifest } from "../../web/setup/setup-pages.ts";
import type { Wish } from "../../web/setup/wish.ts";

/** Permissions and events have one source. */
const DECLARED = new URL("../../../app.yml", import.meta.url);
/** A hook has an address, also while it is switched off; nobody can ever own this one (RFC 2606). */
const NOWHERE = "https://sallyport.invalid/";

/** Where people come back to who have told GitHub who they are. */
const CALLBACK_PATH = "/sallyport/sign-in/callback";

/**
 * What GitHub is sent: `app.yml`, with a name, the webhook, and where it sends people back to: whoever creates the App, and whoever signs in
 * to the pages at `pages`, an origin.
 */
export function manifestOf({ name, hook }: Pick<Wish, "name" | "hook">, redirectUrl: string, pages: string): Manifest {
  const declared = parse(readFileSync(DECLARED, "utf8")) as Omit<Manifest, "callback_urls">;
  const hook_attributes = hook.kind === "none" ? { url: NOWHERE, active: false } : { url: hook.url, active: true };
  const sent = { ...declared, name, redirect_url: redirectUrl, callback_urls: [pages + CALLBACK_PATH], hook_attributes };
  return sent;
}
