import { networkVariables } from "./commands/network.ts";
import { readEnvironment } from "./config/environment.ts";
import type { Arrivals } from "./core/arrivals.ts";
import { holdSecrets } from "./core/secrets.ts";
import type { Logger } from "./core/log.ts";
import { createLogger } from "./log.ts";
import { startProduct } from "./product.ts";
import type { Product } from "./product-options.ts";

export interface StartOptions {
  /** All, or the half that answers webhooks, or the half that works; a half needs `DATABASE_URL`. */
  readonly role?: "all" | "web" | "worker";
  /** Instead of lines on standard output. It has to take held secrets out of what it writes by itself. */
  readonly log?: Logger;
  /** Where deliveries are noted as they come in. */
  readonly arrivals?: Arrivals;
}

/** A running Sallyport. */
export interface Sallyport extends Omit<Product, "sandbox"> {
  readonly log: Logger;
}

/**
 * Starts webhooks, workers, health and dashboard, as `sallyport serve` does, from variables such as `process.env` and nothing else. It listens
 * once this resolves, takes no signals, and goes on until `stop`.
 * @throws {ConfigurationError} for a variable that is missing or malformed, named in its message.
 * @throws {SallyportError} when a rule of the gate does not find what it is there for.
 */
export async function startSallyport(
  variables: Readonly<Record<string, string | undefined>>,
  { role = "all", log: given, arrivals }: StartOptions = {},
): Promise<Sallyport> {
  const environment = readEnvironment(variables);
  const secrets = holdSecrets();
  const log = given ?? createLogger({ level: environment.logLevel, format: environment.logFormat, mask: secrets.mask });
  const { url, webhookUrl, tools, droppedEvents, idle, stop } = await startProduct({
    environment,
    path: variables["PATH"] ?? "",
    network: networkVariables(variables),
    tracing: variables,
    variables,
    secrets,
    log,
    role,
    ...(arrivals === undefined ? {} : { arrivals }),
  });
  return { url, webhookUrl, log, tools, droppedEvents, idle, stop };
}
