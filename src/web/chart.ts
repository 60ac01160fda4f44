import { html, type Html, type Part } from "./html.ts";
import { dayWords } from "./days.ts";
import { renderTable } from "./table.ts";

/** One kind of bar. Its name stands in the legend and heads its column of the table. */
export interface Series {
  readonly name: string;
  readonly fill: "main" | "good" | "held" | "bad";
}

export interface ChartDay {
  /** `2026-12-01`. */
  readonly day: string;
  /** One for each series, none below zero. */
  readonly values: readonly number[];
}

/** Units of the drawing: a day's width with the gap before it, and the height of the highest bar. */
const DAY = 10;
const GAP = 2;
const HEIGHT = 100;

/**
 * Days as stacked bars, with the same figures as a table below. The words around the drawing are the page's own text, so they keep their
 * size on every screen.
 */
export function renderChart({
  title,
  series,
  days,
  words,
}: {
  readonly title: string;
  readonly series: readonly Series[];
  /** Oldest first, without gaps. */
  readonly days: readonly ChartDay[];
  /** A value for people. */
  readonly words: (value: number) => string;
}): Html {
  const top = roundUp(Math.max(...days.map(({ values }) => sumOf(values)), 0));
  const [first, middle, last] = [days[0], days[Math.floor((days.length - 1) / 2)], days.at(-1)];
  const total = words(days.reduce((sum, { values }) => sum + sumOf(values), 0));
  return html`<figure>
    <figcaption>${title}</figcaption>
    ${series.length < 2 ? undefined : legend(series)}
    <div class="plot">
      <div class="up" aria-hidden="true"><span>${words(top)}</span><span>${words(top / 2)}</span><span>${words(0)}</span></div>
      <svg
        role="img"
        aria-label="${title}: ${total} in ${days.length} days. The table below has the figures."
        viewBox="0 0 ${days.length * DAY} ${HEIGHT}"
        preserveAspectRatio="none"
      >
        ${days.map((day, at) => bars(day, at, { series, top, words }))}
      </svg>
      <div class="along" aria-hidden="true">
        <span>${dayWords(first?.day)}</span><span>${dayWords(middle?.day)}</span><span>${dayWords(last?.day)}</span>
      </div>
    </div>
    <details>
      <summary>The figures as a table</summary>
      ${renderTable(
        title,
        [{ head: "Day (UTC)" }, ...series.map(({ name }) => ({ head: name, isNumber: true }))],
        days.toReversed().map(({ day, values }) => [dayWords(day), ...values.map(words)]),
      )}
    </details>
  </figure>`;
}

function bars({ day, values }: ChartDay, at: number, chart: BarsOptions): Part {
  const { series, top, words } = chart;
  let below = 0;
  return values.map((value, which) => {
    if (value <= 0) return undefined;
    const height = (value / top) * HEIGHT;
    below += height;
    const { name, fill } = series[which] ?? { name: "", fill: "main" };
    return html`<rect
      class="fill-${fill}"
      x="${at * DAY + GAP / 2}"
      y="${round(HEIGHT - below)}"
      width="${DAY - GAP}"
      height="${round(height)}"
    >
      <title>${dayWords(day)}: ${words(value)}${series.length > 1 ? ` ${name}` : ""}</title>
    </rect>`;
  });
}

interface BarsOptions {
  readonly series: readonly Series[];
  readonly top: number;
  readonly words: (value: number) => string;
}

function legend(series: readonly Series[]): Html {
  return html`<ul class="legend">
    ${series.map(
      ({ name, fill }) =>
        html`<li>
          <svg class="swatch" aria-hidden="true" viewBox="0 0 10 10"><rect class="fill-${fill}" width="10" height="10" /></svg>${name}
        </li>`,
    )}
  </ul>`;
}

/** A share from 0 to 1 as a bar, beside the words that say the same. */
export function renderMeter(share: number, fill: Series["fill"] = "main"): Html {
  const width = round(Math.min(1, Math.max(0, share)) * 100);
  return html`<svg class="meter" aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
    <rect class="fill-${fill}" width="${width}" height="10" />
  </svg>`;
}

/** The next of 1, 2, 4, 5, 10, 20 … that is not below the value: halves of them are short numbers too. */
function roundUp(value: number): number {
  if (!Number.isFinite(value) || value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const round = (value: number): number => Math.round(value * 100) / 100;
