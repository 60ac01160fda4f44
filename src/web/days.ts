import { html, type Html } from "./html.ts";

/** How many days a page may look back; the first where it does not say. */
const SPANS = [30, 7, 90] as const;
const DAY = 86_400_000;

/** Reads `days`; anything else than the spans that are offered is the usual one. */
export function readSpan(parameters: URLSearchParams): number {
  const wanted = Number(parameters.get("days"));
  return SPANS.find((span) => span === wanted) ?? SPANS[0];
}

/** The days of UTC up to today, oldest first, as `2026-12-01`. */
export function daysUntil(now: number, span: number): readonly string[] {
  return Array.from({ length: span }, (_, at) => new Date(now - (span - 1 - at) * DAY).toISOString().slice(0, 10));
}

/** `1 Dec 2026`. */
export function dayWords(day = ""): string {
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return day;
  return at.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
}

/** Links to the spans that are offered. */
export function renderSpans(path: string, current: number): Html {
  return html`<nav class="filters" aria-label="Days shown">
    <ul>
      ${[...SPANS]
        .sort((a, b) => a - b)
        .map(
          (span) =>
            html`<li>
              <a href="${path}?days=${span}" ${span === current ? html`aria-current="true"` : undefined}>${span} days</a>
            </li>`,
        )}
    </ul>
  </nav>`;
}
