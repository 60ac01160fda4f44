import { hostname } from "node:os";
import { expect, test } from "vitest";
import { silent } from "../../../../src/core/log.ts";
import { announceWorker } from "../../../../src/runs/upkeep/announce-worker.ts";

test("a process says that it takes runs, and takes it back when it ends, whatever the database answers", async () => {
  const said: { readonly text: string; readonly values: readonly unknown[] }[] = [];
  const database = {
    query: (text: string, values: readonly unknown[] = []) => {
      said.push({ text, values });
      return Promise.reject(new Error("the database is away"));
    },
    executeSql: () => Promise.reject(new Error("not part of this test")),
  };
  const announced = announceWorker({ database, log: silent, version: "1.2.3", slots: 4 });
  await announced[Symbol.asyncDispose]();
  const [came, went] = said;
  expect(said).toHaveLength(2);
  expect(came?.values).toEqual([expect.any(String), hostname(), "1.2.3", 4]);
  expect(went?.text).toContain("delete from sallyport.workers");
  expect(went?.values).toEqual([came?.values[0]]);
});
