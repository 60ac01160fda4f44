import { type Decision, renderFindings } from "../core/result.ts";
import type { RunView } from "../core/run.ts";
import type { JudgedKind } from "../extensions/api.ts";
import type { ExtensionHost } from "../extensions/host.ts";
import type { Gate } from "../gate/gate.ts";

/** The gate, whose decisions observers hear of. They cannot change or delay one. */
export function observedGate(gate: Gate, { emit }: Pick<ExtensionHost, "emit">): Gate {
  const tell = (operation: JudgedKind, run: RunView, decision: Decision): void => {
    emit("gate.decided", { run, operation, decision });
    if (decision.verdict === "ask" && decision.approval !== undefined)
      emit("approval.requested", { run, id: decision.approval, detail: renderFindings(decision.findings) });
  };
  return {
    async judgeWrite(write, run) {
      const decision = await gate.judgeWrite(write, run);
      tell("workspace-write", run, decision);
      return decision;
    },
    async judge(operation, run, annotate) {
      const judgement = await gate.judge(operation, run, annotate);
      tell(operation.kind, run, judgement.decision);
      return judgement;
    },
  };
}
