import { ok, type Answer, type Call } from "./route.ts";

const DEFAULT_SIZE = 30;
const LARGEST_SIZE = 100;

/** Whether the query's `since`, where it has one, lets in what was changed then. */
export function isSince({ query }: Pick<Call, "query">, updatedAt: string): boolean {
  return query["since"] === undefined || Date.parse(updatedAt) >= Date.parse(query["since"]);
}

/** One page of a list, with the `link` header by which clients find the others. */
export function page<T>(call: Call, list: readonly T[], show: (item: T) => unknown): Answer {
  const { slice, headers } = cut(call, list);
  return ok(slice.map(show), headers);
}

/** As `page`, for the lists that GitHub wraps: `{total_count, <key>: []}`. */
export function countedPage<T>(call: Call, key: string, list: readonly T[], show: (item: T) => unknown): Answer {
  const { slice, headers } = cut(call, list);
  return ok({ total_count: list.length, [key]: slice.map(show) }, headers);
}

function cut<T>(call: Call, list: readonly T[]): { slice: readonly T[]; headers: Record<string, string> } {
  const size = Math.min(positive(call.query["per_page"], DEFAULT_SIZE), LARGEST_SIZE);
  const at = positive(call.query["page"], 1);
  const last = Math.max(1, Math.ceil(list.length / size));
  const address = `${call.world.origin}/api/v3${encodeURI(call.request.path)}`;
  const link = (rel: string, to: number) =>
    `<${address}?${new URLSearchParams({ ...call.query, page: String(to) }).toString()}>; rel="${rel}"`;
  const links = [
    ...(at > 1 ? [link("prev", Math.min(at - 1, last)), link("first", 1)] : []),
    ...(at < last ? [link("next", at + 1), link("last", last)] : []),
  ];
  return { slice: list.slice((at - 1) * size, at * size), headers: links.length > 0 ? { link: links.join(", ") } : {} };
}

function positive(text: string | undefined, fallback: number): number {
  const value = Number(text ?? fallback);
  return Number.isInteger(value) && value > 0 ? value : fallback;
}
