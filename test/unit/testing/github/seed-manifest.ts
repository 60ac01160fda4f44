import type { EmbeddedGitHub } from "../../../../src/testing/index.ts";

/** Creates an App on GitHub's page; answers the code that its credentials are handed out for. */
export async function seedManifest({ origin }: EmbeddedGitHub): Promise<string> {
  const manifest = { name: "Acme bot", url: "https://bot.example.com", redirect_url: "http://127.0.0.1:1/created" };
  const form = new URLSearchParams({ manifest: JSON.stringify(manifest) });
  const { headers } = await fetch(`${origin}/settings/apps/new?state=s`, { method: "POST", body: form, redirect: "manual" });
  return new URL(headers.get("location") ?? "").searchParams.get("code") ?? "";
}
