import { notFound } from "../api-error.ts";
import { appRoute, numberIn, ok, present, type Call } from "../route.ts";
import { timestamp } from "../state.ts";
import { announce } from "../webhooks/announce.ts";
import type { DeliveryAttempt } from "../webhooks/delivery.ts";

const DEFAULT_SIZE = 30;
const LARGEST_SIZE = 100;

/** The App's list of deliveries, newest first. Source: https://docs.github.com/rest/apps/webhooks */
export const DELIVERY_ROUTES = [
  appRoute("GET /app/hook/deliveries", (call) => {
    const size = Math.min(Number(call.query["per_page"] ?? DEFAULT_SIZE) || DEFAULT_SIZE, LARGEST_SIZE);
    const { cursor } = call.query;
    const all = call.world.attempts.toReversed();
    // A cursor names where a page begins, so that what is new meanwhile moves nothing.
    const from = cursor === undefined ? 0 : all.findIndex(({ id }) => cursor === `v1_${id}`);
    if (from < 0) throw notFound();
    const next = all[from + size];
    const address = `${call.world.origin}/api/v3/app/hook/deliveries?${new URLSearchParams({ per_page: String(size), cursor: `v1_${next?.id}` }).toString()}`;
    return ok(
      all.slice(from, from + size).map((attempt) => shown(call, attempt)),
      next === undefined ? {} : { link: `<${address}>; rel="next"` },
    );
  }),
  appRoute("POST /app/hook/deliveries/{delivery_id}/attempts", (call) => {
    const { delivery, payload } = present(call.world.attempts.find(({ id }) => id === numberIn(call, "delivery_id")));
    announce(call.world, { name: delivery.event, payload }, { id: delivery.id });
    return { status: 202, body: {} };
  }),
];

function shown({ world }: Call, { id, delivery, payload, isRedelivery }: DeliveryAttempt) {
  const isGood = delivery.status >= 200 && delivery.status < 300;
  const repository = payload["repository"] as { readonly id?: number } | undefined;
  return {
    id,
    guid: delivery.id,
    delivered_at: timestamp(delivery.at),
    redelivery: isRedelivery,
    duration: Math.round(delivery.ms) / 1000,
    status: isGood ? "OK" : delivery.status === 0 ? "failed to connect to host" : `Invalid HTTP Response: ${delivery.status}`,
    // Where nobody answered, GitHub's own gateway does.
    status_code: delivery.status || 502,
    event: delivery.event,
    action: delivery.action ?? null,
    installation_id: world.app.installationId,
    repository_id: repository?.id ?? null,
    throttled_at: null,
  };
}
