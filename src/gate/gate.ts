import type { Operation, WorkspaceWrite } from "../core/operation.ts";
import type { MintPass } from "../core/pass.ts";
import type { Decision, Finding } from "../core/result.ts";
import type { RunView } from "../core/run.ts";
import type { WriteEnd } from "./audit.ts";

/** An operation that every rule let through, with the right to mint a pass for each request it consists of. */
export interface Cleared {
  readonly decision: Decision & { readonly verdict: "allow" };
  /** The frozen copy that was judged: what is sent is read from here, never from what was handed in. */
  readonly operation: Operation;
  readonly mint: MintPass;
  /** Notes in the audit log what became of it. Resolves once that is durable. Absent where no log is kept. */
  readonly record?: (end: WriteEnd) => Promise<void>;
}
export type Judgement = Cleared | { readonly decision: Decision & { readonly verdict: "ask" | "block" } };

/** The two doors. Both run the same rules; neither ever answers `allow` because something failed. */
export interface Gate {
  /** The inner door: a tool's write, before it happens. */
  judgeWrite(write: WorkspaceWrite, run: RunView): Promise<Decision>;
  /**
   * The outer door: an operation, exactly as it will be sent. The operation is frozen first. Where it must wait for people, they are asked,
   * and its findings name the approval. `annotate` works what was found into the texts that people will read; what comes back is what is
   * judged, asked about and sent.
   */
  judge(operation: Operation, run: RunView, annotate?: Annotate): Promise<Judgement>;
}

export type Annotate = (operation: Operation, findings: readonly Finding[]) => Operation;
