import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../../../src/core/log.ts";
import type { RunView } from "../../../src/core/run.ts";
import { answerApproval, type ApprovalStore } from "../../../src/gate/approvals.ts";
import type { Gate } from "../../../src/gate/gate.ts";
import { defaultPolicy } from "../../../src/gate/policy.ts";
import { holds, type Permission } from "../../../src/github/permission.ts";
import { storeApprovals } from "../../../src/store/approvals.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { acceptDeliveries } from "../../../src/store/runs.ts";
import { gateWith, openPull, run } from "../../unit/gate/fixtures.ts";
import { mention } from "../../unit/store/requests.ts";
import type { Outcome } from "./scene.ts";

const HOURS = 72;
const PATH = "docs/plan.md";

/** A gate that asks people before it lets a file go, over a real store of approvals with one run in it. */
interface Office {
  readonly gate: Gate;
  readonly view: RunView;
  readonly approvals: ApprovalStore;
  /** The one question that waits. */
  waiting(): Promise<string>;
}

async function inOffice(work: (office: Office) => Promise<Outcome>): Promise<Outcome> {
  const directory = await mkdtemp(join(tmpdir(), "sallyport-corpus-"));
  const database = await openDatabase({ directory, log: silent });
  try {
    const [accepted] = await acceptDeliveries(database, [mention()]);
    if (accepted?.status !== "accepted") throw new Error("The run was not accepted.");
    const approvals = storeApprovals(database);
    const policy = { ...defaultPolicy, protected: { [PATH]: "ask" as const } };
    return await work({
      gate: gateWith({ policy, approvals: { store: approvals, hours: HOURS } }),
      view: { ...run, id: accepted.runId },
      approvals,
      async waiting() {
        const [question, ...more] = await approvals.waiting(accepted.runId);
        if (question === undefined || more.length > 0) throw new Error("There should be one question.");
        return question.id;
      },
    });
  } finally {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const asked = (text: string) => openPull({ [PATH]: { before: "old\n", after: text } });
const by = { id: 3, login: "maria" };

/** Rows about what people approved, by their ids. */
export const APPROVALS: Readonly<Record<string, () => Promise<Outcome>>> = {
  "gate-004": () =>
    inOffice(async ({ gate, view, approvals, waiting }) => {
      const verdictOf = async (text: string) => (await gate.judge(asked(text), view)).decision.verdict;
      const first = await verdictOf("A\n");
      await answerApproval(approvals, { id: await waiting(), kind: "approved", by }, () => true);
      const seen = [first, await verdictOf("A\n"), await verdictOf("B\n"), await verdictOf("A\n\n")];
      return { kind: "outcome", held: seen.join() === "ask,allow,ask,ask", saw: seen.join() };
    }),
  "gate-005": () =>
    inOffice(async ({ gate, view, approvals, waiting }) => {
      const before = (await gate.judge(asked("A\n"), view)).decision.verdict;
      const id = await waiting();
      const seen: string[] = [before];
      for (const held of ["none", "read", "triage", "write"] satisfies Permission[]) {
        const { status } = await answerApproval(approvals, { id, kind: "approved", by: { id: 9, login: "stranger" } }, () =>
          holds(held, "maintain"),
        );
        seen.push(status, (await gate.judge(asked("A\n"), view)).decision.verdict);
      }
      const expected = ["ask", ...Array.from({ length: 4 }, () => ["not-allowed", "ask"]).flat()];
      return { kind: "outcome", held: seen.join() === expected.join(), saw: seen.join() };
    }),
};
