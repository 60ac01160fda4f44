/** UTF-16 units of one line that are kept: a longer one is a bundle or a dump. */
const LONGEST_LINE = 16_000;

/** Cuts bytes into lines as they come and holds never more than one line. */
export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** Hands on the last line, which may have no end. */
  end(): void;
}

/** Hands each line to `onLine`, without its end (LF or CRLF); what of a line is too long is dropped, with a mark in its place. */
export function splitLines(onLine: (line: string) => void): LineSplitter {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let open = "";
  let dropped = 0;

  const keep = (part: string): void => {
    const room = Math.max(0, LONGEST_LINE - open.length);
    open += part.slice(0, room);
    dropped += Math.max(0, part.length - room);
  };
  const close = (): void => {
    const line = open.toWellFormed();
    onLine(dropped === 0 ? line.replace(/\r$/, "") : `${line}[… ${dropped} more characters]`);
    open = "";
    dropped = 0;
  };
  const take = (text: string): void => {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      keep(text.slice(from, end));
      close();
      from = end + 1;
    }
    keep(text.slice(from));
  };
  return {
    push: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end() {
      take(decoder.decode());
      if (open !== "") close();
    },
  };
}
