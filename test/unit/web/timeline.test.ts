import { expect, test } from "vitest";
import type { JournalEntry } from "../../../src/core/journal.ts";
import { markupOf } from "../../../src/web/html.ts";
import { renderTimeline } from "../../../src/web/timeline.ts";

const HOSTILE = '<script>alert(1)</script>"';
const rendered = (entry: JournalEntry): string => {
  const at = new Date(0);
  return markupOf(renderTimeline([{ sequence: 1, attempt: 1, createdAt: at, entry }], at, { limit: 1000, clean: (text) => text }));
};
const words = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

test.each<readonly [entry: JournalEntry, said: RegExp]>([
  [
    { kind: "asked-call", approval: "abcde-fghij", callId: "c1", tool: "deploy", detail: "to production" },
    /People were asked, as abcde-fghij , about a call of deploy .*to production/,
  ],
  [{ kind: "answered", approval: "abcde-fghij", isApproved: true, by: "maria", waitedMs: 5 }, /abcde-fghij was approved by maria/],
  [{ kind: "answered", approval: "abcde-fghij", isApproved: false, by: "maria", waitedMs: 5 }, /abcde-fghij was denied by maria/],
  [{ kind: "responded", callId: "c1", text: "The answer." }, /A tool gave the run's answer.*The answer\./],
  [{ kind: "artifact", name: "report", mediaType: "text/html", blob: "b", bytes: 1200 }, /A tool kept report : 1,200 bytes of text\/html/],
])("says of what extensions did: %j", (entry, said) => {
  expect(words(rendered(entry)).replaceAll("&#39;", "'")).toMatch(said);
});

test.each<JournalEntry>([
  { kind: "asked-call", approval: HOSTILE, callId: HOSTILE, tool: HOSTILE, detail: HOSTILE },
  { kind: "answered", approval: HOSTILE, isApproved: true, by: HOSTILE, waitedMs: 5 },
  { kind: "responded", callId: HOSTILE, text: HOSTILE },
  { kind: "artifact", name: HOSTILE, mediaType: HOSTILE, blob: HOSTILE, bytes: 1 },
])("shows hostile text of it harmlessly: $kind", (entry) => {
  const markup = rendered(entry);
  expect(markup).toContain("&lt;script&gt;");
  expect(markup).not.toMatch(/<script/);
});
