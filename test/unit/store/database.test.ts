import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigurationError } from "../../../src/core/errors.ts";
import { silent } from "../../../src/core/log.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { migrate, MIGRATIONS } from "../../../src/store/migrations.ts";
import { describeOnDatabases, describeOnPostgres } from "./databases.ts";

describeOnDatabases("the database", ({ database }) => {
  beforeAll(() => database().executeSql("create table scratch (n integer)"));
  afterAll(() => database().executeSql("drop table scratch"));
  const count = async (): Promise<number> => (await database().query("select * from scratch")).length;

  test("keeps what a transaction wrote when it resolves, and nothing of it when it throws", async () => {
    const before = await count();
    await database().transaction((tx) => tx.query("insert into scratch values (1), (2)"));
    expect(await count()).toBe(before + 2);
    const thrown = new Error("no");
    const failing = database().transaction(async (tx) => {
      await tx.query("insert into scratch values (3)");
      throw thrown;
    });
    await expect(failing).rejects.toBe(thrown);
    expect(await count()).toBe(before + 2);
  });

  test("answers a query that was asked beside a transaction, without seeing what that rolls back", async () => {
    const before = await count();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const transaction = database()
      .transaction(async (tx) => {
        await tx.query("insert into scratch values (4)");
        await asked;
        throw new Error("rolled back");
      })
      .catch((error: unknown) => error);
    const beside = count();
    resolve();
    expect(await beside).toBe(before);
    expect(await transaction).toMatchObject({ message: "rolled back" });
  });

  test("runs many transactions at once without losing one", async () => {
    const before = await count();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => database().transaction((tx) => tx.query("insert into scratch values ($1)", [n]))),
    );
    expect(await count()).toBe(before + 20);
  });

  test.each([
    { name: "a statement", fail: () => database().query("select nonsense") },
    { name: "a statement in a transaction", fail: () => database().transaction((tx) => tx.query("select nonsense")) },
    {
      name: "a statement that a transaction survives in JavaScript",
      fail: () => database().transaction(async (tx) => void (await tx.query("select nonsense").catch(() => 0), await tx.query("select 1"))),
    },
    {
      name: "a statement whose error nobody looks at",
      fail: () => database().transaction(async (tx) => void (await tx.query("select nonsense").catch(() => 0))),
    },
    { name: "a script in its own transaction", fail: () => database().executeSql("begin; select 1; select nonsense; commit;") },
  ])("goes on after $name fails", async ({ fail }) => {
    const before = await count();
    await expect(fail()).rejects.toThrow();
    await database().query("insert into scratch values (5)");
    expect(await count()).toBe(before + 1);
  });

  test("answers a script with the rows of all its statements", async () => {
    const { rows } = await database().executeSql("begin; select 1 as n; select 2 as n; commit;");
    expect(rows).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("is ready", async () => {
    expect(await database().isReady()).toBe(true);
  });

  describe("its migrations", () => {
    test("change nothing the second time, whoever runs them at once", async () => {
      await Promise.all([migrate(database(), silent), migrate(database(), silent)]);
      expect(await database().query("select version from sallyport.migrations order by version")).toEqual(
        MIGRATIONS.map((_, index) => ({ version: index + 1 })),
      );
    });

    test("are all or nothing", async () => {
      const bad = [...MIGRATIONS, "create table sallyport.half (n integer); select nonsense;"];
      await expect(migrate(database(), silent, bad)).rejects.toThrow("nonsense");
      expect(await database().query("select to_regclass('sallyport.half') as half")).toEqual([{ half: null }]);
    });

    test("are refused by an older release", async () => {
      await expect(migrate(database(), silent, [])).rejects.toMatchObject({ code: "schema-too-new" });
    });
  });
});

describe("an address of PostgreSQL", () => {
  test.each([
    { name: "another scheme", url: "mysql://user:hunter2@localhost/x", code: "database-url" },
    { name: "no address", url: "hunter2", code: "database-url" },
    { name: "a closed port", url: "postgres://user:hunter2@127.0.0.1:1/x", code: "database-unreachable" },
  ])("that is $name stops the start, names the variable and tells no password", async ({ url, code }) => {
    const error: unknown = await openDatabase({ url, directory: "/nowhere", log: silent }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ code, message: expect.stringContaining("DATABASE_URL") });
    expect(String(error)).not.toContain("hunter2");
  });
});

describeOnPostgres("an outage", ({ database, postgres }) => {
  test("is seen, and over when the server is back", async () => {
    await postgres().stop();
    expect(await database().isReady()).toBe(false);
    await expect(database().query("select 1")).rejects.toThrow();
    await postgres().start();
    expect(await database().isReady()).toBe(true);
  });
});
