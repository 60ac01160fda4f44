import { ConfigurationError } from "../core/errors.ts";
import type { Endpoint } from "./failure.ts";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

export interface Connection {
  readonly baseURL: string;
  readonly headers: Record<string, string | null>;
  readonly endpoint: Endpoint;
}

/**
 * Where and with which authorization a model's server is asked. Azure takes its key in a header of its own, some gateways take name and
 * password out of the address; an address that names the method is cut back to its base. A query (`?api-version=…`) is kept.
 * @throws {ConfigurationError} when the base URL is none.
 */
export function connectionOf(options: { readonly baseUrl?: string; readonly apiKey?: string; readonly model: string }): Connection {
  const { model, apiKey } = options;
  const url = parse(options.baseUrl || DEFAULT_BASE_URL);
  const login = url.username === "" ? undefined : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = "";
  url.password = "";
  url.hash = "";
  url.pathname = url.pathname.replace(/\/+$/, "").replace(/\/(chat\/completions|responses)$/, "");
  const baseURL = url.href.replace(/\/(?=\?|$)/, "");
  const secrets = [apiKey, login].filter((secret) => secret !== undefined && secret !== "") as string[];
  return { baseURL, headers: headersOf(url, apiKey, login), endpoint: { origin: url.origin, model, hasKey: Boolean(apiKey), secrets } };
}

/** Source for Azure: https://learn.microsoft.com/azure/ai-foundry/openai/reference */
function headersOf(url: URL, apiKey: string | undefined, login: string | undefined): Record<string, string | null> {
  const isAzure = /\.azure\.(com|us|cn)$|\.azure-api\.net$/i.test(url.hostname) || url.searchParams.has("api-version");
  if (apiKey && isAzure) return { Authorization: null, "api-key": apiKey };
  if (apiKey) return { Authorization: `Bearer ${apiKey}` };
  return { Authorization: login === undefined ? null : `Basic ${Buffer.from(login).toString("base64")}` };
}

function parse(baseUrl: string): URL {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
    throw new ConfigurationError(`OPENAI_BASE_URL is not a URL: ${JSON.stringify(baseUrl.slice(0, 100).replace(/[^/]*@/, "…@"))}`, {
      code: "bad-base-url",
      hint: "It looks like https://api.openai.com/v1 or http://127.0.0.1:11434/v1.",
    });
  }
  return new URL(baseUrl);
}
