import { isIP } from "node:net";

/** A name, or everything below one; the last label is no number, so that no spelling of an address is a name. */
const HOST_PATTERN = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;

/** Whether a name, in lower case and without a final dot, is on a list of patterns. Addresses never are. */
export function hostList(patterns: readonly string[]): (host: string) => boolean {
  const names = patterns.filter((pattern) => HOST_PATTERN.test(pattern)).map((pattern) => pattern.toLowerCase());
  const exact = new Set(names.filter((name) => !name.startsWith("*.")));
  const below = names.flatMap((name) => (name.startsWith("*.") ? [name.slice(1)] : []));
  return (host) =>
    isIP(host) === 0 && !host.startsWith("*") && HOST_PATTERN.test(host) && (exact.has(host) || below.some((end) => host.endsWith(end)));
}
