import { icon } from "./icons.ts";
import { html, type Html, type Part } from "./html.ts";

/** Where all pages live. */
export const BASE = "/sallyport";
export const STYLESHEET_PATH = `${BASE}/style.css`;
export const SCRIPT_PATH = `${BASE}/live.js`;
export const APPROVALS_PATH = `${BASE}/approvals`;

/** A page as the navigation names it. */
export interface NavLink {
  readonly path: string;
  readonly label: string;
  /** The name of a Lucide icon. */
  readonly icon?: string;
}

/** The dashboard's own pages; those of extensions stand behind them. */
const PAGES: readonly NavLink[] = [
  { path: BASE, label: "Runs", icon: "activity" },
  { path: APPROVALS_PATH, label: "Approvals", icon: "list-checks" },
  { path: `${BASE}/queue`, label: "Queue", icon: "boxes" },
  { path: `${BASE}/spend`, label: "Spend", icon: "wallet" },
  { path: `${BASE}/gate`, label: "Gate", icon: "shield-check" },
  { path: `${BASE}/audit`, label: "Audit log", icon: "history" },
];

/** A whole page. `title` names it in the browser and in its heading. */
export function layOut({
  title,
  body,
  nav = true,
  links = [],
  current,
  live,
}: {
  readonly title: string;
  readonly body: Part;
  readonly nav?: boolean;
  readonly links?: readonly NavLink[];
  /** The path of the page in the navigation that this one is. */
  readonly current?: string;
  /** Where the page hears that there is something new; absent for a page that stands still. */
  readonly live?: string;
}): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Sallyport</title>
        <link rel="stylesheet" href="${STYLESHEET_PATH}" />
        ${live === undefined ? undefined : html`<script src="${SCRIPT_PATH}" defer></script>`}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <span class="name">Sallyport</span
          >${nav ? html`<nav aria-label="Pages">${navigation([...PAGES, ...links], current)}</nav>` : undefined}
        </header>
        <main id="main" tabindex="-1" ${live === undefined ? undefined : html`data-live="${live}"`}>
          <h1 dir="auto">${title}</h1>
          ${live === undefined ? undefined : html`<p id="live" class="quiet" role="status" hidden></p>`} ${body}
        </main>
      </body>
    </html> `;
}

function navigation(pages: readonly NavLink[], current: string | undefined): Html {
  return html`<ul>
    ${pages.map(
      ({ path, label, icon: name }) =>
        html`<li>
          <a href="${path}" ${path === current ? html`aria-current="page"` : undefined}
            >${name === undefined ? undefined : icon(name)}<span dir="auto">${label}</span></a
          >
        </li>`,
    )}
  </ul>`;
}

/** A page that says one thing: what is wrong, and what to do. */
export function layOutNotice(
  title: string,
  text: string,
  options: { readonly nav?: boolean; readonly links?: readonly NavLink[] } = {},
): Html {
  return layOut({ title, body: html`<p class="notice">${text}</p>`, ...options });
}
