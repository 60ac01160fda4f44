import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Entrypoint, Service } from "./api.ts";
import { within } from "./within.ts";

/** Milliseconds in which a service starts, or stops. */
export const SERVICE_WITHIN = 20_000;

/** Whether a service belongs to this kind of process. */
export function isOn({ on = ["app"] }: Service, entrypoint: Entrypoint): boolean {
  return on.includes(entrypoint);
}

/** Stops services side by side; one that throws or hangs is left alone, and said in the log. Never throws. */
export async function stopServices(services: readonly Service[], log: Logger, withinMs = SERVICE_WITHIN): Promise<void> {
  await Promise.all(
    services.map(async (service) => {
      try {
        await within(withinMs, () => service.stop());
      } catch (error) {
        log.warn({ service: service.name, error: messageOf(error) }, "a service did not stop");
      }
    }),
  );
}
