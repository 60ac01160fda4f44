import { describe, expect, it } from "vitest";
import { fileSchema } from "../../../src/config/file-schema.ts";
import { DEFAULT_SETTINGS, settingsOf } from "../../../src/config/settings.ts";

describe("settings", () => {
  it("have a default for everything that a run needs", () => {
    expect(DEFAULT_SETTINGS).toMatchObject({
      permission: "write",
      label: "sallyport",
      bots: [],
      enabled: true,
      triggers: { issues: "mention" },
      ci: { mode: "fix", attempts: 2 },
      max_turns: 50,
      max_minutes: 20,
      max_tokens: 2_000_000,
      max_usd: 5,
      max_usd_is_set: false,
      gate: { approvals: { permission: "maintain", expires_hours: 72 } },
    });
  });

  it("tell whether somebody set the limit in dollars", () => {
    expect(settingsOf([{ max_usd: 5 }])).toMatchObject({ max_usd: 5, max_usd_is_set: true });
  });
});

describe("fileSchema", () => {
  it.each([
    ["a permission nobody knows", { permission: "everybody" }],
    ["a bot by its login", { bots: ["renovatey[bot]"] }],
    ["an empty label", { label: " " }],
    ["no turn at all", { max_turns: 0 }],
    ["a negative price", { max_usd: -1 }],
    ["an unknown key", { permissions: "write" }],
    ["a schedule of four fields", { schedules: [{ cron: "* * * *", task: "tidy" }] }],
  ])("refuses %s", (_, settings) => {
    expect(fileSchema.safeParse(settings).success).toBe(false);
  });

  it("takes fractions of minutes and dollars", () => {
    expect(fileSchema.parse({ max_minutes: 0.5, max_usd: 0.05 })).toEqual({ max_minutes: 0.5, max_usd: 0.05 });
  });

  it.each([
    ["review: false", { review: false }, { review: { enabled: false } }],
    [
      "review with thresholds",
      {
        review: {
          min_severity: "minor",
          max_remarks: 10,
          refute: true,
          check_suggestions: true,
          label: "review me",
          paths: ["src/**"],
          max_files: 40,
        },
      },
      {
        review: {
          enabled: true,
          min_severity: "minor",
          max_remarks: 10,
          refute: true,
          check_suggestions: true,
          label: "review me",
          paths: ["src/**"],
          max_files: 40,
        },
      },
    ],
    ["the model that refutes", { models: { review_refute: "small" } }, { models: { review_refute: ["small"] } }],
    ["review with what is ignored", { review: { ignore: ["**/gen.ts"] } }, { review: { enabled: true, ignore: ["**/gen.ts"] } }],
    ["ci in a word", { ci: "explain" }, { ci: { mode: "explain" } }],
    ["one model", { model: "gpt-5" }, { model: ["gpt-5"] }],
    ["several models", { model: ["a", "b"] }, { model: ["a", "b"] }],
    ["instructions in a text", { instructions: "Be short." }, { instructions: { all: "Be short." } }],
    ["autonomy of one kind", { autonomy: { review: "read" } }, { autonomy: { review: "read" } }],
  ])("takes %s", (_, written, read) => {
    expect(fileSchema.parse(written)).toEqual(read);
  });
});
