import { describe, expect, it } from "vitest";
import { orAbandon } from "../../../src/agent/abandon.ts";

describe("what ignores its signal", () => {
  const never = new Promise<never>(() => {});
  it("is abandoned when the signal aborts, or has aborted", async () => {
    const controller = new AbortController();
    const settled = orAbandon(never, controller.signal, 5);
    controller.abort();
    expect(await settled).toEqual({ done: false });
    expect(await orAbandon(never, controller.signal, 5)).toEqual({ done: false });
  });

  it("is heard when it answers or fails within the grace", async () => {
    const aborted = AbortSignal.abort();
    expect(await orAbandon(Promise.resolve(1), aborted, 1000)).toEqual({ done: true, value: 1 });
    await expect(orAbandon(Promise.reject(new Error("late")), aborted, 1000)).rejects.toThrow("late");
  });
});
