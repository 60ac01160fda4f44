import { expect, test } from "vitest";
import { isCron } from "../../../src/config/cron.ts";

test.each(["* * * * *", "0 6 * * 1", " */15 0-6,22 1,15 jan-MAR mon-fri ", "5/10 4 * * SUN", "0 0 31 12 7", "59 23 1-31/2 * 0"])(
  "%s is a cron expression",
  (text) => {
    expect(isCron(text)).toBe(true);
  },
);

test.each([
  "",
  "* * * *",
  "* * * * * *",
  "60 * * * *",
  "* 24 * * *",
  "* * 0 * *",
  "* * 32 * *",
  "* * * 13 *",
  "* * * * 8",
  "*/0 * * * *",
  "5-1 * * * *",
  "* * * mon *",
  "@daily",
  "a b c d e",
  "*-5 * * * *",
  "1,,2 * * * *",
  "L * * * *",
  "-1 * * * *",
])("%s is none", (text) => {
  expect(isCron(text)).toBe(false);
});
