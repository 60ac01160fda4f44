import { beforeEach, expect, test } from "vitest";
import type { JournalEntry } from "../../../src/core/journal.ts";
import { holdSecrets } from "../../../src/core/secrets.ts";
import { takeForAcceptance } from "../../../src/store/runs.ts";
import { describeOnEmbedded } from "../store/databases.ts";
import { mention } from "../store/requests.ts";
import { expectPolicy, openSite, visible } from "./site.ts";
import { storeRun, writeJournal } from "./stored-runs.ts";

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(2)><a href="javascript:alert(3)">x</a>\u202e</pre></details>`;

describeOnEmbedded("the page of a run", ({ database, clear }) => {
  beforeEach(clear);

  const finding = {
    rule: "protected-paths",
    severity: "block",
    where: { path: "ci.yml", line: 3 },
    why: "CI file",
    fix: "Ask.",
  } as const;
  const journal: readonly JournalEntry[] = [
    { kind: "phase", phase: "authorize", result: { profile: "write" } },
    { kind: "intent", key: "run-comment/send", operation: "comment" },
    {
      kind: "outcome",
      key: "run-comment/send",
      outcome: { operation: "comment", id: 5, url: "https://github.example/octo/cart/issues/1" },
    },
    { kind: "opening", messages: [{ role: "system", text: "SYSTEM" }] },
    {
      kind: "turn",
      turn: 1,
      message: {
        role: "assistant",
        text: "I will look.",
        calls: [{ id: "c1", name: "edit_file", arguments: '{"path":"src/sum.js","old_string":"a\\nb","deep":{"x":[1]}}' }],
      },
      usage: { input: 1000, output: 20, cached: 600 },
      model: "model-7",
      usd: 0.0123,
    },
    { kind: "decision", operation: "workspace-write", key: "c1", decision: { verdict: "block", findings: [finding] } },
    { kind: "tool-result", turn: 1, callId: "c1", tool: "edit_file", result: { status: "blocked", text: "held back by the gate" } },
    { kind: "snapshot", turn: 1, entries: [{ path: "src/old.js", mode: "100644", blob: "b1" }] },
    { kind: "note", turn: 1, text: "[auto_test] 3 pass" },
    {
      kind: "snapshot",
      turn: 2,
      entries: [{ path: "gone.js" }, { path: "run.sh", mode: "100755", blob: "b2" }],
    },
    { kind: "branch", name: "sallyport/1-sum" },
    { kind: "published", branch: "sallyport/1-sum", commit: "c0ffee", tree: "t", changes: [{ path: "run.sh" }], pull: 77 },
  ];

  test("tells the run as a timeline: phases, turns, calls, results, notes, decisions, writes, change set, tokens", async () => {
    const id = await storeRun(database());
    await writeJournal(database(), id, journal.slice(0, 4));
    await takeForAcceptance(database(), id);
    await writeJournal(database(), id, journal.slice(4), { attempt: 1, from: 5 });
    await using site = await openSite(database());
    const page = await site.get(`/sallyport/runs/${id}`);
    const said = visible(page);
    const inOrder = [
      "queued The total is wrong",
      "mention, on an issue",
      "Asked by mona",
      "1,020: 1,000 in, of them 600 cached, and 20 out",
      "Cost $0.0123",
      "The run goes on; load the page again",
      "Request fix this",
      "Change set 2 files · Download the patch",
      "gone.js deleted",
      "What was deleted is not kept on this machine.",
      "run.sh added · executable",
      "Too large to be shown, or not kept.",
      "Timeline",
      "Phase ended: authorize",
      "profile write",
      "Write to GitHub began: comment",
      "Write to GitHub done: comment",
      "https://github.example/octo/cart/issues/1",
      "opened with 1 message",
      "Attempt 1 went on from here",
      "Turn 1",
      "I will look.",
      "Call edit_file src/sum.js",
      "old_string a b",
      'deep { "x": [ 1 ] }',
      "model-7 · 1,000 tokens in (600 cached), 20 tokens out · $0.0123",
      "Gate on workspace write: held back",
      "held back protected-paths in ci.yml:3 : CI file Ask.",
      "Result of edit_file : blocked",
      "held back by the gate",
      "Said to the model",
      "[auto_test] 3 pass",
      "2 paths differ from the pinned commit",
      "Branch chosen: sallyport/1-sum",
      "Published 1 path as pull request #77",
      "Commit c0ffee on branch sallyport/1-sum",
    ];
    let at = 0;
    for (const words of inOrder) {
      const found = said.indexOf(words, at);
      expect(found, `${words} after ${said.slice(Math.max(0, at - 80), at)}`).toBeGreaterThanOrEqual(at);
      at = found + words.length;
    }
    expect(page.text).toContain('<a href="https://github.example/octo/cart/issues/1" rel="noreferrer">');
    expectPolicy(page);
  });

  test("shows hostile text of every kind harmlessly", async () => {
    const id = await storeRun(
      database(),
      mention({
        title: HOSTILE,
        text: HOSTILE,
        body: HOSTILE,
        actor: { id: 1, login: HOSTILE, isBot: false },
        repository: { ...mention().repository, name: HOSTILE },
      }),
    );
    const args = [
      JSON.stringify({ path: HOSTILE, [HOSTILE]: [HOSTILE] }),
      HOSTILE,
      `{"path": "${HOSTILE}`,
      `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
      '{"__proto__":{"a":1}}',
      "null",
      "",
    ];
    const decision = {
      verdict: "ask",
      findings: [{ rule: HOSTILE, severity: "ask", where: { path: HOSTILE }, why: HOSTILE, fix: HOSTILE }],
    } as const;
    await writeJournal(database(), id, [
      { kind: "phase", phase: "converse", result: { [HOSTILE]: HOSTILE } },
      { kind: "phase", phase: "publish", result: HOSTILE },
      {
        kind: "turn",
        turn: 1,
        message: {
          role: "assistant",
          text: HOSTILE,
          calls: args.map((raw, index) => ({ id: `c${index}`, name: HOSTILE, arguments: raw })),
        },
        usage: { input: 1, output: 1, cached: 0 },
        model: HOSTILE,
      },
      { kind: "tool-result", turn: 1, callId: HOSTILE, tool: HOSTILE, result: { status: "error", text: HOSTILE } },
      { kind: "note", turn: 1, text: HOSTILE },
      { kind: "decision", operation: "comment", key: HOSTILE, decision },
      { kind: "intent", key: HOSTILE, operation: "comment" },
      { kind: "outcome", key: HOSTILE, outcome: { operation: "comment", url: "javascript:alert(1)", branch: HOSTILE, sha: HOSTILE } },
      { kind: "branch", name: HOSTILE },
      { kind: "published", branch: HOSTILE, commit: HOSTILE, tree: HOSTILE, changes: [] },
      { kind: "snapshot", turn: 1, entries: [{ path: HOSTILE }] },
    ]);
    await using site = await openSite(database());
    for (const path of [`/sallyport/runs/${id}`, "/sallyport"]) {
      const page = await site.get(path);
      expect(page.status).toBe(200);
      expect(page.text).toContain("&lt;script&gt;alert(1)");
      expect(page.text).not.toContain("\u202e");
      expectPolicy(page);
    }
  });

  test("shows no held secret, whether it stands there plainly, in JSON escapes, broken up, or across a cut", async () => {
    const secret = 'sk-"quoted"-0123456789abcdef';
    const escaped = `{"content":"${Array.from(secret, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"}`;
    const long = "x".repeat(3990) + secret;
    const id = await storeRun(database(), mention({ title: secret, text: `is ${secret} it?` }));
    await writeJournal(database(), id, [
      {
        kind: "turn",
        turn: 1,
        message: {
          role: "assistant",
          text: `it is ${secret}`,
          calls: [escaped, JSON.stringify({ deep: { secret } }), secret].map((raw, index) => ({
            id: `c${index}`,
            name: "read_file",
            arguments: raw,
          })),
        },
        usage: { input: 1, output: 1, cached: 0 },
        model: "m",
      },
      { kind: "tool-result", turn: 1, callId: "c", tool: "read_file", result: { status: "ok", text: secret.split("").join("\u200b") } },
      { kind: "note", turn: 1, text: long },
    ]);
    await using site = await openSite(database(), { mask: holdSecrets([secret]).mask });
    for (const path of [`/sallyport/runs/${id}`, "/sallyport"]) {
      const page = await site.get(path);
      expect(visible(page)).toContain("***");
      for (const part of [secret, "0123456789", "quoted", "sk-"]) expect(visible(page)).not.toContain(part);
    }
  });

  test("shows what ran inside a call under that call, as harmless as everything else", async () => {
    const id = await storeRun(database());
    const result = { status: "ok", text: "<script>alert(1)</script>" } as const;
    await writeJournal(database(), id, [
      { kind: "nested", callId: "c1<b>", entry: { kind: "note", turn: 1, text: "look again" } },
      {
        kind: "nested",
        callId: "c1",
        entry: { kind: "tool-result", turn: 1, callId: "c1/1", tool: "grep", arguments: '{"pattern":"<i>"}', result },
      },
    ]);
    await using site = await openSite(database());
    const page = await site.get(`/sallyport/runs/${id}`);
    expect(visible(page)).toMatch(/Inside the call c1(<b>|&lt;b&gt;): Said to the model[\s\S]*look again/);
    expect(visible(page)).toMatch(/Inside the call c1: Result of grep[\s\S]*Call grep[\s\S]*pattern/);
    expect(page.text).not.toMatch(/<script>alert|c1<b>|<i>/);
    expectPolicy(page);
  });

  test("keeps the line ends of a text, its first one too", async () => {
    const id = await storeRun(database());
    await writeJournal(database(), id, [{ kind: "note", turn: 1, text: "\n  a\n\n\tb" }]);
    await using site = await openSite(database());
    const { text } = await site.get(`/sallyport/runs/${id}`);
    // The line end right after the tag is the one that browsers drop.
    expect(text).toContain('<pre dir="auto">\n\n  a\n\n\tb</pre>');
  });

  test("cuts long texts and long journals, says so, and stays light", async () => {
    const id = await storeRun(database());
    const note: JournalEntry = { kind: "note", turn: 1, text: "y".repeat(60_000) };
    await writeJournal(database(), id, [note]);
    await using site = await openSite(database());
    expect(visible(await site.get(`/sallyport/runs/${id}`))).toContain("Cut here: 56,000 more characters.");
    await writeJournal(
      database(),
      id,
      Array.from({ length: 449 }, () => note),
      { from: 2 },
    );
    const page = await site.get(`/sallyport/runs/${id}`);
    expect(visible(page)).toContain("250 earlier rows are not shown. Show them");
    expect(page.text.length).toBeLessThan(400_000);
  });
});
