import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Stores } from "./store.ts";
import type { StoreLimits } from "./store-upkeep.ts";

/** Milliseconds; a store that is in use says so at each of them. */
const EVERY = 60 * 60_000;

const GIB = 1024 ** 3;

/** What the operator says about the stores, as their upkeep takes it. */
export function storeLimits(
  wish: { readonly max_gib?: number | undefined; readonly max_days?: number | undefined } | undefined,
): StoreLimits {
  const { max_gib: gib, max_days: maxDays } = wish ?? {};
  return { ...(gib === undefined ? {} : { maxBytes: gib * GIB }), ...(maxDays === undefined ? {} : { maxDays }) };
}

/** Tends the stores now and every hour until it is disposed; what fails is logged and tried again. */
export function keepStores(
  stores: Pick<Stores, "tend">,
  { limits, log }: { readonly limits?: StoreLimits; readonly log: Logger },
): AsyncDisposable {
  let working: Promise<void> = Promise.resolve();
  const tend = async (): Promise<void> => {
    try {
      const { evicted, repacked, pinsReleased, bytes } = await stores.tend(limits);
      if (evicted.length + repacked.length + pinsReleased > 0) log.info({ evicted, repacked, pinsReleased, bytes }, "stores tended");
    } catch (error) {
      log.warn({ error: messageOf(error) }, "the stores could not be tended");
    }
  };
  const inTurn = (): void => void (working = working.then(tend));
  inTurn();
  const timer = setInterval(inTurn, EVERY).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await working;
    },
  };
}
