/**
 * What of a value is secret. A key's armour, the first bytes of every RSA key, the head of every web token and the host of a connection
 * string are known to all: texts that mention them give nothing away.
 */
export function secretParts(value: string): readonly string[] {
  if (value.includes("-----BEGIN ")) {
    const body = value.replace(/-----[A-Z0-9 ]+-----/g, "").replace(/\\n|\s/g, "");
    return [body.slice(24)];
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value) && URL.canParse(value)) {
    const { password, username, pathname, search } = new URL(value);
    if (password !== "") return [password, safeDecode(password)];
    return [username, pathname, search];
  }
  const token = /eyJ[\w-]+\.(eyJ[\w-]+)\.([\w-]+)/.exec(value);
  if (token === null) return [value];
  const [, payload = "", signature = ""] = token;
  return [payload.slice(40), signature];
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
