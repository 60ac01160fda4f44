import { expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import type { ActContext } from "../../../src/runs/acts/act.ts";
import { ignore } from "../../../src/runs/acts/as-run.ts";
import { mention } from "../store/requests.ts";

/** `ignore`, said below a remark of `author`, to a bot that is called sallyport and writes as `login`. */
async function ignoring(author: string, login: string): Promise<string> {
  const thread = { kind: "pull-request", number: 5, reviewCommentId: 71 } as const;
  const comments = [{ id: 71, author, createdAt: "2026-01-01T00:00:00Z", body: "This never ends." }];
  const context = {
    request: mention({ thread, command: { name: "ignore" }, trigger: "command" }),
    reader: { reviewThread: () => Promise.resolve({ path: "a.ts", hunk: "", comments }) },
    session: { botLogin: () => Promise.resolve(login) },
    log: silent,
    handle: "sallyport",
  };
  const acted = await ignore(context as unknown as ActContext, undefined, { name: "ignore" });
  return acted.do === "answer" ? acted.state : acted.do;
}

test.each([
  ["the bot's own remark", "Sallyport[bot]", "sallyport[bot]", "done"],
  ["its own remark under the login of a workflow's token", "github-actions[bot]", "github-actions[bot]", "done"],
  ["another bot's that bears its name", "sallyport[bot]", "github-actions[bot]", "failed"],
  ["a person's", "maria", "sallyport[bot]", "failed"],
])("ignore below %s", async (_, author, login, expected) => {
  expect(await ignoring(author, login)).toBe(expected);
});
