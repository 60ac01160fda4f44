import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS, settingsSchema } from "../../../src/config/settings.ts";

describe("settingsSchema", () => {
  it("has a default for everything", () => {
    expect(DEFAULT_SETTINGS).toEqual({
      permission: "write",
      label: "sallyport",
      bots: [],
      max_turns: 50,
      max_minutes: 20,
      max_tokens: 2_000_000,
      max_usd: 5,
    });
  });

  it.each([
    ["a permission nobody knows", { permission: "everybody" }],
    ["a bot by its login", { bots: ["renovatey[bot]"] }],
    ["an empty label", { label: " " }],
    ["no turn at all", { max_turns: 0 }],
    ["a negative price", { max_usd: -1 }],
    ["an unknown key", { permissions: "write" }],
  ])("refuses %s", (_, settings) => {
    expect(settingsSchema.safeParse(settings).success).toBe(false);
  });

  it("takes fractions of minutes and dollars", () => {
    expect(settingsSchema.parse({ max_minutes: 0.5, max_usd: 0.05 })).toMatchObject({ max_minutes: 0.5, max_usd: 0.05 });
  });
});
