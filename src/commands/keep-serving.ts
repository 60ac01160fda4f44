import { startSallyport, type Sallyport, type StartOptions } from "../start-sallyport.ts";

/** SIGTERM ends the process within 20 s (what orchestrators grant at least is 30); this leaves room to close the database. */
const LAST_CALL_MS = 18_000;

export interface KeepServingOptions extends StartOptions {
  /** Called once it listens. */
  readonly onReady?: (product: Sallyport) => void;
}

/** Serves until the process is told to stop. Answers the exit status. */
export async function keepServing(
  variables: Readonly<Record<string, string | undefined>>,
  { onReady, ...options }: KeepServingOptions,
): Promise<number> {
  const product = await startSallyport(variables, options);
  onReady?.(product);
  const signal = await new Promise<string>((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve(name));
  });
  product.log.info({ signal }, "stopping; unfinished runs go on at the next start");
  setTimeout(() => process.exit(0), LAST_CALL_MS).unref();
  await product.stop();
  return 0;
}
