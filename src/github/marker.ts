import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { RunState } from "../core/run.ts";

/** What a hidden marker says of the comment that carries it. */
interface Marker {
  readonly run: string;
  readonly state: RunState;
  /** The key of the step that wrote the comment. */
  readonly key?: string;
}

export interface Markers {
  /** The marker as an HTML comment, for one comment's body. Throws for a run or key that it cannot spell. */
  stamp(marker: Marker): string;
  /** The first authentic marker of a body; undefined when it holds none, whatever else it claims. */
  read(body: string): Marker | undefined;
}

/** What a run id and a step key may be made of: nothing that could end the HTML comment. */
const WORD = /^[\w./:#-]{1,200}$/;
const PATTERN = /<!-- sallyport run=(\S{1,200}) state=([a-z-]{1,20})(?: key=(\S{1,200}))? sig=([0-9a-f]{32}) -->/g;
const STATES: Readonly<Record<RunState, true>> = {
  queued: true,
  working: true,
  done: true,
  blocked: true,
  waiting: true,
  failed: true,
  cancelled: true,
  "out-of-budget": true,
};

/**
 * Markers that only the holder of `secret` can make, so that a person or another bot cannot pass a comment off as a run's. The secret
 * is the App's private key (or the Action's token); the signing key is derived from it and says nothing about it.
 */
export function createMarkers(secret: string): Markers {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "sallyport comment marker", 32));
  const sign = ({ run, state, key: step = "" }: Marker) =>
    createHmac("sha256", key)
      .update(JSON.stringify([run, state, step]))
      .digest("hex")
      .slice(0, 32);
  return {
    stamp(marker) {
      const { run, state, key: step } = marker;
      // Two hyphens would end the comment early in strict parsers.
      for (const word of [run, step]) {
        if (word !== undefined && (!WORD.test(word) || word.includes("--")))
          throw new TypeError(`${JSON.stringify(word)} cannot stand in a marker`);
      }
      return `<!-- sallyport run=${run} state=${state}${step === undefined ? "" : ` key=${step}`} sig=${sign(marker)} -->`;
    },
    read(body) {
      for (const [, run = "", state = "", step, signature = ""] of body.matchAll(PATTERN)) {
        if (!isState(state)) continue;
        const marker: Marker = { run, state, ...(step === undefined ? {} : { key: step }) };
        if (timingSafeEqual(Buffer.from(sign(marker)), Buffer.from(signature))) return marker;
      }
      return undefined;
    },
  };
}

function isState(text: string): text is RunState {
  return Object.hasOwn(STATES, text);
}
