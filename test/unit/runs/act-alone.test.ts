import { expect, test } from "vitest";
import { settingsOf } from "../../../src/config/settings.ts";
import { silent } from "../../../src/core/log.ts";
import { actAlone } from "../../../src/runs/acts/alone.ts";
import type { ActContext } from "../../../src/runs/acts/act.ts";
import { mention } from "../store/requests.ts";

/** `go` where no other run is known, said by somebody with this permission. */
async function go(autonomy: "publish" | "plan" | "read", held: string, isBot = false) {
  const request = mention({ actor: { id: 7, login: "alice", isBot }, command: { name: "go" }, trigger: "command" });
  const context = {
    request,
    reader: { permission: () => Promise.resolve(held) },
    settings: settingsOf([{ autonomy: { mention: autonomy } }]),
    log: silent,
    handle: "sallyport",
  };
  const acted = await actAlone(context as unknown as Omit<ActContext, "database">, undefined, { name: "go" });
  return acted.do === "run" ? "carried out" : "refused";
}

test.each([
  ["publish", "write", false, "carried out"],
  ["plan", "write", false, "refused"],
  ["plan", "maintain", false, "carried out"],
  ["plan", "admin", true, "refused"],
  ["read", "write", false, "refused"],
] as const)("where the autonomy is %s, go of somebody with %s (a bot: %s) is %s", async (autonomy, held, isBot, expected) => {
  expect(await go(autonomy, held, isBot)).toBe(expected);
});
