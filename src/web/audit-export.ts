import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { exportAudit } from "../store/audit.ts";
import type { Executor } from "../store/sql.ts";

/**
 * Sends the audit log as JSON lines, page by page as the other side takes it, so that its length costs no memory. The very rows: they hold
 * names, ids and digests, and with one byte changed their chain could not be checked. A log that cannot be read to its end breaks the
 * connection, so that nobody takes a part for the whole. Rejects, with nothing sent, when not even its beginning can be read.
 */
export async function sendAuditExport(
  request: IncomingMessage,
  response: ServerResponse,
  { database, log }: { readonly database: Executor; readonly log: Logger },
): Promise<void> {
  const lines = exportAudit(database);
  const first = await lines.next();
  response.setHeader("content-type", "application/x-ndjson; charset=utf-8");
  response.setHeader("content-disposition", 'attachment; filename="sallyport-audit.jsonl"');
  if (request.method === "HEAD" || first.done === true) {
    await lines.return(undefined);
    return void response.end();
  }
  try {
    await pipeline(Readable.from(joined(first.value, lines), { highWaterMark: 1 }), response);
  } catch (error) {
    log.warn({ why: messageOf(error) }, "the audit log was not sent to its end");
    response.destroy();
  }
}

async function* joined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}
