import { beforeEach, expect, test } from "vitest";
import { storeGraphFacts, tidyGraphFacts } from "../../../src/store/graph-facts.ts";
import { describeOnDatabases } from "./databases.ts";

describeOnDatabases("facts of the code graph", ({ database }) => {
  beforeEach(() => database().query("delete from sallyport.graph_facts"));
  const keys = async () =>
    (await database().query<{ key: string }>("select key from sallyport.graph_facts order by key")).map(({ key }) => key);

  test("come back byte for byte, however many are asked for at once, and what is not there is absent", async () => {
    const store = storeGraphFacts(database());
    const entries = new Map(Array.from({ length: 2100 }, (_, n) => [`k${n}`, Buffer.from([n % 256, 0, 255])]));
    await store.write(entries);
    const found = await store.read([...entries.keys(), "another"]);
    expect(found.size).toBe(2100);
    expect(Buffer.from(found.get("k300") ?? [])).toEqual(Buffer.from([44, 0, 255]));
  });

  test("stay as they were first written", async () => {
    const store = storeGraphFacts(database());
    await store.write(new Map([["a", Buffer.from("one")]]));
    await store.write(new Map([["a", Buffer.from("two")]]));
    expect(Buffer.from((await store.read(["a"])).get("a") ?? []).toString()).toBe("one");
  });

  test("go when nobody used them for long, and the oldest when there are too many", async () => {
    const store = storeGraphFacts(database());
    await store.write(new Map(["a", "b", "c", "d"].map((key) => [key, Buffer.from(key)])));
    await database().query("update sallyport.graph_facts set used_at = now() - interval '40 days' where key = 'a'");
    await database().query("update sallyport.graph_facts set used_at = now() - interval '2 days' where key in ('b', 'c')");
    await store.read(["b"]);
    await tidyGraphFacts(database(), 2);
    expect(await keys()).toEqual(["b", "d"]);
  });

  test("are tidied now and then while others are written", async () => {
    let now = 0;
    const store = storeGraphFacts(database(), () => now);
    await store.write(new Map([["a", Buffer.from("a")]]));
    await database().query("update sallyport.graph_facts set used_at = now() - interval '40 days'");
    await store.write(new Map([["b", Buffer.from("b")]]));
    expect(await keys()).toEqual(["a", "b"]);
    now = 2 * 60 * 60_000;
    await store.write(new Map([["c", Buffer.from("c")]]));
    expect(await keys()).toEqual(["b", "c"]);
  });
});
