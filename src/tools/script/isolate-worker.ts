import { parentPort, workerData } from "node:worker_threads";
import { newQuickJSWASMModuleFromVariant, type QuickJSDeferredPromise, type QuickJSHandle } from "quickjs-emscripten-core";
import type { CallAnswer, FromIsolate, IsolateStart } from "./isolate-messages.ts";
import { PRELUDE, SCRIPT_NAME } from "./isolate-prelude.ts";

/*
 * The thread in which one script runs, in an engine of its own inside WebAssembly. Only texts go in and out. The thread ends with the script;
 * whoever started it ends it earlier when it does not come back.
 */

/** Jobs that run before the clock is looked at again. */
const JOBS = 1000;
const LONGEST_WAIT_MS = 2 ** 31 - 1;

const { script, names, limits } = workerData as IsolateStart;
const send = (message: FromIsolate): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
};

const engine = await newQuickJSWASMModuleFromVariant(import("@jitl/quickjs-wasmfile-release-sync"));
const runtime = engine.newRuntime();
runtime.setMemoryLimit(limits.memoryBytes);
runtime.setMaxStackSize(limits.stackBytes);
const vm = runtime.newContext();

const waiting = new Map<number, QuickJSDeferredPromise>();
let requests = 0;
let calls = 0;
let log = "";
let logOmitted = 0;
let outcome: { readonly ok: boolean; readonly text: string } | undefined;
let computed = 0;
let since = performance.now();
let isOvertime = false;

runtime.setInterruptHandler(() => {
  isOvertime ||= computed + performance.now() - since > limits.computingMs;
  return isOvertime;
});

const goesOn = (): boolean => outcome === undefined && !isOvertime;

/** Lets the script compute: begins with `work`, and ends when it waits or has ended. */
function compute(work: () => void): void {
  if (outcome !== undefined) return;
  send({ kind: "busy" });
  since = performance.now();
  try {
    work();
    while (goesOn() && runtime.hasPendingJob()) runtime.executePendingJobs(JOBS).dispose();
  } catch (error) {
    outcome ??= { ok: false, text: whyBroken(error) };
  }
  computed += performance.now() - since;
  if (isOvertime) outcome = { ok: false, text: `The script computed for more than ${limits.computingMs / 1000} s and was ended.` };
  if (outcome === undefined && waiting.size === 0) outcome = { ok: false, text: whyStuck() };
  if (outcome === undefined) return send({ kind: "idle" });
  finish(outcome);
}

function finish({ ok, text }: { readonly ok: boolean; readonly text: string }): void {
  const more = logOmitted > 0 ? `\n[${logOmitted} more characters were not kept]` : "";
  send({ kind: "done", ok, text: bounded(explained(text), limits.answerLength), log: log + more });
  parentPort?.close();
}

/** The engine's own words for its limits say nothing to whoever wrote the script. */
function explained(text: string): string {
  if (text.startsWith("InternalError: out of memory"))
    return `The script used more than its ${limits.memoryBytes / 2 ** 20} MB of memory. (${text})`;
  if (text.startsWith("InternalError: stack overflow")) return `The script called itself too deeply. (${text})`;
  return text;
}

/** What the engine's host code throws: its own stack is used up, or it was left in pieces by running out of memory. */
function whyBroken(error: unknown): string {
  if (error instanceof RangeError) return "The script called itself too deeply.";
  return `The script broke the engine it ran in, as when it uses up its ${limits.memoryBytes / 2 ** 20} MB of memory.`;
}

function whyStuck(): string {
  const state = started === undefined ? undefined : vm.getPromiseState(started);
  if (state?.type === "rejected") return `The script ended without an answer: ${bounded(JSON.stringify(vm.dump(state.error)), 500)}`;
  return "The script waits for a promise that nothing will settle.";
}

function bounded(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}\n[… ${text.length - longest} characters were not kept]`;
}

function textOf(handle: QuickJSHandle | undefined): string {
  return handle === undefined ? "" : vm.getString(handle);
}

/** A text that the prelude sent as JSON. */
function plainOf(handle: QuickJSHandle | undefined): string {
  return String(JSON.parse(textOf(handle)));
}

function settleRequest(id: number, ok: boolean, text: string): void {
  const promise = waiting.get(id);
  waiting.delete(id);
  using handle = vm.newString(text);
  if (ok) promise?.resolve(handle);
  else promise?.reject(handle);
}

const request = vm.newFunction("request", (kindHandle, firstHandle, secondHandle) => {
  const promise = vm.newPromise();
  const refuse = (why: string): QuickJSHandle => {
    using handle = vm.newString(`[error] ${why}`);
    promise.reject(handle);
    return promise.handle;
  };
  const [kind, first, second] = [textOf(kindHandle), textOf(firstHandle), textOf(secondHandle)];
  const id = ++requests;
  if (kind === "wait") {
    if (waiting.size >= limits.timers) return refuse(`A script may wait for at most ${limits.timers} things at once.`);
    waiting.set(id, promise);
    setTimeout(() => compute(() => settleRequest(id, true, "")), Math.min(Math.max(0, Number(first) || 0), LONGEST_WAIT_MS));
    return promise.handle;
  }
  if (++calls > limits.calls) return refuse(`A script may make at most ${limits.calls} calls; go on in another one.`);
  if (second.length > limits.argumentsLength) return refuse(`The arguments are longer than ${limits.argumentsLength} characters.`);
  waiting.set(id, promise);
  send({ kind: "call", id, name: first, args: second });
  return promise.handle;
});

const say = vm.newFunction("log", (handle) => {
  const line = plainOf(handle);
  const kept = line.slice(0, Math.max(0, limits.logLength - log.length));
  if (kept !== "" || line === "") log += log === "" ? kept : `\n${kept}`;
  logOmitted += line.length - kept.length;
});

const settle = vm.newFunction("settle", (how, handle) => {
  outcome ??= { ok: textOf(how) === "done", text: plainOf(handle) };
});

let started: QuickJSHandle | undefined;

parentPort?.on("message", ({ id, ok, text }: CallAnswer) => compute(() => settleRequest(id, ok, text)));

compute(() => {
  const list = vm.newString(JSON.stringify(names));
  const prelude = vm.unwrapResult(vm.evalCode(PRELUDE, "prelude.js"));
  const start = vm.unwrapResult(vm.callFunction(prelude, vm.undefined, request, say, settle, list));
  // The line break before the script keeps its columns, and one after it ends a comment.
  const main = vm.evalCode(`(async () => {\n${script}\n})`, SCRIPT_NAME);
  if (main.error !== undefined) {
    const { name, message, stack } = vm.dump(main.error) as { name?: string; message?: string; stack?: string };
    const line = Number(/script\.js:(\d+)/.exec(stack ?? "")?.[1] ?? 0) - 1;
    outcome = { ok: false, text: `The script cannot be read: ${name}: ${message}${line > 0 ? ` (line ${line})` : ""}` };
    return;
  }
  started = vm.unwrapResult(vm.callFunction(start, vm.undefined, main.value));
});
