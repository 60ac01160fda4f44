import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { holdSecrets } from "../../../src/core/secrets.ts";
import { appendRow } from "../../../src/store/journal-rows.ts";
import { readDiff, type BaseFile } from "../../../src/web/changes/file-diff.ts";
import { renderPatch } from "../../../src/web/changes/patch.ts";
import { marked } from "../../../src/web/changes/marked.ts";
import { markupOf } from "../../../src/web/html.ts";
import { describeOnEmbedded } from "../store/databases.ts";
import { openSite, visible } from "./site.ts";
import { storeRun, writeJournal } from "./stored-runs.ts";

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

describeOnEmbedded("a change set on the dashboard", ({ database, clear }) => {
  beforeEach(clear);

  const before: Readonly<Record<string, string>> = {
    "src/sum.js": "one\ntwo\nthree\n",
    "gone.js": "bye\n",
    "no end": "a\nb",
    "run.sh": "#!/bin/sh\n",
  };
  const after: Readonly<Record<string, string>> = {
    "src/sum.js": "one\n2\nthree\nfour\n",
    'ünu"sual\t.txt': "new\n",
    "no end": "a\nc",
    "empty.txt": "",
  };
  const readBase = async (): Promise<ReadonlyMap<string, BaseFile>> =>
    new Map(Object.entries(before).map(([path, text]) => [path, { mode: "100644", content: bytes(text) }]));

  async function storeChanges(files: Readonly<Record<string, string>>, deleted: readonly string[] = []): Promise<string> {
    const id = await storeRun(database());
    await writeJournal(database(), id, [{ kind: "phase", phase: "authorize", result: { pin: { commit: "c".repeat(40) } } }]);
    const entries = Object.keys(files).map((path, index) => ({ path, mode: "100644" as const, blob: `blob${index}` }));
    const blobs = new Map(Object.values(files).map((text, index) => [`blob${index}`, bytes(text)]));
    const entry = { kind: "snapshot", turn: 1, entries: [...entries, ...deleted.map((path) => ({ path }))] } as const;
    await appendRow(database(), { run: { id, attempt: 0 }, sequence: 2, entry, blobs });
    return id;
  }

  test("is a patch that git applies to the very files that it stands for", async () => {
    const id = await storeChanges(after, ["gone.js"]);
    const diff = await readDiff({ id, repositoryId: 1 }, { database: database(), readBase, mask: (text) => text });
    const patch = renderPatch(diff ?? { files: [], more: 0, hasBase: false }, id);
    const folder = mkdtempSync(join(tmpdir(), "sallyport-patch-"));
    try {
      for (const [path, text] of Object.entries(before)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      execFileSync("git", ["init", "-q"], { cwd: folder });
      execFileSync("git", ["apply", "-"], { cwd: folder, input: patch });
      for (const [path, text] of Object.entries(after)) if (text !== "") expect(readFileSync(join(folder, path), "utf8")).toBe(text);
      expect(existsSync(join(folder, "gone.js"))).toBe(false);
      expect(statSync(join(folder, "run.sh")).size).toBe(10);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("shows each file's lines, the gate's findings below the line they are about, and hidden characters", async () => {
    const id = await storeChanges({ "src/sum.js": "one\n2 \u202e<script>alert(1)</script>\nthree\n" });
    const finding = {
      rule: "secrets",
      severity: "block",
      where: { path: "src/sum.js", line: 2 },
      why: "<b>bad</b>",
      fix: "Do not.",
    } as const;
    await writeJournal(
      database(),
      id,
      [{ kind: "decision", operation: "commit", key: "k", decision: { verdict: "block", findings: [finding] } }],
      { from: 3 },
    );
    await using site = await openSite(database(), { readBase });
    const page = await site.get(`/sallyport/runs/${id}`);
    expect(visible(page)).toMatch(
      /src\/sum\.js changed · 1 added, 1 removed .* 2 - ?two 2 \+ ?2 U\+202E <script>alert\(1\)<\/script> held back secrets <b>bad<\/b> Do not\. 3 3 three/,
    );
    expect(page.text).not.toMatch(/\u202e|<script>alert|<b>/);
    const patch = await site.get(`/sallyport/runs/${id}/change.patch`);
    expect(patch.headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="${id}.patch"`,
    });
    expect(patch.text).toContain("-two\n+2 \u202e<script>");
  });

  test("shows no held secret, not even one that hidden characters break up", async () => {
    const secret = "sk-0123456789abcdefghij";
    const id = await storeChanges({ "a.txt": `${secret}\n`, "b.txt": `${secret.split("").join("\u200b")}\n` });
    await using site = await openSite(database(), { mask: holdSecrets([secret]).mask });
    for (const path of [`/sallyport/runs/${id}`, `/sallyport/runs/${id}/change.patch`]) {
      const page = await site.get(path);
      expect(page.text).toContain("***");
      expect(page.text.replaceAll("\u200b", "")).not.toContain("0123456789");
    }
  });

  test("stays light, however much differs", async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index} ${"<&>".repeat(20)}`).join("\n");
    const id = await storeChanges({
      "big.txt": lines,
      ...Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}`, `${index}\n`])),
    });
    await using site = await openSite(database());
    const page = await site.get(`/sallyport/runs/${id}`);
    expect(page.text.length).toBeLessThan(300_000);
    expect(visible(page)).toContain("and 51 more paths");
  });
});

describe("a line of code", () => {
  test.each([
    ["plain", "plain"],
    ["a\u202eb", 'a<span class="hidden-character">U+202E</span>b'],
    ["a\rb", 'a<span class="hidden-character">U+000D</span>b'],
    ["end\r", 'end<span class="hidden-character">U+000D</span>'],
    ["👩‍💻 مي‌خ", "👩‍💻 مي‌خ"],
  ])("%j is shown with marks where something hides", (line, shown) => {
    expect(markupOf(marked(line, true))).toBe(shown);
  });
});
