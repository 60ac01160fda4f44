import { html, type Html, type Part } from "./html.ts";

export interface Column {
  readonly head: string;
  /** Numbers stand at the right edge. */
  readonly isNumber?: boolean;
}

/** A table whose first cells name their rows. It scrolls by itself where it is wider than the screen. */
export function renderTable(caption: string, columns: readonly Column[], rows: readonly (readonly Part[])[]): Html {
  const classOf = (at: number): Part => (columns[at]?.isNumber === true ? html` class="number"` : undefined);
  return html`<div class="wide" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ head }, at) => html`<th scope="col" ${classOf(at)}>${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, at) => (at === 0 ? html`<th scope="row">${cell}</th>` : html`<td ${classOf(at)}>${cell}</td>`))}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Figures that stand beside each other, each with its name and, where there is one, a word below it. */
export function renderTiles(tiles: readonly { readonly name: string; readonly value: Part; readonly beside?: Part }[]): Html {
  return html`<dl class="tiles">
    ${tiles.map(
      ({ name, value, beside }) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}${beside === undefined ? undefined : html`<span class="beside">${beside}</span>`}</dd>
        </div>`,
    )}
  </dl>`;
}
