import { icon } from "./icons.ts";
import { html, type Html, type Part } from "./html.ts";

/** Where all pages live. */
export const BASE = "/sallyport";
export const STYLESHEET_PATH = `${BASE}/style.css`;

/** A page of an extension, as the navigation names it. */
export interface NavLink {
  readonly path: string;
  readonly label: string;
  /** The name of a Lucide icon. */
  readonly icon?: string;
}

/** A whole page. `title` names it in the browser and in its heading. */
export function layOut({
  title,
  body,
  nav = true,
  links = [],
}: {
  readonly title: string;
  readonly body: Part;
  readonly nav?: boolean;
  readonly links?: readonly NavLink[];
}): Html {
  const more = links.map(
    ({ path, label, icon: name }) => html` <a href="${path}">${name === undefined ? undefined : icon(name)}${label}</a>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Sallyport</title>
        <link rel="stylesheet" href="${STYLESHEET_PATH}" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <span class="name">Sallyport</span>${nav ? html`<nav aria-label="Pages"><a href="${BASE}">Runs</a>${more}</nav>` : undefined}
        </header>
        <main id="main" tabindex="-1">
          <h1 dir="auto">${title}</h1>
          ${body}
        </main>
      </body>
    </html> `;
}

/** A page that says one thing: what is wrong, and what to do. */
export function layOutNotice(title: string, text: string, options: { readonly nav?: boolean } = {}): Html {
  return layOut({ title, body: html`<p>${text}</p>`, ...options });
}
