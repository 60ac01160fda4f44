import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { ConfigurationError } from "../core/errors.ts";

/** A public key as it is listed. `kid` is its thumbprint, so a key cannot be listed under another's name. Source: RFC 8037, RFC 7638 */
export interface PublicKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  /** The key's 32 bytes, base64url. */
  readonly x: string;
  readonly kid: string;
}

/** A key that signs. */
export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** The keys of one server: the one that signs, and all that are listed, that one first. */
export interface Keys {
  readonly signing: SigningKey;
  readonly listed: readonly PublicKey[];
}

const BLOCK = /-----BEGIN (PRIVATE|PUBLIC) KEY-----[A-Za-z0-9+/=\s]+-----END \1 KEY-----/g;

/**
 * Reads keys in PEM: the first private one signs; all others, of which the public half is enough, are listed beside it, so that what they have
 * signed stays good. `source` names where they came from.
 * @throws {ConfigurationError} for what holds no Ed25519 private key, or a key of another kind.
 */
export function readKeys(pem: string, source: string): Keys {
  const blocks = [...pem.replaceAll("\\n", "\n").matchAll(BLOCK)];
  let signing: KeyObject | undefined;
  const listed: PublicKey[] = [];
  for (const [text, kind] of blocks) {
    const key = readBlock(text, source);
    if (kind === "PRIVATE") signing ??= key;
    const entry = listedKey(key, source);
    if (listed.every(({ kid }) => kid !== entry.kid)) listed.push(entry);
  }
  if (signing === undefined) throw wrongKey(source, "holds no private key");
  const { kid } = listedKey(signing, source);
  return { signing: { keyId: kid, privateKey: signing }, listed: listed.toSorted((a, b) => Number(b.kid === kid) - Number(a.kid === kid)) };
}

/** A new key pair, as the PEM of its private half. */
export function makeKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/**
 * Reads public keys that somebody trusts: a list as servers publish it, one such key, or PEM. A key under a name that is not its thumbprint is
 * refused. @throws {ConfigurationError}
 */
export function readPublicKeys(text: string, source: string): readonly PublicKey[] {
  const blocks = [...text.matchAll(BLOCK)];
  if (blocks.length > 0) return blocks.map(([block]) => listedKey(readBlock(block, source), source));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrongKey(source, "holds neither PEM nor JSON");
  }
  const { keys = [value] } = (value ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys)) throw wrongKey(source, "holds no list of keys");
  return keys.map((one: unknown) => readListed(one, source));
}

function readListed(value: unknown, source: string): PublicKey {
  const { kty, crv, x, kid } = (value ?? {}) as { readonly [name: string]: unknown };
  if (kty !== "OKP" || crv !== "Ed25519" || typeof x !== "string" || Buffer.from(x, "base64url").length !== 32) {
    throw wrongKey(source, "holds a key that is no Ed25519 public key");
  }
  const key = { kty, crv, x, kid: thumbprint(x) } as const;
  if (kid !== undefined && kid !== key.kid) throw wrongKey(source, "lists a key under a name that is not its thumbprint");
  return key;
}

function readBlock(pem: string, source: string): KeyObject {
  try {
    return pem.includes("PRIVATE") ? createPrivateKey(pem) : createPublicKey(pem);
  } catch (error) {
    throw wrongKey(source, "holds a key that cannot be read", error);
  }
}

function listedKey(key: KeyObject, source: string): PublicKey {
  if (key.asymmetricKeyType !== "ed25519") throw wrongKey(source, `holds a key of another kind (${key.asymmetricKeyType ?? "unknown"})`);
  const { x = "" } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" });
  return { kty: "OKP", crv: "Ed25519", x, kid: thumbprint(x) };
}

/** Source: RFC 7638 3.2, with the members that RFC 8037 2 requires, in the order of their names. */
function thumbprint(x: string): string {
  return createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
}

function wrongKey(source: string, why: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`${source} ${why}: expected Ed25519 in PEM.`, {
    code: "bad-receipt-key",
    hint: "Make one with: openssl genpkey -algorithm ed25519",
    cause,
  });
}
