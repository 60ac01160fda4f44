/**
 * The offsets at which `needle` stands in `bytes`, overlapping ones included, at most `limit` of them. Knuth, Morris and Pratt's search: linear
 * whatever the two hold, which the built-in searches are not.
 */
export function byteMatches(bytes: Uint8Array, needle: Uint8Array, limit = Number.POSITIVE_INFINITY): readonly number[] {
  const found: number[] = [];
  if (needle.length === 0 || needle.length > bytes.length) return found;
  const fallback = fallbacks(needle);
  let matched = 0;
  for (let at = 0; at < bytes.length; at++) {
    while (matched > 0 && bytes[at] !== needle[matched]) matched = fallback[matched - 1] ?? 0;
    if (bytes[at] === needle[matched]) matched++;
    if (matched < needle.length) continue;
    found.push(at - needle.length + 1);
    if (found.length >= limit) break;
    matched = fallback[matched - 1] ?? 0;
  }
  return found;
}

/** For each end of the needle: how long the longest start is that also ends there. */
function fallbacks(needle: Uint8Array): Int32Array {
  const table = new Int32Array(needle.length);
  let length = 0;
  for (let at = 1; at < needle.length; at++) {
    while (length > 0 && needle[at] !== needle[length]) length = table[length - 1] ?? 0;
    if (needle[at] === needle[length]) length++;
    table[at] = length;
  }
  return table;
}

/** The 1-based line of an offset. */
export function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < offset; at = bytes.indexOf(0x0a, at + 1)) line++;
  return line;
}
