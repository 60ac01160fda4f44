import { z } from "zod";
import { reading } from "./answer.ts";
import type { GitHubOctokit } from "./octokit.ts";

/** One try of GitHub's to hand a webhook over. */
export interface DeliveryAttempt {
  /** Digits: these numbers outgrow what a JavaScript number holds exactly. */
  readonly id: string;
  /** The `x-github-delivery` header, the same for all attempts. */
  readonly guid: string;
  readonly event: string;
  readonly deliveredAt: Date;
  /** It was answered with 2xx. */
  readonly isGood: boolean;
}

/** The App's own list of deliveries. Source: https://docs.github.com/rest/apps/webhooks */
export interface AppDeliveries {
  /** Newest first, page by page. @throws {GitHubError} `not-found` where this GitHub has no such list. */
  attempts(signal: AbortSignal): AsyncGenerator<readonly DeliveryAttempt[]>;
  /** Asks for the delivery again. @throws {GitHubError} */
  askAgain(id: string, signal: AbortSignal): Promise<void>;
}

const PER_PAGE = 100;
const schema = z.array(
  z.object({
    id: z.string().regex(/^\d+$/),
    guid: z.string().min(1).max(100),
    event: z.string(),
    delivered_at: z.coerce.date(),
    status_code: z.number(),
  }),
);

export function createAppDeliveries(octokit: GitHubOctokit): AppDeliveries {
  return {
    async *attempts(signal) {
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const { headers, data } = await reading("list the App's deliveries", () =>
          octokit.request("GET /app/hook/deliveries", {
            per_page: PER_PAGE,
            ...(cursor === undefined ? {} : { cursor }),
            request: { parseSuccessResponseBody: false, signal },
          }),
        );
        yield attemptsIn(await new Response(data as unknown as ReadableStream).text());
        const next = cursorIn(headers.link);
        if (next === cursor) return;
        cursor = next;
      }
    },
    async askAgain(id, signal) {
      const route = `POST /app/hook/deliveries/${id}/attempts`;
      await reading("ask for a delivery again", () => octokit.request(route, { request: { signal } }));
    },
  };
}

/** @throws for an answer that is no such list. */
export function attemptsIn(text: string): readonly DeliveryAttempt[] {
  // Inside a JSON string every quotation mark has a backslash before it: no text there can look like a member.
  const exact = text.replace(/"id":\s*(\d+)/g, '"id":"$1"');
  return schema.parse(JSON.parse(exact)).map(({ id, guid, event, delivered_at: deliveredAt, status_code: status }) => ({
    id,
    guid,
    event,
    deliveredAt,
    isGood: status >= 200 && status < 300,
  }));
}

function cursorIn(link: string | undefined): string | undefined {
  const [, url] = /<([^>]+)>;\s*rel="next"/.exec(link ?? "") ?? [];
  return url === undefined || !URL.canParse(url) ? undefined : (new URL(url).searchParams.get("cursor") ?? undefined);
}
