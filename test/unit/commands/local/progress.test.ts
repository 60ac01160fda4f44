import { describe, expect, it, vi } from "vitest";
import { createSpinner } from "../../../../src/commands/local/spinner.ts";
import { progressLines } from "../../../../src/commands/local/tell.ts";

describe("the progress of a local run", () => {
  it("is a line a turn with what all turns have cost so far, and what is waited for meanwhile", () => {
    const lines: string[] = [];
    const waits: (string | undefined)[] = [];
    const tell = progressLines({ complain: (line) => lines.push(line), busy: (what) => waits.push(what) });
    tell({ kind: "turn", turn: 1, text: "", calls: ["read_file", "gr\u001bep"], tokens: 1000 });
    tell({ kind: "tool-result", turn: 1, tool: "read_file", status: "ok" });
    tell({ kind: "tool-result", turn: 1, tool: "grep", status: "blocked" });
    tell({ kind: "turn", turn: 2, text: "Done.", calls: [], tokens: 500, usd: 0.021 });
    expect(lines).toEqual([
      expect.stringMatching(/^· turn 1: read_file, gr[^\u001b]*ep \(1000 tokens\)$/),
      "  grep: blocked",
      "· turn 2: answers (1500 tokens, $0.02)",
    ]);
    expect(waits).toEqual([
      "the model reads the task",
      expect.stringContaining("read_file"),
      "the model thinks",
      "the model thinks",
      "the gate judges what was made",
    ]);
  });

  it("moves at the bottom of a terminal, lets lines pass above it, fits its width, and goes without a trace", () => {
    vi.useFakeTimers();
    try {
      let screen = "";
      const spinner = createSpinner({ columns: 40, write: (text) => (screen += text) }, () => Date.now());
      const last = (): string => screen.split("\r\u001b[K").at(-1) ?? "";
      spinner.show("the model thinks");
      expect(last()).toBe("⠋ the model thinks · 0 s");
      vi.advanceTimersByTime(2400);
      expect(last()).toMatch(/^. the model thinks · 2 s$/);
      spinner.line("· turn 1");
      expect(screen).toContain("\r\u001b[K· turn 1\n");
      spinner.show("x".repeat(200));
      expect(last().length).toBe(39);
      spinner.show(undefined);
      const gone = screen;
      vi.advanceTimersByTime(5000);
      expect(screen).toBe(gone);
      expect(last()).toBe("");
    } finally {
      vi.useRealTimers();
    }
  });
});
