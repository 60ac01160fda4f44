import { html, webLink, type Html, type Part } from "../html.ts";
import { layOut } from "../layout.ts";
import type { Progress } from "./progress.ts";
import type { Fields, Wish } from "./wish.ts";

const HELP: Readonly<Record<keyof Fields, { readonly label: string; readonly says: Part; readonly type?: "url" }>> = {
  name: {
    label: "Name",
    says: "Unique on GitHub. People will write @ and this name to talk to it, in small letters and with hyphens for blanks.",
  },
  organisation: { label: "Organisation (optional)", says: "The organisation that will own the App. Empty: your own account." },
  address: {
    label: "Public address of this server (optional)",
    type: "url",
    says: "Where GitHub reaches this server from outside, such as https://bot.example.com.",
  },
  proxy: {
    label: "Webhook proxy (optional)",
    type: "url",
    says: html`For a machine that GitHub cannot reach: open ${webLink("https://smee.io/new", "smee.io/new")} and paste the address that it
    leads to. Whoever knows that address can read along, so it is for trying out.`,
  },
};

/** The form that asks what the App is to be. `base` is the address that all of the setup's pages begin with. */
export function renderForm({
  base,
  given,
  faults = {},
  replaces,
}: {
  readonly base: string;
  readonly given: Fields;
  readonly faults?: Fields;
  /** The file of an App that is kept already. */
  readonly replaces?: string;
}): Html {
  const isFaulty = Object.keys(faults).length > 0;
  return layOut({
    title: "Set up Sallyport",
    nav: false,
    body: html`${steps(0)}
      <p>Sallyport speaks to GitHub as a GitHub App of your own. GitHub shows what it may do before you create it.</p>
      ${replaces === undefined ? undefined : html`<p class="note">An App is set up already. Creating another one sets its credentials (${replaces}) aside.</p>`}
      ${isFaulty ? html`<p class="note" role="alert">Something cannot be used yet: see below.</p>` : undefined}
      <form method="post" action="${base}/app">
        ${(Object.keys(HELP) as (keyof Fields)[]).map((field) => input(field, given[field] ?? "", faults[field]))}
        <p><button type="submit">Go on</button></p>
      </form>`,
  });
}

function input(field: keyof Fields, value: string, fault: string | undefined): Html {
  const { label, says, type = "text" } = HELP[field];
  return html`<div class="field">
    <label for="${field}">${label}</label>
    <p class="quiet" id="${field}-help">${says}</p>
    ${fault === undefined ? undefined : html`<p class="failed" id="${field}-fault">${fault}</p>`}
    <input
      id="${field}"
      name="${field}"
      type="${type}"
      value="${value}"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="${field}-help${fault === undefined ? "" : ` ${field}-fault`}"
      aria-invalid="${fault === undefined ? "false" : "true"}"
      ${field === "name" ? html`required` : undefined}
    />
  </div> `;
}

/** What will be asked of GitHub, and the button that asks it. */
export function renderConfirm({
  base,
  wish,
  action,
  manifest,
  permissions,
  events,
  callbacks,
}: {
  readonly base: string;
  readonly wish: Wish;
  /** GitHub's address for new Apps, with the state. */
  readonly action: string;
  /** As JSON. */
  readonly manifest: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly callbacks: readonly string[];
}): Html {
  return layOut({
    title: "Create the App",
    nav: false,
    body: html`${steps(0)}
      <dl>
        <dt>Name</dt>
        <dd>${wish.name}</dd>
        <dt>Owner</dt>
        <dd>${wish.organisation ?? "your own account"}</dd>
        <dt>Webhooks</dt>
        <dd>${hookWords(wish.hook)}</dd>
        <dt>Permissions</dt>
        <dd>
          ${Object.entries(permissions)
            .map(([name, level]) => `${name.replaceAll("_", " ")}: ${level}`)
            .join(", ")}
        </dd>
        <dt>Events</dt>
        <dd>${events.join(", ")}</dd>
        <dt>Sign-in</dt>
        <dd>people who sign in to answer questions come back to ${callbacks.join(", ")}</dd>
      </dl>
      <form method="post" action="${action}">
        <input type="hidden" name="manifest" value="${manifest}" />
        <p><button type="submit">Create it on GitHub</button></p>
      </form>
      <p>
        GitHub asks you to confirm, and sends you back here with a code. Sallyport exchanges the code for the App's key, once, and keeps it
        on this machine. <a href="${base}">Change something first</a>
      </p>`,
  });
}

function hookWords(hook: Wish["hook"]): Part {
  if (hook.kind === "none") return "none: nothing will reach this server until the App's settings name an address";
  return hook.kind === "public" ? `to ${hook.url}` : `through ${hook.url}`;
}

/** How far it has come: kept, installed, heard. */
export function renderProgress({ app, server, first, isInstalled }: Progress): Html {
  const { name, slug, htmlUrl, file, hook } = app;
  const install = `${htmlUrl.replace(/\/+$/, "")}/installations/new`;
  return layOut({
    title: isInstalled ? `${name} is set up` : `${name} is created`,
    nav: false,
    body: html`${steps(isInstalled ? 3 : 1)}
      <p>Its credentials are kept in <code>${file}</code>, for this user alone. Every start reads them where no variable names an App.</p>
      <h2>Install it</h2>
      <p>
        ${webLink(install, "Choose the repositories that it may work on")}, at GitHub. Then write a comment there:
        <code>@${slug} help</code>
      </p>
      <h2>This server</h2>
      ${serverWords(server)}
      <h2>Deliveries</h2>
      <p role="status">
        ${
          first === undefined
            ? html`<span class="word queued">waiting</span> Waiting for the first delivery. This page looks again every few seconds.`
            : html`<span class="word done">received</span> First delivery: ${first.event}, at
                <time datetime="${first.at.toISOString()}">${first.at.toISOString().slice(11, 19)} UTC</time>.`
        }
      </p>
      ${first === undefined ? whyNothing(hook, htmlUrl) : undefined}`,
  });
}

function serverWords(server: Progress["server"]): Html {
  if (server.state === "starting") return html`<p><span class="word working">starting</span> It starts with the new App.</p>`;
  if (server.state === "failed")
    return html`<p>
      <span class="word failed">failed</span> ${server.why} Mend that, then start it again: the App's credentials are kept.
    </p>`;
  return html`<p><span class="word done">ready</span> Its runs are on <a href="${server.url}/sallyport">${server.url}/sallyport</a>.</p>`;
}

function whyNothing(hook: Wish["hook"], htmlUrl: string): Html {
  if (hook.kind === "none") {
    return html`<p>
      The App sends no webhooks yet. ${webLink(htmlUrl, "On its page")}, under "App settings", name an address as the webhook URL and tick
      "Active"; for a proxy, set WEBHOOK_PROXY_URL to the same address and start again.
    </p>`;
  }
  const way = hook.kind === "proxy" ? "The log says whether the proxy is connected." : `GitHub must reach ${hook.url}.`;
  return html`<p class="quiet">
    Installing the App makes GitHub send one. ${way} "Advanced" in the App's settings lists what GitHub has sent, and how it was answered.
  </p>`;
}

const STEPS = ["Create the App", "Install it", "See an event arrive"];

function steps(done: number): Html {
  return html`<ol class="steps" aria-label="Steps">
    ${STEPS.map((words, index) => html`<li ${index === done ? html`aria-current="step"` : undefined}>${words}${index < done ? html` <span class="done">done</span>` : undefined}</li>`)}
  </ol>`;
}
