import { z } from "zod";
import { messageOf, SallyportError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { PassLedger } from "../core/pass.ts";
import { systemClock } from "./clock.ts";
import { transport } from "./octokit.ts";
import { gitHubAddress } from "./repository-url.ts";
import { TIME_LIMIT_MS } from "./time-limit.ts";

/** A GitHub App that was just created, with the secrets that are handed out this once. */
export interface NewApp {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  /** The App's page: `https://github.com/apps/<slug>`. */
  readonly htmlUrl: string;
  /** PEM. */
  readonly privateKey: string;
  readonly webhookSecret: string;
  /** By which people sign in; absent where GitHub has not said both. */
  readonly client?: { readonly id: string; readonly secret: string };
}

export interface ConvertManifestOptions {
  /** REST base without a final slash. */
  readonly baseUrl: string;
  readonly ledger: PassLedger;
  readonly log: Logger;
  readonly fetch?: typeof fetch;
}

/** The part of the answer that is needed. Source: https://docs.github.com/rest/apps/apps#create-a-github-app-from-a-manifest */
const answerSchema = z.object({
  id: z.int().positive(),
  slug: z.string().regex(/^[\w-]{1,100}$/),
  name: z.string().max(200),
  html_url: z.url({ protocol: /^https?$/ }),
  pem: z.string().includes("PRIVATE KEY"),
  webhook_secret: z.string().min(1),
  // The App is of use without them, and its code is spent by now.
  client_id: z
    .string()
    .regex(/^[\w.-]{1,100}$/)
    .optional()
    .catch(undefined),
  client_secret: z.string().min(1).optional().catch(undefined),
});

/**
 * Exchanges the code, with which GitHub sends somebody back who has created an App by manifest, for the App's credentials. A code is good once
 * and for an hour. Nothing of the answer is logged or quoted.
 * @throws {SallyportError} `manifest-refused` when GitHub does not take the code; `manifest-uncertain` when there was no answer that can be read,
 * so that the same code may be tried again.
 */
export async function convertManifest(
  code: string,
  { baseUrl, ledger, log, fetch = globalThis.fetch }: ConvertManifestOptions,
): Promise<NewApp> {
  const address = gitHubAddress(baseUrl);
  const send = transport({ address, ledger, fetch, clock: systemClock, log, timeLimitMs: TIME_LIMIT_MS });
  let response: Response;
  let said: unknown;
  try {
    response = await send(`${address.baseUrl}/app-manifests/${encodeURIComponent(code)}/conversions`, {
      method: "POST",
      headers: { accept: "application/vnd.github+json", "user-agent": "sallyport" },
    });
    said = response.ok ? await response.json() : undefined;
  } catch (error) {
    throw uncertain(messageOf(error), error);
  }
  if (response.status >= 500 || response.status === 429) throw uncertain(`status ${response.status}`);
  if (!response.ok) {
    throw new SallyportError(`GitHub did not take the code of the new App (status ${response.status}).`, {
      code: "manifest-refused",
      hint: "A code is good once, and for an hour. Begin anew; delete the unfinished App at GitHub if it is there.",
    });
  }
  const parsed = answerSchema.safeParse(said);
  if (!parsed.success) throw uncertain(`its answer lacks ${parsed.error.issues[0]?.path.join(".") ?? "something"}`);
  const { id, slug, name, html_url: htmlUrl, pem: privateKey, webhook_secret: webhookSecret } = parsed.data;
  const { client_id: client, client_secret: secret } = parsed.data;
  const signsIn = client === undefined || secret === undefined ? {} : { client: { id: client, secret } };
  return { id, slug, name, htmlUrl, privateKey, webhookSecret, ...signsIn };
}

function uncertain(why: string, cause?: unknown): SallyportError {
  return new SallyportError(`GitHub did not hand out the new App's credentials: ${why}.`, {
    code: "manifest-uncertain",
    hint: "Load this page again to try the same code once more.",
    cause,
  });
}
