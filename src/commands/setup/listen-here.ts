import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigurationError } from "../../core/errors.ts";

/** A server for this machine's own browser, until disposed of. `url` has no final slash. @throws {ConfigurationError} for a port that is taken. */
export async function listenHere(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  port: number,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: Error): void =>
      reject(
        new ConfigurationError(`--port ${port} cannot be used: ${cause.message}.`, {
          code: "bad-port",
          hint: "0 takes any free one.",
          cause,
        }),
      );
    server.once("error", refused);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", refused);
      resolve();
    });
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
