/**
 * SQLSTATEs that tell of the database's state and of no statement: a lost connection, a shutdown or start, no more connections, no more room,
 * a server that only reads for now, a failing disk. https://www.postgresql.org/docs/15/errcodes-appendix.html
 */
const STATES = /^(?:08...|57P0[1-5]|53...|25006|58...)$/;
const SYSTEM = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"];
/** The driver's own, which carry no code. */
const DRIVER = /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|timeout (?:exceeded|expired))/;

/** Whether a statement failed because the database was away, or could take nothing: the same one may be taken in a while. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isOutage)) return true;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return STATES.test(code) || ("syscall" in error && SYSTEM.includes(code)) || DRIVER.test(error.message);
}
