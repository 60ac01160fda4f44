import { createServer, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { silent } from "../../../src/core/log.ts";
import type { Database } from "../../../src/store/sql.ts";
import { createPages, type PagesOptions } from "../../../src/web/pages.ts";

export interface Page {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Wish {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Pages behind a real server on this machine. */
export interface Site extends AsyncDisposable {
  get(path: string, wish?: Wish): Promise<Page>;
}

export async function openSite(database: Pick<Database, "query" | "executeSql">, options: Partial<PagesOptions> = {}): Promise<Site> {
  const pages = createPages({ database, log: silent, ...options });
  const server: Server = createServer((request, response) => void pages(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    get: (path, wish = {}) => send(port, path, wish),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The path goes out as it stands; `fetch` would tidy it up. */
function send(port: number, path: string, { method = "GET", headers = {}, body }: Wish): Promise<Page> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      // Broken off in the middle.
      response.once("error", reject);
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString("utf8") }),
      );
    });
    request.once("error", reject);
    request.end(body);
  });
}

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** What must hold for every answer, whatever was asked and by whom. */
export function expectPolicy({ headers, text }: Page): void {
  expect(headers).toMatchObject({
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
  // Exactly these elements are ours; a hostile text adds none.
  for (const [, element = ""] of text.matchAll(/<([a-z][^\s/>]*)/gi)) expect(OURS).toContain(element);
  const scripts = /<script src="\/sallyport\/live\.js" defer><\/script>/g;
  const forms = /<form(?: class="[\w-]+")? action="\/sallyport[\w/-]*" method="(?:get|post)">/g;
  expect(text.replace(scripts, "").replace(forms, "")).not.toMatch(/<script|<[^>]*\s(?:on\w+|style|src|action)\s*=/i);
  for (const [, address = ""] of text.matchAll(/(?:href)="([^"]*)"/g)) expect(address).toMatch(/^(?:https?:\/\/|\/sallyport|#main$)/);
}
const OURS =
  "!doctype html head meta title link body a header span nav main h1 h2 h3 p ul ol li bdi time dl dt dd pre code div details summary svg path rect circle table caption thead tbody tr th td figure figcaption strong script noscript form label input textarea button section ellipse".split(
    " ",
  );

/** What a reader sees: without tags, entities read. */
export const visible = ({ text }: Page): string =>
  text
    .replace(/<[^>]+>/g, " ")
    .replace(
      /&(lt|gt|quot|#39|#96|amp);/g,
      (_, name: string) => ({ lt: "<", gt: ">", quot: '"', "#39": "'", "#96": "`", amp: "&" })[name] ?? "",
    )
    .replace(/\s+/g, " ");
