import { DEFAULT_SETTINGS, type Settings } from "../config/settings.ts";
import type { Journal, JournalEntry } from "../core/journal.ts";
import { policyOf } from "../gate/policy-of.ts";
import type { RunScope } from "../gate/scope.ts";

type Row = Extract<JournalEntry, { kind: "settings" }>;

/** What was read of the configuration for the run of this journal; undefined while it was not read. */
export function settingsRow({ entries }: Journal): Row | undefined {
  return entries.findLast((entry): entry is Row => entry.kind === "settings");
}

/** What the configuration said for the run of this journal; undefined while it was not read. */
export function settingsFrom(journal: Journal): Settings | undefined {
  const row = settingsRow(journal);
  // A row of an older version lacks what came since.
  return row === undefined ? undefined : { ...DEFAULT_SETTINGS, ...(row.settings as Settings) };
}

/** What the gate goes by for the run of this journal. */
export function configuredFrom(journal: Journal): RunScope["configured"] {
  const settings = settingsFrom(journal);
  return settings === undefined ? undefined : { policy: policyOf(settings.gate), approvalHours: settings.gate.approvals.expires_hours };
}
