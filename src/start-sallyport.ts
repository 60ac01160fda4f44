import { networkVariables } from "./commands/network.ts";
import { readEnvironment } from "./config/environment.ts";
import type { Arrivals } from "./core/arrivals.ts";
import { holdSecrets } from "./core/secrets.ts";
import type { Logger } from "./core/log.ts";
import { createLogger } from "./log.ts";
import type { Effect, ToolBinding, Unsubscribe } from "./extensions/api.ts";
import { startProduct } from "./product.ts";

export interface StartOptions {
  /** All, or the half that answers webhooks, or the half that works; a half needs `DATABASE_URL`. */
  readonly role?: "all" | "web" | "worker";
  /** Instead of lines on standard output. It has to take held secrets out of what it writes by itself. */
  readonly log?: Logger;
  /** Where deliveries are noted as they come in. */
  readonly arrivals?: Arrivals;
}

/** A running Sallyport. Written out, and not taken from the product's own: programs are checked against it without the product's types. */
export interface Sallyport {
  /** `http://127.0.0.1:3000`, without a final slash. */
  readonly url: string;
  readonly webhookUrl: string;
  readonly log: Logger;
  /** Tools beside those of the product and of its extensions, for the conversations that begin from now on. */
  readonly tools: {
    /** @throws {TypeError} for one that cannot be, or whose name is taken. */ add<const E extends Effect>(
      tool: ToolBinding<E>,
    ): Unsubscribe;
  };
  /** How many events observers of extensions have missed so far, by the event's name. */
  droppedEvents(): ReadonlyMap<string, number>;
  /** Resolves when no run is left to do. */
  idle(): Promise<void>;
  /** Answers what is under way, hands running work back, closes. Within about `graceMs` (default 8000). */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
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
