import { randomText } from "./expand.ts";
import type { MacroContext } from "./expand.ts";

/** What the macros of rows stand for, where a row is shown to the gate alone. */
export const context: MacroContext = {
  canary: randomText(40, "canary"),
  sha: "b".repeat(40),
  othersha: "e".repeat(40),
  base: "",
  author: "maria",
};
