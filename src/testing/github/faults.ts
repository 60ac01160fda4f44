import type { RecordedRequest } from "./record.ts";

/** What a fault answers instead: a response, a reset connection, or nothing ever. */
export type FaultResponse =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Sent as JSON; a string as it is. */
      readonly body?: unknown;
    }
  | "reset"
  | "hang";

/** Something that goes wrong on the way. Faults strike requests of the API and of git alike. */
export interface Fault {
  /**
   * Which requests: a method and a path like `DELETE /repos/acme/widgets/git/**` (`*` is one segment or any method, `**` any rest),
   * an expression over `METHOD path` (for GraphQL the document follows), or a predicate.
   */
  readonly match: string | RegExp | ((request: RecordedRequest) => boolean);
  /** How often it strikes; without it, always. */
  readonly times?: number;
  /** How many matching requests go by first. */
  readonly skip?: number;
  readonly respond: FaultResponse;
  /** The request takes effect and its answer is lost, instead of the request. Not for git, where it strikes before. */
  readonly after?: boolean;
  /** Runs when it strikes, before the answer. */
  readonly run?: (request: RecordedRequest) => void | Promise<void>;
}

export interface ArmedFault {
  readonly fault: Fault;
  left: number;
  toSkip: number;
}

export function armFault(fault: Fault): ArmedFault {
  return { fault, left: fault.times ?? Infinity, toSkip: fault.skip ?? 0 };
}

/** The fault that strikes this request; counts it. */
export function strikingFault(faults: readonly ArmedFault[], request: RecordedRequest): Fault | undefined {
  for (const armed of faults) {
    if (armed.left <= 0 || !matches(armed.fault.match, request)) continue;
    if (armed.toSkip > 0) {
      armed.toSkip -= 1;
      continue;
    }
    armed.left -= 1;
    return armed.fault;
  }
  return undefined;
}

function matches(match: Fault["match"], request: RecordedRequest): boolean {
  if (typeof match === "function") return match(request);
  if (match instanceof RegExp) return new RegExp(match.source, match.flags.replace(/[gy]/g, "")).test(lineOf(request));
  const [method, path = "**"] = match.split(" ");
  if (method !== "*" && method !== request.method) return false;
  const source = path.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/\*\*|\*/g, (stars) => (stars === "**" ? ".*" : "[^/]+"));
  return new RegExp(`^${source}$`).test(request.path);
}

function lineOf({ method, path, body }: RecordedRequest): string {
  const document = path === "/graphql" && typeof body === "object" && body !== null && "query" in body ? ` ${String(body.query)}` : "";
  return `${method} ${path}${document.replace(/\s+/g, " ")}`;
}
