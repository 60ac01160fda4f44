import type { Logger } from "../../core/log.ts";
import { openSession, type Session } from "./session.ts";
import type { OpenTransport } from "./transport.ts";

/** One configured tool server, whether it is there or not. */
export interface ToolServer {
  /** As the configuration names it. */
  readonly name: string;
  /** Glob patterns on the server's own names of tools that the operator says only read. */
  readonly read: readonly string[];
  /** The tools that it lists, as it sent them; asked for once until it says that they have changed. @throws {Error} when it is not there. */
  list(): Promise<readonly unknown[]>;
  /** @throws {Error} in a sentence that names the server, when it is not there, refuses, or takes too long. */
  call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
  stop(): Promise<void>;
}

export interface ToolServerOptions {
  readonly name: string;
  readonly read: readonly string[];
  readonly open: OpenTransport;
  /** Of the product, for the greeting. */
  readonly version: string;
  readonly log: Logger;
  readonly now?: () => number;
}

/** How often a server is started within {@link START_WINDOW_MS}; after that it is left alone until the first of these is as old. */
export const MOST_STARTS = 5;
export const START_WINDOW_MS = 10 * 60_000;
const MOST_PAGES = 20;
/** Tools of one server that are looked at; what it lists beyond them is left out. */
const MOST_TOOLS = 128;

/** A server that is started when it is first needed, and again when it has ended, within bounds. A call is never made twice. */
export function toolServer({ name, read, open, version, log, now = Date.now }: ToolServerOptions): ToolServer {
  const starts: number[] = [];
  let current: Promise<Session> | undefined;
  let listed: Promise<readonly unknown[]> | undefined;
  let isStopped = false;

  async function session(): Promise<Session> {
    const asked = current;
    const known = await asked?.catch(() => undefined);
    if (known !== undefined && known.ended() === undefined) return known;
    // Whoever else has waited for it may have started it anew meanwhile.
    return current === asked ? start() : session();
  }

  function start(): Promise<Session> {
    if (isStopped) throw new Error("it was stopped");
    while (starts.length > 0 && now() - (starts[0] ?? 0) >= START_WINDOW_MS) starts.shift();
    if (starts.length >= MOST_STARTS) throw new Error(`it was started ${MOST_STARTS} times within ten minutes and is left alone for now`);
    starts.push(now());
    listed = undefined;
    const opening = openSession({
      open,
      version,
      onChanged: () => {
        listed = undefined;
      },
      onEnded: (why) => {
        if (!isStopped) log.warn({ server: name, why }, "a tool server has ended");
      },
    });
    current = opening;
    return opening;
  }

  async function listAll(): Promise<readonly unknown[]> {
    const { request } = await session();
    const tools: unknown[] = [];
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES && tools.length < MOST_TOOLS; page++) {
      const params = typeof cursor === "string" ? { cursor } : {};
      const answer = (await request("tools/list", params, new AbortController().signal)) as {
        readonly tools?: unknown;
        readonly nextCursor?: unknown;
      } | null;
      if (!Array.isArray(answer?.tools)) throw new Error("it answers with no list of tools");
      tools.push(...(answer.tools as readonly unknown[]));
      cursor = answer.nextCursor;
      if (typeof cursor !== "string") break;
    }
    return tools.slice(0, MOST_TOOLS);
  }

  return {
    name,
    read,
    async list() {
      // A list of a connection that has ended is asked for anew.
      await named(name, session());
      const asked = (listed ??= listAll());
      asked.catch(() => {
        if (listed === asked) listed = undefined;
      });
      return named(name, asked);
    },
    async call(tool, args, signal) {
      try {
        const { request } = await session();
        return await request("tools/call", { name: tool, arguments: args }, signal);
      } catch (error) {
        signal.throwIfAborted();
        return named(name, Promise.reject(error as Error));
      }
    },
    async stop() {
      isStopped = true;
      const open = await current?.catch(() => undefined);
      await open?.close();
    },
  };
}

async function named<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The tool server ${name} did not do it: ${why}.`, { cause: error });
  }
}
