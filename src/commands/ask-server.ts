import { access } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { SallyportError } from "../core/errors.ts";
import { leaveWish, type Wish } from "../store/control-files.ts";

/** Milliseconds in which a running server takes what is asked of it. */
const TAKEN_WITHIN = 10_000;
const LOOK_EVERY = 100;

/** Asks the server that holds the embedded database, and waits until it has done it. @throws {SallyportError} when it does not in time. */
export async function askServer(directory: string, wish: Wish): Promise<void> {
  const path = await leaveWish(directory, wish);
  for (let waited = 0; waited < TAKEN_WITHIN; waited += LOOK_EVERY) {
    await sleep(LOOK_EVERY);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (!isThere) return;
  }
  throw new SallyportError("The server that holds the database has not taken it yet.", {
    code: "not-taken",
    hint: "It will as soon as it can; its log says what it is about.",
  });
}
