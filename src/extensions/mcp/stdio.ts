import type { Readable, Writable } from "node:stream";
import { LARGEST_MESSAGE, type Listener, type OpenTransport } from "./transport.ts";

/** A started program, with a group of processes of its own. */
export interface Program {
  readonly input: Writable;
  readonly output: Readable;
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** Messages of one line each on a program's input and output. Source: https://modelcontextprotocol.io/specification, "Transports". */
export function stdioTransport(start: () => Promise<Program>): OpenTransport {
  return async (listener) => {
    const program = await start();
    let isTooLarge = false;
    program.output.on(
      "data",
      splitLines(listener, () => {
        isTooLarge = true;
        void program.stop();
      }),
    );
    void program.ended.then((why) => listener.closed(isTooLarge ? `it sent a message of more than ${LARGEST_MESSAGE} bytes` : why));
    return {
      async send(message) {
        program.input.write(`${JSON.stringify(message)}\n`);
        return Promise.resolve();
      },
      close: () => program.stop(),
    };
  };
}

/** Hands on each line that is JSON; other lines are what some servers log where they must not. */
function splitLines(listener: Listener, tooLarge: () => void): (chunk: Buffer) => void {
  let open: Buffer[] = [];
  let bytes = 0;
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      hear(Buffer.concat([...open, chunk.subarray(from, at)]).toString("utf8"), listener);
      open = [];
      bytes = 0;
      from = at + 1;
    }
    open.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes <= LARGEST_MESSAGE) return;
    open = [];
    bytes = 0;
    tooLarge();
  };
}

function hear(line: string, listener: Listener): void {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  listener.message(message);
}
