import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunState } from "../../../src/core/run.ts";
import { GitHubError, type GitHubErrorCode } from "../../../src/github/errors.ts";
import type { Engine, EngineOptions } from "../../../src/runs/engine.ts";
import { readRun } from "../../../src/store/runs.ts";
import { FetchError } from "../../../src/workspace/fetch-error.ts";
import { describeOnEmbedded } from "../store/databases.ts";
import { mention } from "../store/requests.ts";
import { accepted, engineOn } from "./engines.ts";

const away = (code: GitHubErrorCode = "unreachable", more = {}): Error => new GitHubError("GitHub is away", { code, ...more });

describeOnEmbedded("a bad day at GitHub", ({ database, clear }) => {
  const engines: Engine[] = [];
  beforeEach(clear);
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.stop({ graceMs: 0 });
  });

  async function play(options: Partial<EngineOptions>): Promise<{ readonly state: RunState | undefined; readonly failures?: number }> {
    const engine = engineOn(database(), options);
    engines.push(engine);
    await engine.start();
    const id = await accepted(engine.enqueue(mention()));
    await engine.idle();
    return (await readRun(database(), id)) ?? { state: undefined };
  }

  const late = Object.assign(new Error("terminating connection due to administrator command"), { code: "57P01" });
  const rounds: readonly (readonly [string, Error])[] = [
    ["does not answer", away()],
    ["gives no clear answer", away("uncertain")],
    ["limits the App", away("rate-limited")],
    ["does not serve git", new FetchError("could not be reached", { code: "remote-unreachable" })],
    ["is there and the database is not", late],
  ];

  test.each(rounds)("that %s longer than an error of our own would be borne loses no mention", async (_, error) => {
    let tries = 0;
    const accept: EngineOptions["accept"] = () => ((tries += 1) <= 5 ? Promise.reject(error) : Promise.resolve("go"));
    expect(await play({ accept })).toMatchObject({ state: "done", failures: 0, setbacks: 5 });
  });

  test("does not use up the tries of what goes wrong here", async () => {
    const errors = [away(), away(), new Error("broken"), away(), new Error("broken")];
    const execute: EngineOptions["execute"] = () => {
      const error = errors.shift();
      return error === undefined ? Promise.resolve("done") : Promise.reject(error);
    };
    expect(await play({ execute })).toMatchObject({ state: "done", failures: 2, setbacks: 3 });
  });

  test("that does not end gives the run up, and says so", async () => {
    let [tries, words] = [0, 0];
    const abandon: EngineOptions["abandon"] = () => Promise.resolve(void (words += 1));
    expect(await play({ abandon, execute: () => ((tries += 1), Promise.reject(away())) })).toMatchObject({ state: "failed" });
    expect([tries, words]).toEqual([12, 1]);
  });

  test.each([
    { name: "an error of our own", error: () => new Error("broken for good"), tries: 3 },
    { name: "GitHub's absence", error: () => away(), tries: 12 },
  ])("leaves the last words of a run that $name ended for later, and does no more than say them", async ({ error, tries }) => {
    const done: string[] = [];
    const unsaid = [away(), new DOMException("late", "TimeoutError"), away("rate-limited"), away("uncertain")];
    const state = await play({
      execute: () => (done.push("try"), Promise.reject(error())),
      abandon: () => {
        const failure = unsaid.shift();
        done.push(failure === undefined ? "said" : "unsaid");
        return failure === undefined ? Promise.resolve() : Promise.reject(failure);
      },
    });
    expect(state).toMatchObject({ state: "failed" });
    expect(done).toEqual([...Array<string>(tries).fill("try"), "unsaid", "unsaid", "unsaid", "unsaid", "said"]);
  });

  test("on which last words can not be said for a day ends all the same", async () => {
    let words = 0;
    const abandon: EngineOptions["abandon"] = async ({ id }) => {
      if ((words += 1) === 1) await database().query("update sallyport.runs set setbacks = 158 where id = $1", [id]);
      throw away();
    };
    expect(await play({ abandon, execute: () => Promise.reject(new Error("broken")) })).toMatchObject({ state: "failed" });
    expect(words).toBe(3);
  });

  describe("between two tries", () => {
    async function pauses(errors: Error[]): Promise<(readonly [tries: number, asked: number])[]> {
      const asked: (readonly [number, number])[] = [];
      const backoff: EngineOptions["backoff"] = (tries, seconds) => (asked.push([tries, seconds]), 0);
      const execute: EngineOptions["execute"] = () => {
        const error = errors.shift();
        return error === undefined ? Promise.resolve("done") : Promise.reject(error);
      };
      await play({ backoff, execute });
      return asked;
    }

    test("it is left alone for as long as it asks for", async () => {
      const limited = away("rate-limited", { status: 403, retryInMs: 1_800_400 });
      expect(await pauses([away(), limited, away(), new Error("broken")])).toEqual([
        [1, 0],
        [2, 1801],
        [3, 0],
        [1, 0],
      ]);
    });
  });
});
