/** Keeps the head and the tail of a stream of bytes. */
export interface Capture {
  push(chunk: Buffer): void;
  /** What was kept, as well-formed text, and how many bytes in between were not. */
  result(): { readonly output: string; readonly omittedBytes: number; readonly omittedAt?: number };
}

/** Keeps at most `limit` bytes, three quarters of them from the start (line numbers count from there), the rest from the end. A character that the cut splits is left out whole. */
export function captureEnds(limit: number): Capture {
  const headLimit = Math.floor((limit * 3) / 4);
  const tailLimit = limit - headLimit;
  const head: Buffer[] = [];
  let headSize = 0;
  let tail: Buffer[] = [];
  let tailSize = 0;
  let total = 0;
  return {
    push(chunk) {
      total += chunk.length;
      const first = chunk.subarray(0, headLimit - headSize);
      if (first.length > 0) head.push(Buffer.from(first));
      headSize += first.length;
      const rest = chunk.subarray(first.length);
      if (rest.length === 0) return;
      tail.push(Buffer.from(rest.subarray(-tailLimit)));
      tailSize += Math.min(rest.length, tailLimit);
      // Joined only now and then: one copy for each `tailLimit` bytes that arrive.
      if (tailSize > 2 * tailLimit) {
        tail = [Buffer.concat(tail).subarray(-tailLimit)];
        tailSize = tailLimit;
      }
    },
    result() {
      const kept = Buffer.concat(tail).subarray(-tailLimit);
      const whole = headSize + kept.length === total;
      if (whole) return { output: Buffer.concat([...head, kept]).toString("utf8"), omittedBytes: 0 };
      const start = withoutTornEnd(Buffer.concat(head));
      const end = withoutTornStart(kept);
      const first = start.toString("utf8");
      return { output: first + end.toString("utf8"), omittedBytes: total - start.length - end.length, omittedAt: first.length };
    },
  };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** UTF-8 takes at most four bytes a character; more continuation bytes in a row are no text anyway. */
function withoutTornEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function withoutTornStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}
