import { SallyportError } from "../core/errors.ts";
import type { Git, GitProcess } from "./git.ts";

/** An object as git holds it. */
export interface StoredObject {
  readonly sha: string;
  readonly kind: string;
  readonly size: number;
  /** Absent when only what it is was asked, and for one that is larger than was wanted. */
  readonly bytes?: Uint8Array;
}

/** Objects of one store, in the order of their names; undefined for one that is not there. */
export interface ObjectReader {
  read(names: readonly string[], maxBytes: number): Promise<readonly (StoredObject | undefined)[]>;
  /** What they are, without their bytes. */
  look(names: readonly string[]): Promise<readonly (StoredObject | undefined)[]>;
}

/** A git that nobody asks anything ends after this time, in milliseconds: nobody has to close the reader. */
const IDLE_MS = 500;
/** A store on this machine answers in microseconds; a git that is silent for so long, in milliseconds, never will. */
const SILENT_MS = 60_000;
/** An hour: one git serves many questions. */
const LONGEST_MS = 3_600_000;

/**
 * Reads objects by two gits that stay, one for bytes and one for sizes: to start one for every question takes longer than everything else.
 * Names are ids, or what `rev-parse` knows. @throws {SallyportError} when git ends before it has answered.
 */
export function openObjectReader({ git, gitDir }: { readonly git: Git; readonly gitDir: string }): ObjectReader {
  const bytes = conversation(() => git.start(["cat-file", "--batch"], { gitDir, timeoutMs: LONGEST_MS }), true);
  const facts = conversation(() => git.start(["cat-file", "--batch-check"], { gitDir, timeoutMs: LONGEST_MS }), false);
  return {
    read: (names, maxBytes) => Promise.all(bytes(names, maxBytes)),
    look: (names) => Promise.all(facts(names, 0)),
  };
}

interface Asked {
  readonly maxBytes: number;
  readonly resolve: (answer: StoredObject | undefined) => void;
  readonly reject: (error: Error) => void;
}

type Conversation = (names: readonly string[], maxBytes: number) => readonly Promise<StoredObject | undefined>[];

/** Questions in turn to one git, which is started when it is needed. */
function conversation(start: () => GitProcess, withBytes: boolean): Conversation {
  let child: GitProcess | undefined;
  let waiting: Asked[] = [];
  let timer: NodeJS.Timeout | undefined;

  const rest = (): void => {
    clearTimeout(timer);
    const own = child;
    timer = waiting.length === 0 ? setTimeout(() => leave(own), IDLE_MS) : setTimeout(() => own?.kill(), SILENT_MS);
  };
  const leave = (own: GitProcess | undefined): void => {
    if (child === own) child = undefined;
    own?.stdin.end();
  };
  const open = (): GitProcess => {
    const own = start();
    child = own;
    const parse = answers(withBytes, () => waiting.shift());
    own.stdout.on("data", (chunk: Buffer) => {
      try {
        parse(chunk);
      } catch {
        // What is not understood is no answer: all who wait are told as git ends.
        own.kill();
      }
      if (child === own) rest();
    });
    const end = (cause?: unknown): void => {
      if (child !== own) return;
      child = undefined;
      clearTimeout(timer);
      for (const { reject } of waiting.splice(0))
        reject(new SallyportError("git ended before it had read all objects.", { code: "object-unread", cause }));
    };
    own.done.then(() => end(), end);
    return own;
  };
  return (names, maxBytes) => {
    const strange = names.find((name) => name === "" || /[\n\0]/.test(name));
    if (strange !== undefined) throw new TypeError(`${JSON.stringify(strange)} names no object`);
    if (names.length === 0) return [];
    const own = child ?? open();
    const asked = names.map(() => Promise.withResolvers<StoredObject | undefined>());
    waiting = [...waiting, ...asked.map(({ resolve, reject }) => ({ maxBytes, resolve, reject }))];
    own.stdin.write(names.map((name) => `${name}\n`).join(""));
    rest();
    return asked.map(({ promise }) => promise);
  };
}

/** `<sha> <kind> <size>`, with the bytes and a line feed behind where they are asked for, or `<name> missing`. Source: git-cat-file(1), "BATCH OUTPUT". */
function answers(withBytes: boolean, next: () => Asked | undefined): (chunk: Buffer) => void {
  let header = "";
  let open: { readonly asked: Asked | undefined; readonly object: StoredObject; readonly parts: Buffer[]; left: number } | undefined;
  const begin = (): void => {
    const asked = next();
    const [, sha, kind, size] = /^([0-9a-f]{40}) (blob|tree|commit|tag) (\d+)$/.exec(header) ?? [];
    const isGone = / (?:missing|ambiguous)$/.test(header);
    header = "";
    if (sha !== undefined && kind !== undefined) {
      const object = { sha, kind, size: Number(size) };
      if (withBytes) open = { asked, object, parts: [], left: object.size };
      else asked?.resolve(object);
    } else if (isGone) asked?.resolve(undefined);
    else throw new TypeError("git answered something else");
  };
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      if (open === undefined) {
        const end = chunk.indexOf(10, at);
        header += chunk.toString("latin1", at, end < 0 ? chunk.length : end);
        at = end < 0 ? chunk.length : end + 1;
        if (end >= 0) begin();
      } else if (open.left > 0) {
        const part = chunk.subarray(at, at + open.left);
        if (open.asked !== undefined && open.object.size <= open.asked.maxBytes) open.parts.push(part);
        open.left -= part.length;
        at += part.length;
      } else {
        // The line feed after the bytes.
        at += 1;
        const { asked, object, parts } = open;
        open = undefined;
        asked?.resolve(object.size > asked.maxBytes ? object : { ...object, bytes: Buffer.concat(parts) });
      }
    }
  };
}
