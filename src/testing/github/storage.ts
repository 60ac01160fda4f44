import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { World } from "./state.ts";

const SIGNATURE = "embedded-signature";

/** The signed address of something in the storage; `path` is `job-logs/<id>` or `attachments/<id>`. */
export function storedAt(world: World, path: string): string {
  return `${world.storageOrigin}/${path}?sig=${SIGNATURE}`;
}

/**
 * Serves what GitHub keeps elsewhere: logs and attachments, behind signed links. A request that brings a credential of another host is
 * refused, as blob stores do.
 */
export async function listenForStorage(world: World): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", world.storageOrigin);
    const { authorization } = request.headers;
    world.storageRequests.push({ path: pathname, authorization });
    const bytes = bytesAt(world, pathname);
    if (authorization !== undefined) response.writeHead(400).end("InvalidAuthenticationInfo");
    else if (searchParams.get("sig") !== SIGNATURE) response.writeHead(403).end("AuthenticationFailed");
    else if (bytes === undefined) response.writeHead(404).end("BlobNotFound");
    else response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(bytes);
  });
  await new Promise<void>((done, fail) => server.once("error", fail).listen(0, "127.0.0.1", done));
  world.storageOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return server;
}

function bytesAt(world: World, path: string): string | Uint8Array | undefined {
  const [, kind, id = ""] = path.split("/");
  if (kind === "attachments") return world.attachments.get(id)?.bytes;
  if (kind !== "job-logs") return undefined;
  for (const repository of world.repositories.values()) {
    const job = repository.workflowJobs.get(Number(id));
    if (job !== undefined) return job.log;
  }
  return undefined;
}
