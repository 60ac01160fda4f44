import { createInflate, createInflateRaw, createZstdDecompress } from "node:zlib";
import type { Transform } from "node:stream";

/** Bytes that were packed or encoded in others. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  /** Where the outermost packing begins, in bytes. */
  readonly index: number;
  /** It came out of an archive, or is text; what else is base64 may be anything. */
  readonly isTelling: boolean;
}
export interface UnpackResult {
  readonly found: readonly Unpacked[];
  /** Why some of it could not be looked into. */
  readonly unread?: "too large" | "unknown packing";
}

/** Layers that are taken off: an archive, written as base64, written as base64. */
const DEEPEST = 3;
/** Bytes that all files of one judgement may unpack to; more is not looked at, and said. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Archives, their entries and texts that are looked into. */
const MOST_PARTS = 10_000;

/** A run that base64 may be, over line ends as well; each part of it is of other characters than the next, so it is found in linear time. */
const BASE64 = /[A-Za-z0-9+/_-]{24,}(?:\\?\r?\n[ \t>#*]*[A-Za-z0-9+/_-]{4,})*/g;
const HEX = /(?:[0-9a-f]{2}){20,}/gi;
/** Beginnings of packings that can be opened, wherever they stand: behind other bytes, and behind each other. */
const EMBEDDED = /\x1f\x8b\x08|PK\x03\x04|\x28\xb5\x2f\xfd/g;
/** Where deflated bytes stand in documents and pictures: a PDF's streams, a PNG's texts and profiles. */
const DEFLATED = /stream\r?\n(?=[\x08-\x78])|(?:zTXt|iTXt|iCCP)[^\0]{0,79}\0[\0\x01]{0,2}(?:[\w-]{0,20}\0[^\0]{0,80}\0)?(?=\x78)/g;
/** Packings behind other bytes that are tried for one judgement; ordinary bytes look like one once in megabytes, a PDF holds hundreds. */
const MOST_TRIED = 2_000;
/** Packings that nothing here can open, by signatures that no other bytes have: xz, bzip2, 7z, rar, lzip, lzop, cabinet. */
const CLOSED = /\xfd7zXZ\0|BZh[1-9]1AY&SY|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|LZIP\x01|\x89LZO\0\r\n\x1a\n|MSCF\0\0\0\0/;
/** The same for short signatures, and for what is encrypted: only at the beginning. */
const CLOSED_START =
  /^(?:\x04\x22\x4d\x18|\x1f\x9d[\x80-\x90]|\x5d\0\0[\x01-\xff]\0|Salted__|\0GITCRYPT\0|age-encryption\.org\/v1\n|\s{0,9}-----BEGIN (?:AGE ENCRYPTED FILE|PGP MESSAGE)-----|\$ANSIBLE_VAULT;)/;
const ENCRYPTED_DOCUMENT = /^%PDF-[\s\S]*\/Encrypt\b|^\xd0\xcf\x11\xe0[\s\S]*E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e/;

/** What may still be unpacked for one judgement: one budget is handed to all of its calls. */
export interface UnpackBudget {
  /** Bytes. */
  left: number;
  /** Packings behind other bytes. */
  tries: number;
}

export function unpackBudget(): UnpackBudget {
  return { left: MOST_BYTES, tries: MOST_TRIED };
}

/**
 * Takes off gzip, zlib, zstd, zip, base64 and hex, one in the other, within fixed bounds. What is damaged gives what can be read of it, since
 * a person could read that as well. Source of the formats: RFC 1950–1952, RFC 8878, PKWARE's APPNOTE.
 */
export async function unpack(bytes: Uint8Array, budget: UnpackBudget): Promise<UnpackResult> {
  const state: State = { budget, parts: 0, found: [], unread: undefined };
  await takeOff(bytes, 0, DEEPEST, state);
  return { found: state.found, ...(state.unread !== undefined && { unread: state.unread }) };
}

interface State {
  readonly budget: UnpackBudget;
  parts: number;
  readonly found: Unpacked[];
  unread: UnpackResult["unread"] | undefined;
}

async function takeOff(bytes: Uint8Array, index: number | undefined, depth: number, state: State): Promise<void> {
  if (depth === 0) {
    if (["gzip", "zip", "zstd"].includes(packingOf(bytes) ?? "")) state.unread ??= "too large";
    return;
  }
  const add = async (part: Uint8Array, at: number, isTelling = true): Promise<void> => {
    if (part.length < 16) return;
    if (part.length > state.budget.left || state.parts >= MOST_PARTS) {
      state.unread = "too large";
      return;
    }
    state.budget.left -= part.length;
    if (isTelling) state.parts++;
    // Below the first layer everything stands where the outermost packing begins.
    const place = depth === DEEPEST ? at : (index ?? 0);
    state.found.push({ bytes: part, index: place, isTelling });
    if (isTelling) await takeOff(part, place, depth - 1, state);
  };
  for (const part of (await decompress(bytes, state)) ?? []) await add(part, 0);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (isClosed(text)) state.unread ??= "unknown packing";
  for (const [at, opened] of await openEmbedded(bytes, text, state)) for (const part of opened) await add(part, at);
  for (const { 0: run, index: at } of text.matchAll(HEX)) await add(Buffer.from(run, "hex"), at);
  for (const { 0: run, index: at } of text.matchAll(BASE64)) {
    const plain = run.replace(/[^A-Za-z0-9+/_-]+/g, "");
    // What stands before it on the same run shifts it by some characters.
    for (let shift = 0; shift < 4; shift++) {
      const part = Buffer.from(shift === 0 ? plain : plain.slice(shift), "base64");
      await add(part, at, isTelling(part));
    }
    const packed = /H4sI|UEsDB|KLUv\//.exec(plain);
    if (packed !== null && packed.index % 4 !== 0 && packed.index > 3) await add(Buffer.from(plain.slice(packed.index), "base64"), at);
  }
}

/** What is packed behind the first byte, by where it begins. What stands in a zip is found from its first entry on. */
async function openEmbedded(bytes: Uint8Array, text: string, state: State): Promise<readonly (readonly [number, readonly Uint8Array[]])[]> {
  const found: (readonly [number, readonly Uint8Array[]])[] = [];
  let inZip = packingOf(bytes) === "zip";
  const places = [
    ...Array.from(text.matchAll(EMBEDDED), ({ index }) => index),
    ...Array.from(text.matchAll(DEFLATED), ({ 0: head, index }) => index + head.length),
  ];
  for (const at of places) {
    const rest = bytes.subarray(at);
    const packing = packingOf(rest);
    if (at === 0 || packing === undefined || (packing === "zip" && inZip)) continue;
    inZip ||= packing === "zip";
    if (state.budget.tries-- <= 0) {
      state.unread = "too large";
      break;
    }
    found.push([at, (await decompress(rest, state)) ?? []]);
  }
  return found;
}

function isClosed(text: string): boolean {
  return CLOSED.test(text) || CLOSED_START.test(text) || (/^(?:%PDF-|\xd0\xcf\x11\xe0)/.test(text) && ENCRYPTED_DOCUMENT.test(text));
}

/** Whether decoded bytes are a packing, or text: random words decode to neither. */
function isTelling(bytes: Uint8Array): boolean {
  if (packingOf(bytes) !== undefined || isClosed(Buffer.from(bytes.subarray(0, 64)).toString("latin1"))) return true;
  const looked = bytes.subarray(0, 64);
  let plain = 0;
  for (const byte of looked) if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0) plain++;
  return plain >= looked.length * 0.9;
}

type Packing = "gzip" | "zlib" | "zstd" | "zip";

function packingOf(bytes: Uint8Array): Packing | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  if (a === 0x1f && b === 0x8b && c === 8) return "gzip";
  if (a === 0x50 && b === 0x4b && c === 3 && d === 4) return "zip";
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return "zstd";
  // Deflate with a window of up to 32 KiB; the two bytes are a multiple of 31.
  if ((a & 0x8f) === 0x08 && ((a << 8) | b) % 31 === 0 && (b & 0x20) === 0) return "zlib";
  return undefined;
}

async function decompress(bytes: Uint8Array, state: State): Promise<readonly Uint8Array[] | undefined> {
  switch (packingOf(bytes)) {
    case "gzip":
      return openGzip(bytes, state);
    case "zip":
      return openZip(bytes, state);
    case "zstd":
      return [await inflate(createZstdDecompress(), bytes, state)];
    case "zlib": {
      const opened = await inflate(createInflate(), bytes, state);
      return opened.length === 0 ? undefined : [opened];
    }
    case undefined:
      return undefined;
  }
}

/** The header is skipped and the rest inflated without its checksum, which anybody could spoil. */
async function openGzip(bytes: Uint8Array, state: State): Promise<readonly Uint8Array[]> {
  const flags = bytes[3] ?? 0;
  let at = 10;
  if ((flags & 4) !== 0) at += 2 + (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8);
  for (const flag of [8, 16]) if ((flags & flag) !== 0) at = afterZero(bytes, at);
  if ((flags & 2) !== 0) at += 2;
  return [await inflate(createInflateRaw(), bytes.subarray(at), state)];
}

function afterZero(bytes: Uint8Array, at: number): number {
  const zero = bytes.indexOf(0, at);
  return zero < 0 ? bytes.length : zero + 1;
}

/** Every local header in the file, in the order of the bytes: what the central directory leaves out is read as well. */
async function openZip(bytes: Uint8Array, state: State): Promise<readonly Uint8Array[]> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  for (
    let at = 0;
    at >= 0 && at + 30 <= buffer.length && parts.length < MOST_PARTS;
    at = buffer.indexOf("PK\u0003\u0004", at + 4, "latin1")
  ) {
    const flags = buffer.readUInt16LE(at + 6);
    const method = buffer.readUInt16LE(at + 8);
    const start = at + 30 + buffer.readUInt16LE(at + 26) + buffer.readUInt16LE(at + 28);
    const name = buffer.subarray(at + 30, at + 30 + buffer.readUInt16LE(at + 26));
    const size = buffer.readUInt32LE(at + 18);
    if (name.length >= 16) parts.push(name);
    if ((flags & 1) !== 0 || ![0, 8, 93].includes(method)) {
      state.unread ??= "unknown packing";
      continue;
    }
    const data = buffer.subarray(start, method === 0 && (flags & 8) === 0 ? start + size : undefined);
    if (method === 0) parts.push(data.subarray(0, MOST_BYTES));
    else parts.push(await inflate(method === 8 ? createInflateRaw() : createZstdDecompress(), data, state));
  }
  return parts;
}

/** What comes out until the end, an error, or the bound. */
function inflate(stream: Transform, bytes: Uint8Array, state: State): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (): void => {
      stream.destroy();
      resolve(Buffer.concat(chunks));
    };
    stream.on("data", (chunk: Buffer) => {
      if (length + chunk.length > state.budget.left) {
        state.unread = "too large";
        finish();
        return;
      }
      length += chunk.length;
      chunks.push(chunk);
    });
    stream.on("end", finish);
    stream.on("error", finish);
    stream.on("close", finish);
    stream.end(bytes);
  });
}
