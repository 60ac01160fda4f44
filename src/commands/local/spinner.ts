const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const EVERY_MS = 120;
const CLEAR = "\r\u001b[K";

/** One line at the bottom of a terminal that moves while something is waited for, with the seconds that it has taken. */
export interface Spinner {
  /** Undefined: nothing is waited for any more. */
  show(what: string | undefined): void;
  /** Writes a line above it. */
  line(text: string): void;
}

/** `terminal` is written to as it stands: what is shown must be inert. A spinner alone keeps no process. `now` in milliseconds, for tests. */
export function createSpinner(
  terminal: { readonly columns?: number; write(text: string): unknown },
  now: () => number = Date.now,
): Spinner {
  let shown: { readonly what: string; readonly since: number } | undefined;
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    if (shown === undefined) return;
    const text = `${FRAMES[frame++ % FRAMES.length]} ${shown.what} · ${Math.floor((now() - shown.since) / 1000)} s`;
    terminal.write(CLEAR + text.slice(0, Math.max(20, (terminal.columns ?? 80) - 1)).toWellFormed());
  };
  return {
    show(what) {
      clearInterval(timer);
      terminal.write(CLEAR);
      shown = what === undefined ? undefined : { what, since: now() };
      if (shown === undefined) return;
      draw();
      timer = setInterval(draw, EVERY_MS).unref();
    },
    line(text) {
      terminal.write(`${CLEAR}${text}\n`);
      draw();
    },
  };
}
