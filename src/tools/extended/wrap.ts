import { AsyncLocalStorage } from "node:async_hooks";
import { AttemptError } from "../../core/errors.ts";
import type { Approve, ToolHandler, ToolRegistration, ToolWrapper } from "../../extensions/api.ts";
import { faultOf } from "../../extensions/fault.ts";
import type { Owned } from "../../extensions/host.ts";
import type { WriteContext } from "../tool.ts";

/** The call that is under way, for a question that a wrapper asks. */
interface Frame {
  readonly context: WriteContext;
  /** What must end the attempt, also where a wrapper has caught it. */
  ends?: AttemptError;
}

const frames = new AsyncLocalStorage<Frame>();

/**
 * Carries one call out as the one that questions are about.
 * @throws {AttemptError} when a question waits for people, whatever the work made of that.
 */
export async function asCall<T>(context: WriteContext, work: () => Promise<T>): Promise<T> {
  const frame: Frame = { context };
  try {
    const result = await frames.run(frame, work);
    if (frame.ends !== undefined) throw frame.ends;
    return result;
  } catch (error) {
    throw frame.ends ?? error;
  }
}

/** False where nobody can answer, and outside of a call. */
export const approve: Approve = async ({ tool, detail }) => {
  const frame = frames.getStore();
  const ask = frame?.context.extension?.ask;
  if (frame === undefined || ask === undefined) return false;
  try {
    return await ask({ callId: frame.context.callId, tool, detail });
  } catch (error) {
    if (error instanceof AttemptError) frame.ends = error;
    throw error;
  }
};

/**
 * The one handler of a tool with all wrappers around it: the one that was added first sees a call first and its result last.
 * @throws {ExtensionFault} for a wrapper that throws or answers no function: a tool is never offered without its wrappers.
 */
export function wrapped(tool: ToolRegistration, handler: ToolHandler, wrappers: readonly Owned<ToolWrapper>[]): ToolHandler {
  const { handler: _, ...shown } = tool;
  const seen = Object.freeze(shown);
  return wrappers.toReversed().reduce((next, { owner, it: wrap }) => {
    let made: unknown;
    try {
      made = wrap(next, seen, approve);
    } catch (error) {
      throw faultOf(owner, `The wrapper of ${tool.name}`, error);
    }
    if (typeof made !== "function") throw faultOf(owner, `The wrapper of ${tool.name}`, "answered something that is no handler");
    return made as ToolHandler;
  }, handler);
}
