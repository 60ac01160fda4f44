import { parse } from "smol-toml";
import { UnreadableError } from "./facts.ts";
import type { Table } from "./plain-data.ts";

/** Parses TOML; keys that stand twice are an error of the format. @throws {UnreadableError} */
export function parseToml(text: string): Table {
  try {
    return parse(text.replace(/^\ufeff/, ""), { maxDepth: 100, integersAsBigInt: "asNeeded" });
  } catch (error) {
    const line = error instanceof Error && "line" in error ? ` (line ${String(error.line)})` : "";
    throw new UnreadableError(`is no valid TOML${line}`, { cause: error });
  }
}
