import { createHmac, randomUUID } from "node:crypto";
import { takeId, type World } from "../state.ts";
import type { Delivery } from "./delivery.ts";
import type { WebhookEvent } from "./events.ts";

/** How long GitHub waits for an answer. Source: https://docs.github.com/webhooks (best practices) */
const PATIENCE_MS = 10_000;

export interface DeliverOptions {
  /** The delivery id; a new one when absent. The same again stands for a redelivery. */
  readonly id?: string;
  /** Signs with this instead of the App's secret. */
  readonly secret?: string;
  /** Sent as `x-hub-signature-256` instead of a true one. */
  readonly signature?: string;
  /** Sent here instead of to `webhookTarget`. */
  readonly target?: string;
}

/** Sends one signed webhook and waits for the answer. Never throws for what the App does; throws without a target. */
export async function deliver(world: World, { name, payload }: WebhookEvent, options: DeliverOptions = {}): Promise<Delivery> {
  const target = options.target ?? world.webhookTarget;
  if (target === undefined) throw new Error("The embedded GitHub knows no webhook target: set webhookTarget to the App's webhook address.");
  const { id = randomUUID(), secret = world.app.webhookSecret } = options;
  const body = JSON.stringify(payload);
  const started = performance.now();
  const sent = await send(world, target, body, {
    "content-type": "application/json",
    "user-agent": "GitHub-Hookshot/embedded",
    "x-github-event": name,
    "x-github-delivery": id,
    "x-github-hook-id": "1",
    "x-github-hook-installation-target-id": String(world.app.id),
    "x-github-hook-installation-target-type": "integration",
    "x-hub-signature-256": options.signature ?? `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  });
  const action = typeof payload["action"] === "string" ? payload["action"] : undefined;
  const delivery: Delivery = { id, event: name, action, at: Date.now(), ms: performance.now() - started, ...sent };
  const isRedelivery = world.attempts.some((attempt) => attempt.delivery.id === id);
  world.deliveries.push(delivery);
  world.attempts.push({ id: takeId(world), delivery, payload, isRedelivery });
  return delivery;
}

async function send(
  world: World,
  target: string,
  body: string,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), world.stopped.signal]);
  try {
    // A kept connection may be closed by the App just as it is used again: each delivery has its own.
    const response = await fetch(target, { method: "POST", body, headers: { ...headers, connection: "close" }, signal });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: 0, text: String(error) };
  }
}
