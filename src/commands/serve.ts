import { ConfigurationError } from "../core/errors.ts";
import { startSallyport } from "../start-sallyport.ts";

/** SIGTERM ends the process within 20 s (what orchestrators grant at least is 30); this leaves room to close the database. */
const LAST_CALL_MS = 18_000;

/** `sallyport serve`: runs until it is told to stop. Answers the exit status. */
export async function serve({ role }: { readonly role: string | undefined }): Promise<number> {
  if (role !== undefined && role !== "web" && role !== "worker") {
    throw new ConfigurationError(`--role ${role} is not known: expected web or worker.`, { code: "bad-role" });
  }
  const product = await startSallyport(process.env, { role: role ?? "all" });
  const signal = await new Promise<string>((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve(name));
  });
  product.log.info({ signal }, "stopping; unfinished runs go on at the next start");
  setTimeout(() => process.exit(0), LAST_CALL_MS).unref();
  await product.stop();
  return 0;
}
