import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { serve } from "../../../src/commands/serve.ts";

/** A start where nobody sits at a terminal. */
async function refusalOf(variables: Readonly<Record<string, string>>): Promise<unknown> {
  return serve({ role: undefined }, { variables, cwd: tmpdir(), isTerminal: false, complain: () => undefined }).catch(
    (error: unknown) => error,
  );
}

test("a start without any App names setup beside what is missing", async () => {
  expect(await refusalOf({ SALLYPORT_DATA_DIR: "./none" })).toMatchObject({
    message: expect.stringMatching(/^APP_ID is missing/),
    hint: expect.stringMatching(/App ID on the App's settings page.*"sallyport setup"/),
  });
});

test("a start with an App that is set in part names what is missing, and no setup, which would refuse", async () => {
  expect(await refusalOf({ APP_ID: "1" })).toMatchObject({
    message: expect.stringMatching(/^PRIVATE_KEY is missing/),
    hint: expect.not.stringContaining("setup"),
  });
});
