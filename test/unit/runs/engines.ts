import type { JournalEntry } from "../../../src/core/journal.ts";
import { silent } from "../../../src/core/log.ts";
import { createEngine, type Engine, type EngineOptions } from "../../../src/runs/engine.ts";
import { readJournal } from "../../../src/store/journal-rows.ts";
import type { Database, Executor } from "../../../src/store/sql.ts";

/** A database as one process sees it: when that is killed, whatever it still tries is refused and rolled back. */
export function mortal(database: Database): { readonly database: Database; readonly kill: () => void } {
  let isDead = false;
  const alive = <T>(work: () => Promise<T>): Promise<T> => (isDead ? Promise.reject(new Error("this process was killed")) : work());
  const wrap = (executor: Executor): Executor => ({
    query: (text, params) => alive(() => executor.query(text, params)),
    executeSql: (text, values) => alive(() => executor.executeSql(text, values)),
  });
  return {
    kill: () => void (isDead = true),
    database: {
      ...database,
      ...wrap(database),
      transaction: (work) =>
        alive(() =>
          database.transaction(async (tx) => {
            const result = await work(wrap(tx));
            if (isDead) throw new Error("this process was killed before its commit");
            return result;
          }),
        ),
    },
  };
}

export const AUTHORIZED: JournalEntry = { kind: "phase", phase: "authorize", result: "by mona" };
export const turn = (number: number): JournalEntry => ({ kind: "note", turn: number, text: `turn ${number}` });

/** Steps that let every run in and end it after three turns, each journalled once; `at` is told each point on the way. */
export function steps(
  at: (point: string, runId: string) => Promise<void> | void = () => undefined,
): Pick<EngineOptions, "accept" | "execute" | "conclude" | "abandon"> {
  return {
    async accept(run, journal) {
      await at("before the first step", run.id);
      if (journal.entries.length === 0) await journal.append(AUTHORIZED);
      await at("after the first step", run.id);
      return "go";
    },
    async execute(run, journal) {
      await at("before the work", run.id);
      for (let number = journal.entries.length; number <= 3; number += 1) {
        await journal.append(turn(number));
        await at(`after turn ${number}`, run.id);
      }
      await at("after the work", run.id);
      return "done";
    },
    conclude: (_, __, { kind }) => Promise.resolve(kind === "stopped" ? "cancelled" : "blocked"),
    abandon: () => Promise.resolve(),
  };
}

/** An engine with those steps, tried again without delay. */
export function engineOn(database: Database, options: Partial<EngineOptions> = {}): Engine {
  return createEngine({ database, concurrency: 4, log: silent, backoff: () => 0, ...steps(), ...options });
}

export async function accepted(answer: Promise<Awaited<ReturnType<Engine["enqueue"]>>>): Promise<string> {
  const result = await answer;
  if (result.status !== "accepted") throw new Error(result.status);
  return result.runId;
}

export const journalOf = (database: Database, runId: string): Promise<JournalEntry[]> => readJournal(database, runId);

/** Resolves with what `check` answers once that is something. */
export async function eventually<T>(check: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
