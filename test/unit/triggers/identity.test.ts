import { describe, expect, it } from "vitest";
import { ConfigurationError, SallyportError } from "../../../src/core/errors.ts";
import { silent } from "../../../src/core/log.ts";
import { createIdentity } from "../../../src/triggers/identity.ts";

const APP = { id: 42, slug: "sallyport", botLogin: "sallyport[bot]" };

/** A GitHub that answers each time with the next of these. */
function scripted(...answers: (typeof APP | Error)[]): { ask: () => Promise<typeof APP>; asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    ask() {
      const answer = answers[asked];
      asked += 1;
      if (answer === undefined) throw new Error("asked too often");
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}

describe("createIdentity", () => {
  it("asks GitHub once, however many want to know at a time", async () => {
    const { ask, asked } = scripted(APP);
    const identity = createIdentity({ ask, log: silent });
    const told = await Promise.all([identity(), identity(), identity()]);
    expect(told[2]).toEqual({ appId: 42, appSlug: "sallyport", botLogin: "sallyport[bot]" });
    expect(asked()).toBe(1);
  });

  it("asks again after GitHub was away, but not at each delivery", async () => {
    let now = 0;
    const { ask, asked } = scripted(new Error("no route"), APP);
    const identity = createIdentity({ ask, log: silent, now: () => now });
    await expect(identity()).rejects.toThrow("no route");
    now = 999;
    await expect(identity()).rejects.toThrow("no route");
    expect(asked()).toBe(1);
    now = 1000;
    expect((await identity()).appSlug).toBe("sallyport");
  });

  it("names the variables when GitHub refuses id and key", async () => {
    const { ask } = scripted(new SallyportError("401", { code: "bad-credentials" }));
    const refused = await createIdentity({ ask, log: silent })().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigurationError);
    expect(refused).toMatchObject({ message: expect.stringMatching(/^APP_ID and PRIVATE_KEY .*GET \/app/) as string });
  });
});
