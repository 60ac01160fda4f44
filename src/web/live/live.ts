import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import { readVersions, type Topic } from "../../store/live-versions.ts";
import type { Executor } from "../../store/sql.ts";

/** Streams of one process; one more is answered 503, and that page stands still. */
const MOST_STREAMS = 100;
/** Milliseconds between looks at the database, which all streams share; nobody looks while there is none. */
const LOOK_EVERY = 1_000;
/** Milliseconds between signs of life; after which a stream ends, so that whoever may look no more is not told for ever. */
const BEAT_EVERY = 15_000;
const LASTS = 10 * 60_000;
/** Bytes that may wait for a slow reader. */
const MOST_WAITING = 16 * 1024;

/** Tells open pages that there is something new, by server-sent events: a version and nothing else, so that pages stay the one way to read. */
export interface Live extends Disposable {
  /** Answers with a stream about one topic. */
  serve(topic: Topic, request: IncomingMessage, response: ServerResponse): void;
}

export interface LiveOptions {
  readonly database: Executor;
  readonly log: Logger;
  readonly limits?: { readonly streams?: number; readonly lookEvery?: number };
}

interface Stream {
  readonly topic: Topic;
  readonly response: ServerResponse;
  /** What its page has seen. */
  version: string | undefined;
}

/**
 * One look a second over the versions of whatever is watched, whichever process of a fleet works on it. Source of the format:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function createLive({ database, log, limits = {} }: LiveOptions): Live {
  const { streams: most = MOST_STREAMS, lookEvery = LOOK_EVERY } = limits;
  const streams = new Set<Stream>();
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;

  async function look(): Promise<void> {
    try {
      const versions = await readVersions(database, [...new Set([...streams].map(({ topic }) => topic))]);
      for (const stream of streams) tell(stream, versions.get(stream.topic));
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ why: messageOf(error) }, "open pages cannot be told what is new");
      isFailing = true;
    }
    timer = streams.size === 0 ? undefined : setTimeout(() => void look(), lookEvery);
  }

  function tell(stream: Stream, version: string | undefined): void {
    if (version === stream.version) return;
    stream.version = version;
    write(stream, `event: changed\nid: ${version ?? "gone"}\ndata: ${version ?? "gone"}\n\n`);
  }

  function write({ response }: Stream, text: string): void {
    // A reader that does not read is let go; its browser comes back.
    if (response.writableLength > MOST_WAITING) response.destroy();
    else response.write(text);
  }

  return {
    serve(topic, request, response) {
      if (streams.size >= most) {
        response.writeHead(503, { "content-type": "text/plain; charset=utf-8", "retry-after": "60" });
        response.end("too many pages are open; this one does not follow\n");
        return;
      }
      const seen = request.headers["last-event-id"];
      const stream: Stream = { topic, response, version: typeof seen === "string" ? seen : undefined };
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" });
      // Also sent at once: a browser takes the stream for open only then.
      response.write("retry: 3000\n\n");
      const beat = setInterval(() => write(stream, ": still here\n\n"), BEAT_EVERY);
      const end = setTimeout(() => response.end(), LASTS);
      streams.add(stream);
      response.once("close", () => {
        clearInterval(beat);
        clearTimeout(end);
        streams.delete(stream);
      });
      timer ??= setTimeout(() => void look(), 0);
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const { response } of streams) response.end();
      streams.clear();
    },
  };
}
