import { createHash } from "node:crypto";
import { type Decision, renderFindings } from "../core/result.ts";
import type { Attachment, Settings } from "../extensions/api.ts";
import type { ExtensionHost } from "../extensions/host.ts";
import type { Gate } from "../gate/gate.ts";
import { ASKED_BY_CALLS, storeApprovals } from "../store/approvals.ts";
import type { Database } from "../store/sql.ts";
import { oneLine } from "../text/code-span.ts";
import type { ExtensionPorts } from "../tools/tool.ts";
import { artifactsOf } from "./artifacts.ts";
import { lastEntry, type RunContext } from "./run-context.ts";
import { WaitsForPeople } from "./waits-for-people.ts";

export interface PortOptions {
  readonly gate: Pick<Gate, "judgeWrite">;
  readonly mask: (text: string) => string;
  /** Where questions are kept; nobody is asked without it. */
  readonly database?: Database | undefined;
  readonly extensions: Pick<ExtensionHost, "emit">;
  /** The commit of the workspace. */
  readonly commit: string;
  /** Shows one line beside the run's plan. */
  readonly showWords: (words: string) => void;
}

/** An answer is judged as the text file that it could as well be; when it leaves, the outer door judges it again. */
const AS_FILE = "answer.md";
const LONGEST_ANSWER = 60_000;
const LONGEST_DETAIL = 2000;

/** What tools of extensions may use of a run. */
export function extensionPorts(context: RunContext, options: PortOptions): ExtensionPorts {
  const { request, view, journal, log, settings } = context;
  const { gate, mask, database, extensions, commit, showWords } = options;
  const { owner, name, defaultBranch } = request.repository;
  const opening = () => lastEntry(journal, "opening")?.messages ?? [];

  async function ask({ callId, tool, detail }: Parameters<NonNullable<ExtensionPorts["ask"]>>[0]): Promise<boolean> {
    if (database === undefined) return false;
    const approvals = storeApprovals(database);
    const about = mask(detail).slice(0, LONGEST_DETAIL).toWellFormed();
    const key = {
      run: context.run.id,
      digest: createHash("sha256")
        .update(JSON.stringify([callId, tool, detail]))
        .digest("hex"),
    };
    const known = await approvals.find(key);
    if (known?.answer !== undefined) return known.answer.kind === "approved";
    await journal.assertCurrent();
    const findings = [{ rule: "approval", severity: "ask", why: `a call of ${tool} asks people: ${about}`, fix: "Approve or deny it." }];
    const hours = settings.gate.approvals.expires_hours;
    const asked = known ?? (await approvals.request({ ...key, operation: ASKED_BY_CALLS, findings, hours }));
    const isNoted = journal.entries.some((entry) => entry.kind === "asked-call" && entry.approval === asked.id);
    if (!isNoted) await journal.append({ kind: "asked-call", approval: asked.id, callId, tool, detail: about });
    extensions.emit("approval.requested", { run: view, id: asked.id, detail: `${tool}: ${about}` });
    throw new WaitsForPeople(asked.id);
  }

  return {
    repository: { owner, name, defaultBranch, commit },
    ...(request.thread.kind === "none" ? {} : { thread: request.thread.number }),
    settings: settings as unknown as Settings,
    artifacts: artifactsOf(journal),
    attachments: () =>
      opening().flatMap((message): readonly Attachment[] => ("images" in message ? (message.images ?? []).map(pictureOf) : [])),
    prompt: () => opening().find(({ role }) => role === "system")?.text ?? "",
    log,
    progress(callId, fallback) {
      const turn = journal.entries.findLast((entry) => entry.kind === "turn");
      const isItsOwn = turn?.kind === "turn" && turn.message.calls.some(({ id }) => callId === id || callId.startsWith(`${id}/`));
      const own = isItsOwn ? turn.message.text.trim() : "";
      showWords(oneLine(mask(own === "" ? fallback : own)));
      return Promise.resolve();
    },
    async respond(callId, text): Promise<Decision> {
      const said = mask(text).slice(0, LONGEST_ANSWER).toWellFormed();
      const decision = await gate.judgeWrite({ kind: "workspace-write", path: AS_FILE, after: Buffer.from(said) }, view);
      if (decision.findings.length > 0) log.info({ findings: renderFindings(decision.findings) }, "the answer of a tool was judged");
      if (decision.verdict === "allow") await journal.append({ kind: "responded", callId, text: said });
      return decision;
    },
    ...(database === undefined || settings.enabled === "observe" ? {} : { ask }),
  };
}

function pictureOf({ mediaType, base64 }: { readonly mediaType: string; readonly base64: string }): Attachment {
  return { mediaType, bytes: Uint8Array.from(Buffer.from(base64, "base64")) };
}
