import { describe, expect, it } from "vitest";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { ok } from "../../../src/core/result.ts";
import { ModelError } from "../../../src/model/errors.ts";
import { answer, call, callTo, hold, messagesOf, notesOf, OPENING, resultsOf, say, scripted, tool, writer } from "./doubles.ts";

describe("an answer that brings nothing", () => {
  const rows: readonly { name: string; turns: ReturnType<typeof answer>[]; why: RegExp; asked: number }[] = [
    { name: "empty three times", turns: [say(""), say(" \n"), say("")], why: /empty answer 3 times/, asked: 3 },
    {
      name: "cut three times",
      turns: Array.from({ length: 3 }, () => answer({ text: "On and", cut: "length" as const })),
      why: /cut off.*3 times/,
      asked: 3,
    },
    {
      name: "withheld three times",
      turns: Array.from({ length: 3 }, () => answer({ cut: "content-filter" as const })),
      why: /filter.*3 times/,
      asked: 3,
    },
    { name: "a refusal", turns: [answer({ refusal: "I can not help with that." })], why: /refused: I can not help with that\./, asked: 1 },
    {
      name: "unreadable calls five times",
      turns: Array.from({ length: 5 }, (_, n) => answer({ broken: [{ call: call("look", `{${n}`), why: "half" }] })),
      why: /could be read 5 times/,
      asked: 5,
    },
  ];
  it.each(rows)("ends the run as failed with the reason: $name", async ({ turns, why, asked }) => {
    const model = scripted(turns);
    expect(await hold({ model })).toMatchObject({ end: "failed", why: expect.stringMatching(why) as string });
    expect(model.requests).toHaveLength(asked);
  });

  it("is nudged on, and a better answer counts from the start", async () => {
    const journal = memoryJournal();
    const model = scripted([say(""), say(""), callTo("look"), say(""), answer({ text: "Half", cut: "length" }), say("Done.")]);
    expect(await hold({ model, journal })).toMatchObject({ end: "stop", text: "Done." });
    expect(notesOf(journal)).toMatchObject(
      [/empty/, /empty/, /empty/, /smaller steps/].map((pattern) => expect.stringMatching(pattern) as string),
    );
  });

  it("does not run the calls beside a refusal", async () => {
    const journal = memoryJournal();
    await hold({ journal, model: scripted([answer({ refusal: "No.", calls: [call("look")] })]) });
    expect(messagesOf(journal)).toEqual([{ role: "assistant", text: "[refused] No.", calls: [] }]);
  });
});

describe("a run in circles", () => {
  it("is warned at the third same call with the same result and ended at the fifth, whatever the order of keys", async () => {
    const journal = memoryJournal();
    const model = scripted((_request, turn) => callTo("look", turn % 2 ? '{"a":1,"b":[{"c":2,"d":3}]}' : '{"b":[{"d":3,"c":2}],"a":1}'));
    expect(await hold({ model, journal })).toMatchObject({
      end: "failed",
      why: expect.stringMatching(/repeated the same call of look/) as string,
    });
    expect(resultsOf(journal).map(({ text }) => /3 times|4 times|5 times/.exec(text)?.[0])).toEqual([
      undefined,
      undefined,
      "3 times",
      "4 times",
      "5 times",
    ]);
  });

  it("is none yet when files are read again in turn, and is one when that goes on for ever", async () => {
    const inTurn = (times: number) => Array.from({ length: times }, (_, n) => callTo("look", { at: n % 2 }));
    expect(await hold({ model: scripted([...inTurn(10), say("Done.")]) })).toMatchObject({ end: "stop" });
    const model = scripted((_request, turn) => callTo("look", { at: turn % 2 }));
    expect(await hold({ model })).toMatchObject({ end: "failed" });
    expect(model.requests).toHaveLength(19);
  });

  it("is one too when the write succeeds each time", async () => {
    const model = scripted(() => callTo("write_file", { path: "a" }));
    expect(await hold({ model })).toMatchObject({ end: "failed" });
    expect(model.requests).toHaveLength(5);
  });

  it("is none when the result differs or something new was written in between", async () => {
    let n = 0;
    const differs = tool("differs", () => ok(`${n++}`));
    const turns = [
      ...Array.from({ length: 8 }, () => callTo("differs")),
      ...Array.from({ length: 8 }, (_, n) => [callTo("look"), callTo("write_file", { path: `${n}` })]).flat(),
    ];
    expect(await hold({ model: scripted([...turns, say("Done.")]), tools: [differs, tool("look"), writer()] })).toMatchObject({
      end: "stop",
    });
  });
});

describe("a budget", () => {
  const spend = { input: 30, output: 10, cached: 0 };
  it("of turns is told at 80 % once, and at its end the model concludes without tools", async () => {
    const journal = memoryJournal();
    const model = scripted(({ tools }, turn) => (tools.length === 0 ? say("I got half way.") : callTo("look", { turn })));
    const conversation = await hold({ model, journal, budget: { maxTurns: 5, maxMinutes: 20, maxTokens: 1e9 } });
    expect(conversation).toMatchObject({ end: "out-of-budget", budget: "max_turns", text: "I got half way.", turns: 6 });
    expect(notesOf(journal)).toMatchObject(
      [/80 % of max_turns is used \(4 of 5\)/, /max_turns is used up/].map((it) => expect.stringMatching(it) as string),
    );
  });

  it("of tokens counts input and output, and calls in the last turn are not run", async () => {
    const journal = memoryJournal();
    const model = scripted((_request, turn) => answer({ text: `turn ${turn}`, calls: [call("look", { turn })], usage: spend }));
    expect(await hold({ model, journal, budget: { maxTurns: 50, maxMinutes: 20, maxTokens: 100 } })).toMatchObject({
      end: "out-of-budget",
      budget: "max_tokens",
      text: "turn 3",
      turns: 4,
    });
    expect(resultsOf(journal)).toHaveLength(3);
    expect(messagesOf(journal).at(-1)?.calls).toEqual([]);
  });

  it("of minutes counts fractions, from the run's first beginning", async () => {
    const model = scripted([say("I had no time.")]);
    expect(await hold({ model, startedAt: Date.now() - 1000, budget: { maxTurns: 5, maxMinutes: 0.01, maxTokens: 1e9 } })).toMatchObject({
      end: "out-of-budget",
      budget: "max_minutes",
      text: "I had no time.",
    });
    expect(model.requests).toMatchObject([{ tools: [] }]);
  });

  const soon = { maxTurns: 50, maxMinutes: 0.003, maxTokens: 1e9 };
  it("of minutes ends a model call that hangs, with what there is", async () => {
    const model = scripted((_request, turn) =>
      turn === 0 ? answer({ text: "So far.", calls: [call("look")] }) : new Promise<never>(() => {}),
    );
    expect(await hold({ model, budget: soon })).toMatchObject({ end: "out-of-budget", budget: "max_minutes", text: "So far." });
  });

  it("of minutes ends a tool that hangs, and every call still has a result", async () => {
    const journal = memoryJournal();
    const hangs = tool("hangs", () => new Promise<never>(() => {}));
    const model = scripted(({ tools }) =>
      tools.length === 0 ? say("It hung.") : answer({ calls: [call("hangs"), call("look", {}, "c2")] }),
    );
    expect(await hold({ model, journal, tools: [hangs, tool("look")], budget: soon })).toMatchObject({
      end: "out-of-budget",
      text: "It hung.",
    });
    expect(resultsOf(journal)).toMatchObject(
      [/stopped before/, /time is used up/].map((text) => ({ status: "error", text: expect.stringMatching(text) as string })),
    );
  });

  it("that is reached leaves the run out of budget even when the model fails to conclude", async () => {
    const model = scripted(({ tools }) =>
      tools.length === 0 ? new ModelError("model-overloaded", "busy") : answer({ text: "Some.", calls: [call("look")] }),
    );
    expect(await hold({ model, budget: { maxTurns: 1, maxMinutes: 20, maxTokens: 1e9 } })).toMatchObject({
      end: "out-of-budget",
      text: "Some.",
    });
  });
});

describe("a fault of the model", () => {
  it("ends the run as failed with reason and hint", async () => {
    const model = scripted([new ModelError("model-key-refused", "the key was refused", { hint: "Check OPENAI_API_KEY." })]);
    expect(await hold({ model })).toMatchObject({
      end: "failed",
      why: "the key was refused",
      hint: "Check OPENAI_API_KEY.",
      turns: 0,
      model: "scripted",
    });
  });

  it("that nobody foresaw is thrown", async () => {
    await expect(hold({ model: scripted([]) })).rejects.toThrow("An unexpected request for turn 0.");
  });

  it("is a conversation that is too long: old turns leave it, the request and the newest result stay", async () => {
    const big = (n: number): string => `start of ${n} ${"x".repeat(10_000)} end of ${n}`;
    const look = tool("look", ({ n }) => ok(big(Number(n))));
    const sizes: number[] = [];
    let turn = -1;
    const model = scripted(({ messages }) => {
      const size = messages.reduce((sum, { text }) => sum + text.length, 0);
      if (size > 60_000) return new ModelError("context-too-long", "too long");
      sizes.push(size);
      turn++;
      expect(messages.slice(0, 2)).toEqual(OPENING);
      if (turn > 0) expect(messages.at(-1)?.text).toContain(`end of ${turn - 1}`);
      return turn < 20 ? callTo("look", { n: turn }) : say("Done.");
    });
    const journal = memoryJournal();
    expect(await hold({ model, journal, tools: [look] })).toMatchObject({ end: "stop", turns: 21 });
    // Refused once, the next time it is seen in advance.
    expect(model.requests.length).toBe(21 + 1);
    expect(journal.entries.filter(({ kind }) => kind === "compacted").length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeGreaterThan(30_000);
  });

  it("that stays too long is tried at most twice more", async () => {
    let turn = -1;
    const model = scripted(() => (++turn < 4 ? callTo("look", { turn }) : new ModelError("context-too-long", "too long")));
    const look = tool("look", ({ turn }) => ok(`${String(turn)} ${"x".repeat(5000)}`));
    expect(await hold({ model, tools: [look] })).toMatchObject({ end: "failed", why: "too long" });
    expect(model.requests.length).toBeGreaterThan(4 + 1);
    expect(model.requests.length).toBeLessThanOrEqual(4 + 3);
  });
});
