import { randomBytes } from "node:crypto";
import { notFound } from "./api-error.ts";
import { isFields, type Fields } from "./fields.ts";
import { appPayload } from "./payloads/app.ts";
import type { RecordedRequest } from "./record.ts";
import { created, openRoute, type Answer } from "./route.ts";
import type { World } from "./state.ts";

/**
 * GitHub's page for new Apps, for somebody who is signed in and confirms at once: it sends them back with a code and their state. The App is the
 * one that this GitHub has. Undefined for every other page.
 */
export function answerManifest(world: World, { method, path, query, body }: RecordedRequest): Answer | undefined {
  const isPage = /^(?:\/organizations\/[\w-]+)?\/settings\/apps\/new$/.test(path);
  if (method !== "POST" || !isPage || typeof body !== "string") return undefined;
  const manifest = readManifest(new URLSearchParams(body).get("manifest") ?? "");
  const target = manifest?.["redirect_url"];
  if (manifest === undefined || typeof target !== "string" || !URL.canParse(target)) {
    return { status: 422, body: "Invalid GitHub App configuration" };
  }
  const code = randomBytes(20).toString("hex");
  world.askedApps.set(code, { manifest });
  const location = new URL(target);
  location.searchParams.set("code", code);
  if (query["state"] !== undefined) location.searchParams.set("state", query["state"]);
  return { status: 302, headers: { location: location.href } };
}

/** A code is good once; nobody needs to say who they are. */
export const MANIFEST_ROUTES = [
  openRoute("POST /app-manifests/{code}/conversions", ({ world, params }) => {
    const asked = world.askedApps.get(params["code"] ?? "");
    if (asked === undefined) throw notFound();
    world.askedApps.delete(params["code"] ?? "");
    const { privateKey, webhookSecret } = world.app;
    const app = appPayload(world);
    const callbacks = asked.manifest["callback_urls"];
    const [callback] = Array.isArray(callbacks) ? callbacks.filter((url) => typeof url === "string") : [];
    world.client = { id: app.client_id, secret: randomBytes(20).toString("hex"), callback };
    return created({
      ...app,
      name: asked.manifest["name"],
      client_secret: world.client.secret,
      webhook_secret: webhookSecret,
      pem: privateKey,
    });
  }),
];

/** What GitHub needs at least of a manifest. Source: https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest */
function readManifest(text: string): Fields | undefined {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isFields(manifest) || typeof manifest["name"] !== "string" || typeof manifest["url"] !== "string") return undefined;
  const hook = manifest["hook_attributes"];
  return hook === undefined || (isFields(hook) && typeof hook["url"] === "string") ? manifest : undefined;
}
