import { converse } from "../../src/agent/converse.ts";
import type { JournalEntry } from "../../src/core/journal.ts";
import { silent } from "../../src/core/log.ts";
import { memoryJournal } from "../../src/core/memory-journal.ts";
import { ok } from "../../src/core/result.ts";
import { holdSecrets } from "../../src/core/secrets.ts";
import type { Model } from "../../src/model/model.ts";
import { answer, call, contextFor, OPENING, say, tool } from "../unit/agent/doubles.ts";
import { randomText } from "../../packages/write-path-corpus/src/expand.ts";
import { measureGroups, rowOf } from "./bench.ts";
import type { BenchGroup, Groups, Target } from "./bench.ts";

const TURNS = 100;
/** Characters of each result. */
const RESULT = 2000;

/** A hundred turns after a hundred others, each with one call: what the loop itself takes. The reference writes each request as JSON, as any client must. */
export function agentGroups(): readonly BenchGroup[] {
  const { mask } = holdSecrets(Array.from({ length: 5 }, (_, n) => randomText(40, `secret ${n}`)));
  const texts = Array.from({ length: 2 * TURNS }, (_, n) => randomText(RESULT, `result ${n}`));
  const look = tool("look", ({ n }) => ok(texts[Number(n)] ?? ""));
  const earlier = pastOf(texts.slice(0, TURNS));
  const requests: unknown[] = [];

  async function hundredTurns(keep: boolean): Promise<void> {
    let turn = TURNS;
    const model: Model = {
      name: "instant",
      complete(request) {
        if (keep) requests.push(request.messages);
        const next = turn < 2 * TURNS ? answer({ calls: [call("look", { n: turn }, `n${turn}`)] }) : say("Done.");
        turn++;
        return Promise.resolve(next);
      },
    };
    await converse({
      model,
      tools: [look],
      mask,
      contextFor: (callId) => contextFor(callId),
      journal: memoryJournal(earlier),
      opening: () => Promise.resolve(OPENING),
      budget: { maxTurns: 10 * TURNS, maxMinutes: 60, maxTokens: 1e12 },
      signal: new AbortController().signal,
      startedAt: Date.now(),
      log: silent,
    });
  }

  const bytes = TURNS * 1.5 * TURNS * RESULT;
  return [
    {
      name: `${TURNS} turns of the agent's loop after ${TURNS} others`,
      cases: [
        {
          name: `reference: ${TURNS} requests as JSON`,
          bytes,
          async run() {
            if (requests.length === 0) await hundredTurns(true);
            for (const request of requests) JSON.stringify(request);
          },
        },
        { name: `the loop (5 ms a turn are ${5 * TURNS} ms)`, bytes, run: () => hundredTurns(false) },
      ],
    },
  ];
}

function pastOf(texts: readonly string[]): readonly JournalEntry[] {
  const turns = texts.flatMap((text, at): JournalEntry[] => {
    const message = { role: "assistant", text: "", calls: [call("look", { n: at }, `c${at}`)] } as const;
    return [
      { kind: "turn", turn: at + 1, message, usage: { input: 100, output: 10, cached: 0 }, model: "m" },
      { kind: "tool-result", turn: at + 1, callId: `c${at}`, tool: "look", result: ok(text) },
    ];
  });
  return [{ kind: "opening", messages: OPENING }, ...turns];
}

export const bench = () => measureGroups(agentGroups());
export const targets: readonly Target<Groups>[] = [
  {
    name: `a turn of the agent's loop, without the model and the tool`,
    unit: "ms",
    atMost: 5,
    figure: (groups) => perTurn(rowOf(groups, `${TURNS} turns`, "the loop")?.medianMs),
  },
];

const perTurn = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / TURNS);
