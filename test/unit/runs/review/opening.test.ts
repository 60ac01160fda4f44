import { expect, test } from "vitest";
import { settingsOf } from "../../../../src/config/settings.ts";
import { memoryJournal } from "../../../../src/core/memory-journal.ts";
import { planReading } from "../../../../src/review/read/plan-reading.ts";
import { readReviewOpening } from "../../../../src/runs/review/opening.ts";
import type { RunContext } from "../../../../src/runs/run-context.ts";
import type { Workspace } from "../../../../src/workspace/workspace.ts";
import { diffFile } from "../../review/files.ts";

const HEAD = "a".repeat(40);
type About = { readonly text: string; readonly files: readonly string[]; readonly commit: string };

/** The text of a review's first message, and what the code graph was asked. */
async function open(ignore: readonly string[] = [], guidance: Readonly<Record<string, string>> = {}) {
  const asked: About[] = [];
  const files = [diffFile("src/basket.js", "@@ -5,1 +5,1 @@ class Basket › count(items)\n-a\n+b")];
  const plan = planReading(files, { whySkipped: () => undefined, partSize: 1000, mostParts: 2 });
  const pin = { commit: HEAD, base: { ref: "main", sha: HEAD } };
  const context = {
    run: { id: "run-1" },
    request: {
      repository: { owner: "acme", name: "widgets" },
      thread: { kind: "pull-request", number: 1 },
      actor: { login: "alice" },
      title: "A feature",
      body: "",
      text: "",
      unasked: true,
    },
    settings: settingsOf([{ review: { enabled: true, ignore: [...ignore] } }]),
    journal: memoryJournal([{ kind: "phase", phase: "authorize", result: { pin, profile: "read" } }]),
  } as unknown as RunContext;
  const pack = (about: About) => (asked.push(about), Promise.resolve("count(items) is called by sell() in src/shop.js:2"));
  const graph = {
    pack,
    ask: () => Promise.reject(new Error("unused")),
    reach: () => Promise.resolve(undefined),
    glance: () => Promise.resolve(undefined),
    enclosing: () => Promise.resolve(undefined),
  };
  const base = {
    commit: HEAD,
    paths: () => Object.keys(guidance),
    file: (path: string) => Promise.resolve(guidance[path] === undefined ? undefined : Buffer.from(guidance[path])),
  };
  const [, message] = await readReviewOpening(context, {
    desk: { base, graph, workspace: {} as Workspace },
    reading: { files, plan },
    system: "You review.",
  });
  return { text: message?.text ?? "", asked };
}

test("a review is told what the code graph says of what is changed, as data", async () => {
  const { text, asked } = await open();
  expect(asked).toEqual([{ text: "class Basket › count(items)", files: ["src/basket.js"], commit: HEAD }]);
  expect(text).toMatch(/<untrusted-\w+ origin="code graph of what is changed" trust="thread">\ncount\(items\) is called by sell\(\)/);
});

test("where files are kept out of reviews the graph is not asked: it could show them", async () => {
  const { text, asked } = await open(["secret/**"]);
  expect(asked).toEqual([]);
  expect(text).not.toContain("code graph");
});

test("what the base says of the folders of its files is told, of no others", async () => {
  const { text } = await open([], { "AGENTS.md": "Use tabs.", "src/AGENTS.md": "No classes.", "web/AGENTS.md": "No frames." });
  expect(text).toContain("Use tabs.");
  expect(text).toMatch(/origin="src\/AGENTS\.md on the base branch" trust="repository">\nNo classes\./);
  expect(text).not.toContain("No frames.");
});
