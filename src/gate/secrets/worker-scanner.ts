import { Worker } from "node:worker_threads";
import type { HeldQuestion, HeldReport } from "./look-for-held.ts";
import type { ShapeReport } from "./look-for-shapes.ts";
import type { ScanInput } from "./scan-input.ts";
import type { SecretScanner } from "./scanner.ts";
import { watchThread } from "./watch-thread.ts";

/** What the worker is asked, and what it answers: one answer to each question, in turn. */
export type ScanQuestion =
  | { readonly ask: "shapes"; readonly input: ScanInput }
  | { readonly ask: "held"; readonly input: ScanInput; readonly question: HeldQuestion };
export type ScanAnswer = { readonly report: ShapeReport | HeldReport } | { readonly error: string };

export interface WorkerScannerOptions {
  /** The worker's own module. */
  readonly entry?: URL;
  /** Threads at most. They are started when first needed, and again after one was ended. */
  readonly threads?: number;
  /** Milliseconds of a thread's work for one question: see {@link ThreadLimits}. */
  readonly deadlineMs?: number;
  /** Milliseconds by the clock for one question, from when it is asked. Its end is a finding and no mystery. */
  readonly longestMs?: number;
  /** Megabytes of objects that one thread may hold. */
  readonly memoryMb?: number;
}

/** Looks for secrets in threads of its own. Disposing ends them; what is asked meanwhile is rejected. */
export interface WorkerScanner extends SecretScanner, AsyncDisposable {}

const THREADS = 2;
const DEADLINE_MS = 8_000;
/** A minute and a half: a question is answered in seconds where the machine does ten times as much as it can. */
const LONGEST_MS = 90_000;
/** Questions that may wait for a thread: each holds its bytes. */
const MOST_WAITING = 200;
/** Ten times what the largest change needs. */
const MEMORY_MB = 1024;

interface Task {
  /** When it was asked, by `performance.now()`. */
  readonly asked: number;
  readonly question: ScanQuestion;
  readonly resolve: (report: ShapeReport | HeldReport) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Looks for secrets in a few threads, so that nothing that a text does to a pattern can hold this one: at its deadline the thread is ended,
 * the question is rejected, and the next one gets a new thread. They see nothing of the environment, and do not keep the process alive.
 */
export function workerScanner({
  entry = workerBeside(),
  threads = THREADS,
  deadlineMs = DEADLINE_MS,
  longestMs = LONGEST_MS,
  memoryMb = MEMORY_MB,
}: WorkerScannerOptions = {}): WorkerScanner {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: Task[] = [];
  let isClosed = false;

  const start = (): Worker => {
    const worker = new Worker(entry, { name: "secrets", env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    all.add(worker);
    // Without a listener an error at rest would end the process.
    worker.on("error", () => drop(worker));
    worker.on("exit", () => drop(worker));
    return worker;
  };
  const drop = (worker: Worker): void => {
    all.delete(worker);
    const at = idle.indexOf(worker);
    if (at >= 0) idle.splice(at, 1);
  };
  const next = (): void => {
    while (waiting.length > 0 && (idle.length > 0 || all.size < threads)) {
      const task = waiting.shift();
      if (task === undefined) return;
      const left = task.asked + longestMs - performance.now();
      if (left <= 0) task.reject(new Error(`no thread was free to look for secrets in ${longestMs / 1000} s`));
      else carryOut(task, idle.pop(), left);
    }
  };
  const carryOut = ({ question, resolve, reject }: Task, rested: Worker | undefined, left: number): void => {
    let worker: Worker;
    try {
      worker = rested ?? start();
    } catch (error) {
      reject(new Error("no thread could be started to look for secrets", { cause: error }));
      return;
    }
    const settle = (end: () => void): void => {
      watch[Symbol.dispose]();
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      end();
      next();
    };
    const onMessage = (answer: ScanAnswer): void =>
      settle(() => {
        worker.unref();
        idle.push(worker);
        if ("report" in answer) resolve(answer.report);
        else reject(new Error(`secrets could not be looked for: ${answer.error}`));
      });
    const onError = (error: Error): void => settle(() => reject(new Error(`the thread that looks for secrets broke: ${error.message}`)));
    const onExit = (): void => settle(() => reject(new Error("the thread that looks for secrets was ended")));
    const watch = watchThread(worker, { deadlineMs, longestMs: left }, (why) => {
      drop(worker);
      void worker.terminate();
      settle(() => reject(new Error(why)));
    });
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
    worker.postMessage(question);
  };
  const ask = (question: ScanQuestion): Promise<ShapeReport | HeldReport> =>
    new Promise((resolve, reject) => {
      if (isClosed) reject(new Error("looking for secrets has ended"));
      else if (waiting.length >= MOST_WAITING) reject(new Error(`${MOST_WAITING} questions wait for a thread that looks for secrets`));
      else {
        waiting.push({ asked: performance.now(), question, resolve, reject });
        next();
      }
    });

  return {
    longestMs,
    shapes: (input) => ask({ ask: "shapes", input }) as Promise<ShapeReport>,
    held: (input, question) => ask({ ask: "held", input, question }) as Promise<HeldReport>,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error("looking for secrets has ended"));
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/** The worker beside this module, as source and as built; spelled out, so that tools that follow addresses find it. */
function workerBeside(): URL {
  return import.meta.url.endsWith(".ts") ? new URL("./scan-worker.ts", import.meta.url) : new URL("./scan-worker.js", import.meta.url);
}
