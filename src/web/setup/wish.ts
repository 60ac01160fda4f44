/** What somebody wants of the App that is to be created. */
export interface Wish {
  readonly name: string;
  /** The account that it belongs to, where it is not one's own. */
  readonly organisation?: string;
  readonly hook:
    | { readonly kind: "public"; readonly url: string }
    | { readonly kind: "proxy"; readonly url: string }
    | { readonly kind: "none" };
}

export const FIELDS = ["name", "organisation", "address", "proxy"] as const;
/** A text for each field: what was entered, or what is wrong with it. */
export type Fields = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|.*\.local)$/i;

export interface ReadWishOptions {
  /** Where webhooks arrive on this server, appended to an address that has no path. */
  readonly webhookPath: string;
  /** GitHub's own site sends no webhook to this machine's own names; an Enterprise server may. */
  readonly isDotCom: boolean;
}

/** Reads the form; `faults` names each field that cannot be used, and why. Source: https://docs.github.com/apps, names and logins */
export function readWish(
  form: URLSearchParams,
  { webhookPath, isDotCom }: ReadWishOptions,
): { readonly wish: Wish } | { readonly faults: Fields; readonly given: Fields } {
  const given = Object.fromEntries(FIELDS.map((field) => [field, (form.get(field) ?? "").trim().slice(0, 500)])) as Required<Fields>;
  const faults: { -readonly [Key in keyof Fields]: string } = {};
  const { name, organisation, address, proxy } = given;
  if (!/^[\w .-]{1,34}$/.test(name) || !/[a-z\d]/i.test(name))
    faults.name = "Up to 34 letters, digits, blanks, dots, hyphens and underscores.";
  if (organisation !== "" && !/^[a-z\d][a-z\d-]{0,38}$/i.test(organisation))
    faults.organisation = "This is no name of an organisation on GitHub.";
  const [publicUrl, proxyUrl] = [webUrl(address), webUrl(proxy)];
  if (address !== "" && publicUrl === undefined) faults.address = "An address that starts with https:// is needed.";
  else if (publicUrl !== undefined && isDotCom && LOCAL.test(publicUrl.hostname))
    faults.address = "GitHub cannot reach this machine by that name; leave it empty and use a webhook proxy.";
  if (proxy !== "" && proxyUrl === undefined)
    faults.proxy = "The address of a channel is needed, such as https://smee.io/ and what stands behind it.";
  if (address !== "" && proxy !== "") faults.proxy ??= "Either a public address or a proxy: deliveries would come by one of them only.";
  if (Object.keys(faults).length > 0) return { faults, given };
  if (publicUrl?.pathname === "/") publicUrl.pathname = webhookPath;
  const hook: Wish["hook"] =
    publicUrl !== undefined
      ? { kind: "public", url: publicUrl.href }
      : proxyUrl !== undefined
        ? { kind: "proxy", url: proxyUrl.href }
        : { kind: "none" };
  return { wish: { name, hook, ...(organisation === "" ? {} : { organisation }) } };
}

function webUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && url.hash === "";
  return isUsable ? url : undefined;
}
