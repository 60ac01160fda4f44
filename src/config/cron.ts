const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/** What each of the five fields may hold, and the names that stand for numbers from the first on. */
const FIELDS: readonly { readonly from: number; readonly to: number; readonly names?: readonly string[] }[] = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31 },
  { from: 1, to: 12, names: MONTHS },
  { from: 0, to: 7, names: DAYS },
];

/** Whether a text is five fields of cron: numbers or names in their range, `*`, ranges, steps and lists of them. */
export function isCron(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  return fields.length === FIELDS.length && fields.every((field, index) => field.split(",").every((part) => isPart(part, index)));
}

function isPart(part: string, index: number): boolean {
  const [, from = "", to, step] = /^(\*|\w+?)(?:-(\w+))?(?:\/(\d{1,2}))?$/.exec(part) ?? [];
  if (step !== undefined && Number(step) === 0) return false;
  if (from === "*") return to === undefined;
  const first = numberOf(from, index);
  const last = to === undefined ? first : numberOf(to, index);
  return first !== undefined && last !== undefined && first <= last;
}

function numberOf(word: string, index: number): number | undefined {
  const { from = 0, to = 0, names = [] } = FIELDS[index] ?? {};
  const named = names.indexOf(word.toLowerCase());
  const value = named >= 0 ? named + from : /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN;
  return value >= from && value <= to ? value : undefined;
}
