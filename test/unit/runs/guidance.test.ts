import { describe, expect, it } from "vitest";
import { readGuidance } from "../../../src/runs/guidance.ts";

const read = (files: Readonly<Record<string, string>>) =>
  readGuidance({
    commit: "c".repeat(40),
    paths: () => Object.keys(files),
    file: (path) => Promise.resolve(files[path] === undefined ? undefined : Buffer.from(files[path])),
  });

describe("a repository's guidance", () => {
  it("is what its usual files say, each text once, in whatever case their names are", async () => {
    const found = await read({
      "AGENTS.md": "\ufeffUse tabs.\n",
      "CLAUDE.md": "Use tabs.",
      "contributing.md": "Sign off.",
      "README.md": "Hi",
    });
    expect(found.files).toEqual([
      { path: "AGENTS.md", text: "Use tabs." },
      { path: "contributing.md", text: "Sign off." },
    ]);
  });

  it("leaves out what is empty or only points at another file, and names those of folders", async () => {
    const found = await read({
      "AGENTS.md": " \n",
      "CLAUDE.md": "@AGENTS.md\n",
      "web/AGENTS.md": "x",
      "api/CLAUDE.md": "y",
      "AGENTS.md.bak": "",
    });
    expect(found).toEqual({ files: [], further: ["web/AGENTS.md", "api/CLAUDE.md"] });
  });

  it("is bounded, each file and all of them, and says what was left out", async () => {
    const long = (letter: string) => letter.repeat(20_000);
    const { files } = await read({ "AGENTS.md": long("a"), "CLAUDE.md": long("b"), "CONTRIBUTING.md": long("c") });
    expect(files.map(({ text }) => text.slice(-70))).toEqual([
      expect.stringMatching(/a\n\[… 8000 characters left out; read_file shows AGENTS\.md …\]$/),
      expect.stringMatching(/b\n\[… 8000 characters left out; read_file shows CLAUDE\.md …\]$/),
    ]);
  });
});
