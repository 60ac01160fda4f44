import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { compiledCode } from "../../core/compiled-code.ts";
import type { CallAnswer, FromIsolate, IsolateLimits, IsolateStart } from "./isolate-messages.ts";

export interface IsolateOptions {
  /** The body of an async function. */
  readonly script: string;
  /** The tools that it is told of. */
  readonly names: readonly string[];
  /** Makes a call; `args` is JSON text. What it throws ends the script and is thrown on. */
  readonly call: (name: string, args: string) => Promise<Omit<CallAnswer, "id">>;
  readonly signal: AbortSignal;
  readonly limits?: Partial<IsolateLimits>;
}

export type IsolateOutcome =
  | { readonly ok: true; readonly text: string; readonly log: string }
  /** `why` is a sentence. */
  | { readonly ok: false; readonly why: string; readonly log: string };

const LIMITS: IsolateLimits = {
  computingMs: 10_000,
  wholeMs: 10 * 60_000,
  memoryBytes: 64 * 2 ** 20,
  stackBytes: 256 * 2 ** 10,
  calls: 100,
  argumentsLength: 2_000_000,
  answerLength: 200_000,
  logLength: 8000,
  timers: 1000,
};
/** How long after its own limit a script that does not even come to its own clock is waited for, in milliseconds. */
const OVERTIME_MS = 2000;

/**
 * Runs a script in a thread and an engine of its own, with nothing but the language and `call`. Whatever the script does, this resolves within
 * its limits, or when the signal aborts; calls that are under way then are the caller's to wait for.
 */
export async function runInIsolate({ script, names, call, signal, limits }: IsolateOptions): Promise<IsolateOutcome> {
  const within = { ...LIMITS, ...limits };
  await keepEngine();
  const worker = startWorker({ script, names, limits: within });
  const timers = new Set<NodeJS.Timeout>();
  let watchdog: NodeJS.Timeout | undefined;
  const cleanUp: (() => void)[] = [];
  try {
    return await new Promise<IsolateOutcome>((resolve, reject) => {
      const fail = (why: string): void => resolve({ ok: false, why, log: "" });
      const after = (ms: number, why: string): NodeJS.Timeout => {
        const timer = setTimeout(() => fail(why), ms);
        timers.add(timer);
        return timer;
      };
      after(within.wholeMs, `The script took longer than ${within.wholeMs / 1000} s and was ended.`);
      const tooLong = `The script computed for more than ${within.computingMs / 1000} s and was ended.`;
      watchdog = after(within.computingMs + OVERTIME_MS, tooLong);
      const onAbort = (): void => fail("The script was stopped before it had finished.");
      signal.addEventListener("abort", onAbort, { once: true });
      cleanUp.push(() => signal.removeEventListener("abort", onAbort));
      if (signal.aborted) onAbort();

      worker.on("message", (message: FromIsolate) => {
        if (message.kind === "done") {
          const { ok, text, log } = message;
          resolve(ok ? { ok, text, log } : { ok, why: text, log });
        } else if (message.kind === "call") {
          const answer = ({ ok, text }: Omit<CallAnswer, "id">): void => {
            // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
            worker.postMessage({ id: message.id, ok, text } satisfies CallAnswer);
          };
          call(message.name, message.args).then(answer, reject);
        } else {
          clearTimeout(watchdog);
          if (message.kind === "busy") watchdog = after(within.computingMs + OVERTIME_MS, tooLong);
        }
      });
      worker.on("error", () => fail("The script broke the engine it ran in, as when it uses up its memory."));
      worker.on("exit", () => fail("The script ended without an answer."));
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    for (const clean of cleanUp) clean();
    await worker.terminate();
  }
}

/** The engine's code outlives the thread, which compiles it. */
async function keepEngine(): Promise<void> {
  try {
    await compiledCode("quickjs", () => readFile(new URL(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"))));
  } catch {
    // In a bundle there is no such package; nor does anything else there compile code that could be hurt.
  }
}

/** The thread has no environment, no arguments and no way to the process's output. */
function startWorker(start: IsolateStart): Worker {
  // Beside this file, as source or as it was built: a bundle puts `isolate-worker.js` next to itself.
  const entry = new URL(`./isolate-worker.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);
  const worker = new Worker(entry, {
    workerData: start,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}
