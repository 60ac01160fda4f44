import type { PGlite } from "@electric-sql/pglite";
import { expect, test } from "vitest";
import { databaseOn } from "../../../src/store/embedded.ts";

/** What PGlite throws when it cannot write its log; whatever is asked of it afterwards blocks the process for ever. */
const panic = Object.assign(new Error('could not write to log file "000000010000000000000013": No space left on device'), {
  code: "53100",
  severity: "PANIC",
});

/** A PGlite that ends itself at a statement, and must be asked nothing more. */
function mortal(at: string): PGlite {
  let hasEnded = false;
  const asked = (text: string): Promise<object> => {
    if (hasEnded) throw new Error(`it was asked again: ${text}`);
    hasEnded = text.startsWith(at);
    if (hasEnded) return Promise.reject(panic);
    return Promise.resolve({ rows: [{ text }], command: text.toUpperCase() });
  };
  const close = (): Promise<object> => asked("close");
  return { ready: true, closed: false, query: asked, exec: async (text: string) => [await asked(text)], close } as unknown as PGlite;
}

test.each([
  ["a query", "insert", (database: ReturnType<typeof databaseOn>) => database.query("insert")],
  ["a script", "script", (database: ReturnType<typeof databaseOn>) => database.executeSql("script")],
  ["a transaction", "insert", (database: ReturnType<typeof databaseOn>) => database.transaction((tx) => tx.query("insert"))],
  [
    "a transaction that goes on all the same",
    "insert",
    (database: ReturnType<typeof databaseOn>) =>
      database.transaction(async (tx) => {
        await tx.query("insert").catch(() => undefined);
        await tx.query("select");
      }),
  ],
  ["a commit", "commit", (database: ReturnType<typeof databaseOn>) => database.transaction((tx) => tx.query("insert"))],
])("a server that ends itself at %s is asked nothing more, and a new one serves who comes next", async (_, at, work) => {
  const opened: string[] = [];
  const reopen = (): Promise<PGlite> => (opened.push("again"), Promise.resolve(mortal("never")));
  const database = databaseOn(mortal(at), { afterClose: () => Promise.resolve(), reopen });
  expect(await database.isReady()).toBe(true);
  await expect(work(database)).rejects.toBe(panic);
  expect([await database.isReady(), opened]).toEqual([false, []]);
  expect(await database.query("select")).toEqual([{ text: "select" }]);
  expect([await database.isReady(), opened]).toEqual([true, ["again"]]);
});

test("while there is no room it is not opened again at every word, and it can be closed", async () => {
  let tries = 0;
  let isFree = false;
  const reopen = (): Promise<PGlite> => Promise.reject(((tries += 1), Object.assign(new Error("Aborted()"), { name: "RuntimeError" })));
  const database = databaseOn(mortal("insert"), { afterClose: () => Promise.resolve(void (isFree = true)), reopen });
  for (let asked = 0; asked < 5; asked += 1) await expect(database.query("insert")).rejects.toBe(panic);
  expect(tries).toBe(1);
  expect(await database.isReady()).toBe(false);
  await database.close();
  expect(isFree).toBe(true);
});
