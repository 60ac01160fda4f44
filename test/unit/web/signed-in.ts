import type { Page, Site } from "./site.ts";

/** What makes the form on a page good. */
export const keyOf = ({ text }: Page): string => /name="key" value="([^"]+)"/.exec(text)?.[1] ?? "";

/** `name=value` of a cookie that a page sets; empty where it sets none of that name. */
export const cookieOf = ({ headers }: Page, name: string): string =>
  (headers["set-cookie"] ?? []).map((line) => line.split(";")[0] ?? "").find((pair) => pair.startsWith(`${name}=`)) ?? "";

/** Goes to a GitHub that takes the code `good`, and comes back. */
export async function signIn(site: Site, to = ""): Promise<{ readonly cookie: string; readonly back: Page }> {
  const begun = await site.get(`/sallyport/sign-in?to=${encodeURIComponent(to)}`);
  const state = new URL(begun.headers.location ?? "").searchParams.get("state") ?? "";
  const cookie = cookieOf(begun, "__Host-sallyport-sign-in");
  const back = await site.get(`/sallyport/sign-in/callback?code=good&state=${state}`, { headers: { cookie } });
  return { cookie: cookieOf(back, "__Host-sallyport"), back };
}

/** Sends a form as a page of this very site would. */
export function post(site: Site, path: string, form: Readonly<Record<string, string>>, headers: Record<string, string>): Promise<Page> {
  return site.get(path, {
    method: "POST",
    headers: { host: "bot.example", origin: "https://bot.example", "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(form).toString(),
  });
}
