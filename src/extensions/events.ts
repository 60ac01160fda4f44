import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Awaitable, Events } from "./api.ts";
import { redacted } from "./redact.ts";

/** Events that wait for one observer; what comes beyond is dropped. */
const MOST_WAITING = 64;

type Handler = (event: never) => Awaitable<void>;

interface Observer {
  readonly owner: string;
  readonly event: keyof Events;
  readonly handler: Handler;
  readonly isOn: () => boolean;
  readonly waiting: unknown[];
  isBusy: boolean;
  isDropping: boolean;
  hasFailed: boolean;
}

/** Hands events to observers, in their order and beside the run: nothing that they do is waited for, or can fail it. */
export interface EventBus {
  /** `isOn` is asked for each event. */
  add(observer: Pick<Observer, "owner" | "event" | "handler" | "isOn">): void;
  emit<K extends keyof Events>(event: K, payload: Events[K]): void;
  /** How many events observers have missed so far, by the event's name. */
  dropped(): ReadonlyMap<string, number>;
}

export function createEventBus({ log, mask }: { readonly log: Logger; readonly mask: (text: string) => string }): EventBus {
  const observers: Observer[] = [];
  const dropped = new Map<string, number>();

  function hand(observer: Observer, payload: unknown): void {
    if (observer.waiting.length >= MOST_WAITING) {
      dropped.set(observer.event, (dropped.get(observer.event) ?? 0) + 1);
      if (!observer.isDropping) log.warn({ extension: observer.owner, event: observer.event }, "an observer is too slow and misses events");
      observer.isDropping = true;
      return;
    }
    observer.waiting.push(payload);
    if (!observer.isBusy) void work(observer);
  }

  async function work(observer: Observer): Promise<void> {
    observer.isBusy = true;
    // An observer begins after whoever told of the event has gone on.
    await Promise.resolve();
    while (observer.waiting.length > 0) {
      const next = observer.waiting.shift();
      try {
        await observer.handler(next as never);
      } catch (error) {
        const said = { extension: observer.owner, event: observer.event, error: messageOf(error) };
        // One that fails at every call must not fill the log.
        log[observer.hasFailed ? "debug" : "warn"](said, "an observer failed");
        observer.hasFailed = true;
      }
    }
    observer.isBusy = false;
    observer.isDropping = false;
  }

  return {
    add: (observer) => void observers.push({ ...observer, waiting: [], isBusy: false, isDropping: false, hasFailed: false }),
    emit(event, payload) {
      const listening = observers.filter((observer) => observer.event === event && observer.isOn());
      if (listening.length === 0) return;
      const shown = redacted(payload, mask);
      for (const observer of listening) hand(observer, shown);
    },
    dropped: () => dropped,
  };
}
