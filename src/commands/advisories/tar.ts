import { SallyportError } from "../../core/errors.ts";

/** One regular file of an archive. */
export interface TarFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const BLOCK = 512;
/** Bytes of one file. */
const LARGEST_FILE = 16 * 1024 * 1024;

/**
 * The regular files of a tar archive, read as it streams in; nothing is written anywhere. Long names of both GNU tar and pax are understood.
 * Source: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
 * @throws {SallyportError} for what is no tar archive, or ends too early.
 */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncIterable<TarFile> {
  const reader = blocks(stream);
  let longName: string | undefined;
  for (;;) {
    const head = await reader.read(BLOCK, true);
    // Two empty blocks end an archive; some writers leave them out.
    if (head === undefined || head.every((byte) => byte === 0)) return;
    if (!isHead(head)) throw broken("is no tar archive");
    const size = Number.parseInt(text(head, 124, 12), 8) || 0;
    const kind = String.fromCharCode(head[156] ?? 0);
    if (size > LARGEST_FILE && kind !== "g") throw broken(`holds a file of ${size} bytes`);
    const bytes = (await reader.read(Math.ceil(size / BLOCK) * BLOCK, false)).subarray(0, size);
    if (kind === "L") longName = bytes.toString("utf8").replace(/\0.*$/s, "");
    else if (kind === "x") longName = paxPath(bytes) ?? longName;
    else if (kind !== "g") {
      const prefix = text(head, 345, 155);
      const name = longName ?? (prefix === "" ? text(head, 0, 100) : `${prefix}/${text(head, 0, 100)}`);
      longName = undefined;
      if (kind === "0" || kind === "\0") yield { name, bytes };
    }
  }
}

/** The head's sum of its own bytes, its own field counted as blanks. */
function isHead(head: Buffer): boolean {
  let sum = 0;
  for (const [index, byte] of head.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte;
  return Number.parseInt(text(head, 148, 8), 8) === sum;
}

function text(head: Buffer, start: number, length: number): string {
  return head
    .toString("latin1", start, start + length)
    .replace(/\0.*$/s, "")
    .trim();
}

/** `<length> path=<value>\n` among other records. */
function paxPath(bytes: Buffer): string | undefined {
  for (let at = 0; at < bytes.length;) {
    const length = Number.parseInt(bytes.toString("latin1", at, at + 12), 10);
    if (!(length > 0)) return undefined;
    const record = bytes.toString("utf8", at, at + length - 1);
    const path = /^\d+ path=(.*)$/s.exec(record)?.[1];
    if (path !== undefined) return path;
    at += length;
  }
  return undefined;
}

/** Takes a stream of any chunks apart into pieces of given sizes. */
function blocks(stream: AsyncIterable<Uint8Array>) {
  const chunks = stream[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  const read = async (size: number, mayEnd: boolean): Promise<Buffer | undefined> => {
    const parts = [rest];
    let length = rest.length;
    while (length < size) {
      const next = await chunks.next();
      if (next.done === true) {
        if (mayEnd && length === 0) return undefined;
        throw broken("ends too early");
      }
      parts.push(Buffer.from(next.value));
      length += next.value.length;
    }
    const all = Buffer.concat(parts);
    rest = all.subarray(size);
    return all.subarray(0, size);
  };
  return {
    read: read as {
      (size: number, mayEnd: false): Promise<Buffer>;
      (size: number, mayEnd: true): Promise<Buffer | undefined>;
    },
  };
}

function broken(why: string): SallyportError {
  return new SallyportError(`The archive ${why}.`, { code: "bad-archive", hint: "Download it again." });
}
