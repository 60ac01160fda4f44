import { describe, expect, it } from "vitest";
import { readGuidance, readNearby } from "../../../src/runs/guidance.ts";
import type { CommitFiles } from "../../../src/workspace/commit-files.ts";

type Files = Readonly<Record<string, string>>;
const commit = (files: Files): CommitFiles => ({
  commit: "c".repeat(40),
  paths: () => Object.keys(files),
  file: (path) => Promise.resolve(files[path] === undefined ? undefined : Buffer.from(files[path])),
});
const read = (files: Files) => readGuidance(commit(files));

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

describe("the guidance of folders", () => {
  const files = {
    "web/AGENTS.md": "Of the web.",
    "web/ui/CLAUDE.md": "Of its surface.",
    "api/AGENTS.md": "Of the interface.",
    "api/CLAUDE.md": "Of the interface.",
    "website/AGENTS.md": "Of something else.",
    "long/AGENTS.md": "x".repeat(7000),
  };
  const near = async (...paths: readonly string[]) => readNearby(commit(files), (await read(files)).further, paths);
  it("is read where files below are changed, those of the first file first, each text once", async () => {
    expect((await near("web/ui/a.ts", "api/b.ts")).map(({ path }) => path)).toEqual(["web/AGENTS.md", "web/ui/CLAUDE.md", "api/AGENTS.md"]);
    expect(await near("webs/a.ts", "a.ts")).toEqual([]);
  });
  it("is bounded, and says what was left out", async () => {
    const [long] = await near("long/a.ts");
    expect(long?.text).toMatch(/x\n\[… 1000 characters left out; read_file shows long\/AGENTS\.md …\]$/);
  });
});
