import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { createAccess } from "./access.ts";

/** Whether a request asks for the metrics. */
export const isMetrics = ({ url = "/" }: Pick<IncomingMessage, "url">): boolean => /^\/metrics\/?(?:\?|$)/.test(url);

export interface MetricsPageOptions {
  /** `SALLYPORT_DASHBOARD_TOKEN`; without it the metrics are for callers on this machine alone. */
  readonly dashboardToken?: string;
  readonly render: () => Promise<{ readonly contentType: string; readonly text: string }>;
  readonly log: Logger;
}

/** `/metrics`, under the one rule of who may see pages: what is spent and how much is going on is not for everybody. Never rejects. */
export function createMetricsPage({ dashboardToken, render, log }: MetricsPageOptions) {
  const judgeAccess = createAccess(dashboardToken === undefined ? {} : { token: dashboardToken });
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const say = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): void => {
      // What was not read of the body must not be taken for the next request.
      if (!request.complete) response.setHeader("connection", "close");
      response.writeHead(status, {
        "content-type": "text/plain; charset=utf-8",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        ...headers,
      });
      response.end(text);
    };
    const access = judgeAccess(request);
    if (!access.ok) {
      const challenge: Readonly<Record<string, string>> = access.status === 401 ? { "www-authenticate": 'Bearer realm="Sallyport"' } : {};
      return say(access.status, `${access.why}\n`, challenge);
    }
    if (request.method !== "GET" && request.method !== "HEAD") return say(405, "metrics are asked with GET\n", { allow: "GET, HEAD" });
    try {
      const { contentType, text } = await render();
      say(200, text, { "content-type": contentType });
    } catch (error) {
      log.warn({ why: messageOf(error) }, "the metrics could not be told");
      say(503, "the metrics could not be told\n");
    }
  };
}
