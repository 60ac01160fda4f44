import type { Settings } from "../../config/settings.ts";
import type { Journal } from "../../core/journal.ts";
import type { Logger } from "../../core/log.ts";
import type { Gate } from "../../gate/gate.ts";
import { artifactsOf } from "../../runs/artifacts.ts";
import type { ExtensionPorts } from "../../tools/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { LOCAL_RUN, NOWHERE } from "./local-gate.ts";

export interface LocalPortOptions {
  readonly workspace: Pick<Workspace, "commit">;
  readonly settings: Settings;
  readonly journal: Journal;
  readonly gate: Pick<Gate, "judgeWrite">;
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  readonly log: Logger;
}

/** What tools of extensions may use of a run on a local checkout, which has no thread. */
export function localPorts({ workspace, settings, journal, gate, ask, log }: LocalPortOptions): ExtensionPorts {
  const opening = () => journal.entries.find((entry) => entry.kind === "opening")?.messages ?? [];
  return {
    repository: { owner: NOWHERE.owner, name: NOWHERE.name, commit: workspace.commit },
    settings: settings as unknown as ExtensionPorts["settings"],
    artifacts: artifactsOf(journal),
    attachments: () => [],
    prompt: () => opening().find(({ role }) => role === "system")?.text ?? "",
    log,
    progress: () => Promise.resolve(),
    async respond(callId, text) {
      const decision = await gate.judgeWrite({ kind: "workspace-write", path: "answer.md", after: Buffer.from(text) }, LOCAL_RUN);
      if (decision.verdict === "allow") await journal.append({ kind: "responded", callId, text });
      return decision;
    },
    ...(ask === undefined ? {} : { ask: ({ tool, detail }) => ask(`${tool} asks: ${detail}. Let it?`) }),
  };
}
