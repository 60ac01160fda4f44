import type { ToolCall } from "../core/conversation.ts";
import type { InnerEntry, Journal } from "../core/journal.ts";
import { failed, type ToolResult } from "../core/result.ts";
import type { NestedCalls } from "../tools/tool.ts";
import type { Executed } from "./execute.ts";
import { storable } from "./recorded-answer.ts";
import { orEndAttempt, rowsWithin } from "./scoped-journal.ts";

export interface NestedOptions {
  /** The call that makes them. */
  readonly parent: ToolCall;
  readonly turn: number;
  readonly names: readonly string[];
  readonly journal: Journal;
  /** The workspace was stored and no result came after it: the first call that is not in the journal has run. */
  readonly resultLost: boolean;
  readonly execute: (call: ToolCall) => Promise<Executed>;
  /** Stores the workspace. */
  readonly onChanged: () => Promise<void>;
  readonly onResult: (tool: string, result: ToolResult) => void;
  readonly mask: (text: string) => string;
  /** Aborted: what is under way is not journalled, so that it can be done again. */
  readonly signal: AbortSignal;
}

type Recorded = Extract<InnerEntry, { kind: "tool-result" }>;

/**
 * The calls that one call makes of other tools. They run one after the other and each is journalled when it has ended, after the workspace that
 * it left. A call that is made again after a crash is answered from the journal; it must be the same call, or nothing more is run.
 */
export function openNestedCalls(options: NestedOptions): NestedCalls {
  const { parent, journal, mask } = options;
  const recorded = new Map(
    rowsWithin(journal, parent.id).flatMap((row): [string, Recorded][] => (row.kind === "tool-result" ? [[row.callId, row]] : [])),
  );
  let { resultLost } = options;
  let made = 0;
  let refused: string | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function perform(call: ToolCall): Promise<ToolResult> {
    if (refused !== undefined) return failed(refused);
    const shown = storable(mask(call.arguments));
    const earlier = recorded.get(call.id);
    if (earlier !== undefined) {
      if (earlier.tool === call.name && earlier.arguments === shown) return earlier.result;
      refused =
        "The process was restarted while this script ran, and the script did not make the same calls again. What its calls had done is kept: look at it before you go on.";
      return failed(refused);
    }
    const executed = resultLost ? LOST : await options.execute(call);
    resultLost = false;
    if (executed.changed) await orEndAttempt(options.onChanged());
    const { result, spilled } = executed;
    if (options.signal.aborted && (executed.abandoned || result.status !== "ok")) return result;
    const row = { kind: "tool-result", turn: options.turn, callId: call.id, tool: call.name, arguments: shown, result } as const;
    const entry = spilled === undefined ? row : { ...row, spilled: spilled.entry };
    await orEndAttempt(journal.append({ kind: "nested", callId: parent.id, entry }, spilled?.blobs));
    options.onResult(call.name, result);
    return result;
  }

  return {
    names: options.names,
    call(name, args) {
      const call: ToolCall = { id: `${parent.id}/${++made}`, name, arguments: storable(args) };
      const mine = last.then(() => perform(call));
      // What is thrown is no result but the run's own trouble, such as another worker: nothing more may begin.
      last = mine.catch(() => {
        refused ??= "The run was ended before this call began.";
      });
      return mine;
    },
    async close() {
      refused ??= "The script had ended before this call began.";
      await last;
    },
  };
}

const LOST: Executed = {
  result: failed(
    "The process was restarted while this call ran or just after; its output was lost, its changes to the workspace are kept.",
  ),
  changed: false,
  abandoned: false,
};
