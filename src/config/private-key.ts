import { createPrivateKey } from "node:crypto";

const PEM = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----([\s\S]*?)-----END \1-----/;

/**
 * The App's key as proper PEM, from the forms in which it survives an environment variable: PEM, PEM with `\n` for its line ends or with blanks,
 * quoted, or base64 of any of them. Answers undefined when no RSA key can be read from it; says nothing of what was there.
 */
export function readPrivateKey(raw: string): string | undefined {
  const found = PEM.exec(raw) ?? PEM.exec(Buffer.from(raw, "base64").toString("latin1"));
  if (found === null) return undefined;
  const [, label = "", body = ""] = found;
  const lines = body.replace(/\\[rn]|\s/g, "").match(/.{1,64}/g) ?? [];
  const pem = `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa" ? pem : undefined;
  } catch {
    return undefined;
  }
}
