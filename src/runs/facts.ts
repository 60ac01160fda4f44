import { renderFindings, type Finding } from "../core/result.ts";
import type { Gate } from "../gate/gate.ts";
import { dropNote, type FactPlace, listFacts, noteFact, type StoredFact } from "../store/memory.ts";
import { threadKey } from "../store/runs.ts";
import type { Database } from "../store/sql.ts";
import type { Fact, Facts } from "../tools/memory/memory.ts";
import type { RunContext } from "./run-context.ts";

/** A fact is judged as the text file that it could as well be. */
const AS_FILE = "remembered-fact.md";

export interface FactOptions {
  readonly gate: Pick<Gate, "judgeWrite">;
  readonly database: Database;
  /** The key of the call, for the journal. */
  readonly callId: string;
}

/** What one run remembers: its own notes over what people keep for the repository. Each note passes the inner door. */
export function openFacts({ run, request, view, journal, tell }: RunContext, { gate, database, callId }: FactOptions): Facts {
  const { repository, actor } = request;
  const place: FactPlace = { repositoryId: repository.id, run: run.id, thread: threadKey(request), asker: actor };
  const read = (): Promise<readonly StoredFact[]> => listFacts(database, repository.id, run.id);

  async function judge(key: string, value: string): Promise<string | undefined> {
    const after = Buffer.from(`${key}: ${value}\n`);
    const { verdict, findings: found } = await gate.judgeWrite({ kind: "workspace-write", path: AS_FILE, after }, view);
    // There is no such file for people to look at.
    const findings = found.map(({ rule, severity, why, fix }): Finding => ({
      rule,
      severity,
      why: why.replace("the file", "the fact"),
      fix,
    }));
    for (const finding of findings) tell({ kind: "finding", run: view, finding });
    const decision = { verdict, findings };
    if (findings.length > 0) await journal.append({ kind: "decision", operation: "workspace-write", key: callId, decision });
    return verdict === "allow" ? undefined : renderFindings(findings) || "gate: it was refused without a finding.";
  }

  async function note(key: string, value: string | undefined) {
    await journal.assertCurrent();
    const noted = await noteFact(database, place, { key, value });
    if (noted === "noted") return { status: "done" } as const;
    return { status: "failed", why: "This run has noted as many facts as one run may. Forget one of them first." } as const;
  }

  return {
    async remember(key, value) {
      const why = await judge(key, value);
      return why === undefined ? note(key, value) : { status: "blocked", why };
    },
    async forget(key) {
      const facts = (await read()).filter((fact) => fact.key === key);
      const isKept = facts.some(({ state }) => state === "kept");
      // Nothing that people keep goes because a model says so: they are asked.
      if (isKept) return note(key, undefined);
      await journal.assertCurrent();
      if (facts.length > 0 && (await dropNote(database, place, key))) return { status: "done" };
      return { status: "failed", why: `Nothing is remembered under ${JSON.stringify(key)}.` };
    },
    recall: async () => known(await read()),
  };
}

/** What a run knows: its own notes hide what is kept under the same key. */
export function known(facts: readonly StoredFact[]): readonly Fact[] {
  const noted = new Set(facts.filter(({ state }) => state === "noted").map(({ key }) => key));
  return facts.flatMap(({ key, value, state, asker, keptBy, notedAt }): readonly Fact[] => {
    if (value === undefined || (state === "kept" && noted.has(key))) return [];
    return [{ key, value, of: state === "kept" ? "repository" : "run", by: (keptBy ?? asker).login, at: notedAt }];
  });
}
