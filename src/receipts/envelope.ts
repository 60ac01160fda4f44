import { createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import type { PublicKey, SigningKey } from "./keys.ts";

/** The type of what is signed. Source: https://github.com/in-toto/attestation/blob/main/spec/v1/envelope.md */
const PAYLOAD_TYPE = "application/vnd.in-toto+json";
/** Characters of an envelope that is read at all. */
const LONGEST = 1024 * 1024;

/** A signed receipt as its one canonical text, in a single line; whatever differs from that text in one byte is none. */
export interface SignedReceipt {
  readonly envelope: string;
  readonly keyId: string;
}

/** What became of reading an envelope. */
export type Opened =
  | { readonly status: "good"; readonly payload: string; readonly keyId: string }
  | { readonly status: "bad"; readonly why: string };

/**
 * The bytes that are signed. Source: https://github.com/secure-systems-lab/dsse/blob/master/protocol.md ("PAE"): lengths are ASCII decimal
 * numbers of bytes, without leading zeros.
 */
export function preAuthEncoding(type: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** Signs a statement's text with Ed25519. */
export function seal(statement: string, { keyId, privateKey }: SigningKey): SignedReceipt {
  const payload = Buffer.from(statement);
  const signature = sign(null, preAuthEncoding(PAYLOAD_TYPE, payload), privateKey);
  return { envelope: textOf(payload, keyId, signature), keyId };
}

/** Reads an envelope and checks its signature by the key that it names among those that are trusted. Never throws. */
export function open(text: string, keys: readonly PublicKey[]): Opened {
  const read = readEnvelope(text);
  if (typeof read === "string") return { status: "bad", why: read };
  const { payload, keyId, signature } = read;
  const key = keys.find((one) => one.kid === keyId);
  if (key === undefined) return { status: "bad", why: `it is signed by the key ${keyId}, which is none of those that are trusted` };
  if (!isSignedBy(publicKeyOf(key), payload, signature)) {
    return { status: "bad", why: `its signature is not that of the key ${keyId}: it was altered, or signed by another key` };
  }
  return { status: "good", payload: payload.toString("utf8"), keyId };
}

function isSignedBy(key: KeyObject, payload: Uint8Array, signature: Uint8Array): boolean {
  return verify(null, preAuthEncoding(PAYLOAD_TYPE, payload), key, signature);
}

function publicKeyOf({ kty, crv, x }: PublicKey): KeyObject {
  return createPublicKey({ key: { kty, crv, x }, format: "jwk" });
}

function textOf(payload: Uint8Array, keyId: string, signature: Uint8Array): string {
  return JSON.stringify({
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(payload).toString("base64"),
    signatures: [{ keyid: keyId, sig: Buffer.from(signature).toString("base64") }],
  });
}

/** The parts of an envelope; a text where it is none, or not spelled in the one way. */
function readEnvelope(text: string): { readonly payload: Buffer; readonly keyId: string; readonly signature: Buffer } | string {
  const whole = text.endsWith("\n") ? text.slice(0, -1) : text;
  if (whole.length > LONGEST) return `it has more than ${LONGEST} characters`;
  let value: unknown;
  try {
    value = JSON.parse(whole);
  } catch {
    return "it is no JSON";
  }
  const { payloadType, payload, signatures } = (value ?? {}) as { readonly [key: string]: unknown };
  const [first, ...others] = Array.isArray(signatures) ? (signatures as readonly unknown[]) : [];
  const { keyid, sig } = (first ?? {}) as { readonly keyid?: unknown; readonly sig?: unknown };
  if (payloadType !== PAYLOAD_TYPE) return `its type is not ${PAYLOAD_TYPE}`;
  if (typeof payload !== "string" || typeof keyid !== "string" || typeof sig !== "string" || others.length > 0) {
    return "it is no envelope of one statement and one signature";
  }
  const parts = { payload: Buffer.from(payload, "base64"), keyId: keyid, signature: Buffer.from(sig, "base64") };
  if (textOf(parts.payload, parts.keyId, parts.signature) !== whole) return "its text is not spelled as it was signed: it was altered";
  return parts;
}
