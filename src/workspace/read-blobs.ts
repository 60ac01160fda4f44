import { SallyportError } from "../core/errors.ts";
import type { Git } from "./git.ts";

/** Takes one blob's bytes as they come; `end` is called once, after the last of them. All of it runs between two reads of the pipe. */
export interface BlobSink {
  chunk(bytes: Buffer): void;
  end(): void;
}

export interface BlobRequest {
  readonly git: Git;
  readonly gitDir: string;
  readonly shas: readonly string[];
  /** Called once per sha, in order. */
  readonly sink: (sha: string, size: number) => BlobSink;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 10 * 60_000;

/**
 * Streams blobs out of the store, in the order asked. Unlike `git archive` there is no attribute, filter or conversion on the way:
 * `cat-file --batch` prints objects. @throws {SallyportError} when one is missing or is no blob.
 */
export async function readBlobs({ git, gitDir, shas, sink, signal }: BlobRequest): Promise<void> {
  if (shas.length === 0) return;
  const child = git.start(["cat-file", "--batch", "--buffer"], { gitDir, timeoutMs: TIMEOUT_MS, signal });
  child.stdin.end(shas.map((sha) => `${sha}\n`).join(""));
  try {
    const parser = batchParser(shas, sink);
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) parser.push(chunk);
    await child.done;
    parser.finish();
  } catch (error) {
    child.kill();
    throw error;
  }
}

/** Blobs as a map, those over `maxBytes` left out. */
export async function blobMap(request: Omit<BlobRequest, "sink"> & { readonly maxBytes: number }): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const sink = (sha: string, size: number): BlobSink => {
    const parts: Buffer[] = [];
    const wanted = size <= request.maxBytes;
    return {
      chunk: (bytes) => void (wanted && parts.push(bytes)),
      end: () => void (wanted && found.set(sha, Buffer.concat(parts))),
    };
  };
  await readBlobs({ ...request, shas: [...new Set(request.shas)], sink });
  return found;
}

/** The stream is `<sha> blob <size>\n<bytes>\n`, again and again. Source: git-cat-file(1), "BATCH OUTPUT". */
function batchParser(shas: readonly string[], open: BlobRequest["sink"]): { push(chunk: Buffer): void; finish(): void } {
  let header = "";
  let index = 0;
  let left = -1;
  let sink: BlobSink | undefined;
  const begin = (): void => {
    const sha = shas[index] ?? "";
    const [id, kind, size] = header.split(" ");
    if (id !== sha || kind !== "blob") throw new SallyportError(`The store holds no blob ${sha}.`, { code: "blob-missing" });
    left = Number(size);
    sink = open(sha, left);
    header = "";
  };
  return {
    push(chunk) {
      let at = 0;
      while (at < chunk.length) {
        if (sink === undefined) {
          const end = chunk.indexOf(10, at);
          header += chunk.toString("latin1", at, end < 0 ? chunk.length : end);
          at = end < 0 ? chunk.length : end + 1;
          if (end >= 0) begin();
        } else if (left > 0) {
          const part = chunk.subarray(at, at + left);
          sink.chunk(part);
          left -= part.length;
          at += part.length;
        } else {
          // The line feed after the bytes.
          at += 1;
          sink.end();
          sink = undefined;
          index += 1;
        }
      }
    },
    finish() {
      if (index !== shas.length)
        throw new SallyportError(`Only ${index} of ${shas.length} blobs came out of the store.`, { code: "blob-missing" });
    },
  };
}
