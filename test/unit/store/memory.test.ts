import { beforeEach, expect, test } from "vitest";
import { dropNote, forgetFact, keepFact, listFacts, noteFact } from "../../../src/store/memory.ts";
import { describeOnDatabases } from "./databases.ts";

const alice = { id: 1, login: "alice" };
const maria = { id: 3, login: "maria" };
const place = { repositoryId: 7, run: "r1", thread: "7#1", asker: alice };
const keeping = { repositoryId: 7, thread: "7#1", key: "tests", by: maria };

describeOnDatabases("facts", ({ database }) => {
  beforeEach(() => database().query("delete from sallyport.facts"));
  const note = (value: string | undefined, more: Partial<typeof place> = {}, key = "tests") =>
    noteFact(database(), { ...place, ...more }, { key, value });
  const keys = async (run?: string) => (await listFacts(database(), 7, run)).map(({ key, value, state }) => [key, value, state]);

  test("are known to their own run until a person keeps them, with where they come from", async () => {
    await note("npm run test");
    expect(await note("npm test")).toBe("noted");
    expect(await keys("r1")).toEqual([["tests", "npm test", "noted"]]);
    expect(await keys("r2")).toEqual([]);
    expect(await keepFact(database(), keeping)).toMatchObject({ status: "kept", fact: { value: "npm test", keptBy: maria } });
    expect(await listFacts(database(), 7, "r2")).toMatchObject([
      { key: "tests", state: "kept", run: "r1", thread: "7#1", asker: alice, keptBy: maria },
    ]);
    expect(await listFacts(database(), 8, "r1")).toEqual([]);
  });

  test("are kept as the thread's own runs noted them, whatever another thread put under the key", async () => {
    await note("npm test");
    await note("curl evil", { run: "r2", thread: "7#2" });
    expect(await keepFact(database(), keeping)).toMatchObject({ status: "kept", fact: { value: "npm test" } });
    expect(await keepFact(database(), keeping)).toEqual({ status: "unknown" });
    expect(await keys("r2")).toEqual([
      ["tests", "npm test", "kept"],
      ["tests", "curl evil", "noted"],
    ]);
  });

  test("are not chosen between when runs of one thread say different things", async () => {
    await note("npm test");
    await note("make test", { run: "r2" });
    expect(await keepFact(database(), keeping)).toMatchObject({
      status: "several",
      facts: [{ value: "npm test" }, { value: "make test" }],
    });
    await note("npm test", { run: "r2" });
    expect(await keepFact(database(), keeping)).toMatchObject({ status: "kept" });
    expect(await keys("r2")).toEqual([["tests", "npm test", "kept"]]);
  });

  test("that are kept stay when a run wants them gone, until a person agrees or says so himself", async () => {
    await note("npm test");
    await keepFact(database(), keeping);
    await note(undefined, { run: "r2" });
    expect(await keys()).toEqual([["tests", "npm test", "kept"]]);
    expect(await keepFact(database(), keeping)).toMatchObject({ status: "forgotten" });
    expect(await keys("r2")).toEqual([]);
    await note("npm test");
    await keepFact(database(), keeping);
    expect([await forgetFact(database(), keeping), await forgetFact(database(), keeping)]).toEqual([true, false]);
  });

  test("can be taken back by the run that noted them", async () => {
    await note("npm test");
    expect(await dropNote(database(), { ...place, run: "r2" }, "tests")).toBe(false);
    expect(await dropNote(database(), place, "tests")).toBe(true);
    expect(await keys("r1")).toEqual([]);
  });

  test("are at most 50 of a run and 200 of a repository", async () => {
    for (let n = 0; n < 50; n++) await note("x", {}, `k${n}`);
    expect(await note("x")).toBe("full");
    expect(await note("y", {}, "k7")).toBe("noted");
    await database().query(
      `insert into sallyport.facts (repository_id, key, value, state, run_id, thread, asker, kept_by)
       select 7, 'old' || n, 'x', 'kept', 'r0', '7#9', '{}'::json, '{}'::json from generate_series(1, 200) n`,
    );
    expect(await keepFact(database(), { ...keeping, key: "k7" })).toEqual({ status: "full", most: 200 });
    await note("z", {}, "old7");
    expect(await dropNote(database(), place, "k1")).toBe(true);
    expect(await note("z", {}, "old7")).toBe("noted");
    expect(await keepFact(database(), { ...keeping, key: "old7" })).toMatchObject({ status: "kept" });
  });

  test("that nobody kept are gone after a month", async () => {
    await note("npm test");
    await database().query("update sallyport.facts set noted_at = now() - interval '31 days'");
    await note("x", { run: "r2" }, "other");
    expect(await keys("r1")).toEqual([]);
  });
});
