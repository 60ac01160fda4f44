import { createContext, Script } from "node:vm";

/** Runs a synchronous piece of work and ends it in the middle of whatever it does, a regular expression too, once `ms` have passed. */
export type RunLimited = <T>(work: () => T, ms: number) => { readonly done: true; readonly value: T } | { readonly done: false };

const TIMED_OUT = "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** The limit is V8's own: it stops the engine, not only the script (https://nodejs.org/api/vm.html#scriptruninthiscontextoptions). */
export function createTimeLimit(): RunLimited {
  const box: { work: () => void } = { work: () => undefined };
  const context = createContext(box);
  const script = new Script("work()");
  return (work, ms) => {
    let value: { readonly it: ReturnType<typeof work> } | undefined;
    box.work = () => {
      value = { it: work() };
    };
    try {
      script.runInContext(context, { timeout: Math.max(1, Math.ceil(ms)) });
    } catch (error) {
      // The error is one of the context's own realm.
      if (typeof error === "object" && error !== null && "code" in error && error.code === TIMED_OUT) return { done: false };
      throw error;
    } finally {
      box.work = () => undefined;
    }
    return value === undefined ? { done: false } : { done: true, value: value.it };
  };
}
