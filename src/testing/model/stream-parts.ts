import type { ServerResponse } from "node:http";
import type { ModelRequest } from "./request.ts";
import type { Turn } from "./turn.ts";

/** Characters a streamed chunk carries. */
const CHUNK = 40;
/** Rough characters per token, for the usage of turns that name none. */
const CHARACTERS_PER_TOKEN = 4;

/** A call as it is sent, with an id and arguments as text. */
export interface SentCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export function callsOf(turn: Turn, step: number): readonly SentCall[] {
  return (turn.calls ?? []).map(({ id, name, args, raw }, at) => ({
    id: id ?? `call_${step}_${at}`,
    name,
    arguments: raw ?? JSON.stringify(args ?? {}),
  }));
}

/** Tokens that the turn names, or an estimate. */
export function tokensOf(request: ModelRequest, turn: Turn): { readonly input: number; readonly output: number; readonly cached: number } {
  return {
    input: turn.usage?.input ?? Math.ceil(request.text.length / CHARACTERS_PER_TOKEN),
    output: turn.usage?.output ?? Math.ceil(JSON.stringify(turn).length / CHARACTERS_PER_TOKEN),
    cached: turn.usage?.cached ?? 0,
  };
}

/** Pieces of a text that split no character. */
export function pieces(text: string): readonly string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${CHUNK}}`, "gu")) ?? [];
}

/** Sends what there is, and breaks the connection once that has left. */
export function breakOff(response: ServerResponse, last: string): Promise<void> {
  return new Promise((done) => {
    response.write(last === "" ? "\n" : last, () => {
      response.destroy();
      done();
    });
  });
}
