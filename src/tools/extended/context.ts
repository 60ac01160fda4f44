import picomatch from "picomatch";
import { silent } from "../../core/log.ts";
import type { Decision } from "../../core/result.ts";
import type * as api from "../../extensions/api.ts";
import type { Submitted, WriteContext } from "../tool.ts";
import { withFolder } from "./with-folder.ts";

/** What a context that an extension holds stands for. */
export interface Grant {
  readonly context: WriteContext;
  readonly effect: api.Effect;
}

/** Under it a context carries its ticket along when a wrapper copies it. */
const TICKET = Symbol("sallyport.call");
const grants = new WeakMap<object, Grant>();
/** Folders below the root that a listing goes into. */
const DEEPEST = 64;

/** The call that a context was made for; undefined for anything that was not made here. */
export function grantOf(context: unknown): Grant | undefined {
  if (typeof context !== "object" || context === null) return undefined;
  const ticket: unknown = Reflect.get(context, TICKET);
  return typeof ticket === "object" && ticket !== null ? grants.get(ticket) : undefined;
}

/** A call's context as extensions see it: for a read tool without anything that writes. */
export function contextFor(context: WriteContext, effect: api.Effect): api.WriteContext {
  const ticket = Object.freeze({});
  grants.set(ticket, { context, effect });
  const read = { [TICKET]: ticket, ...readContext(context) };
  // What the type promises to a write tool, a read tool does not have.
  return effect === "read" ? (read as unknown as api.WriteContext) : { ...read, ...writeContext(context) };
}

function readContext(context: WriteContext): api.ReadContext {
  const { run, callId, parentCallId, workspace, github, signal, extension } = context;
  return {
    run,
    callId,
    ...(parentCallId === undefined ? {} : { parentCallId }),
    repository: extension?.repository ?? { ...run.repository, commit: workspace.commit },
    settings: extension?.settings ?? {},
    files: filesOf(context),
    artifacts: extension?.artifacts ?? NO_ARTIFACTS,
    attachments: extension?.attachments() ?? [],
    prompts: { system: extension?.prompt() ?? "" },
    github,
    signal,
    log: extension?.log ?? silent,
    progress: async (fallback) => extension?.progress(callId, fallback),
    respond: async (text) => {
      if (extension === undefined) throw new TypeError("this run has no thread to answer on");
      return extension.respond(callId, text);
    },
  };
}

function writeContext(context: WriteContext): Pick<api.WriteContext, "submit" | "writeFile" | "withFolder"> {
  return {
    submit: (operation) => submit(context, operation),
    // A copy: what was judged is what is written.
    writeFile: (path, bytes) => context.write(path, bytes === undefined ? undefined : Uint8Array.from(bytes)),
    withFolder: withFolder(context),
  };
}

function filesOf({ workspace }: WriteContext): api.WorkspaceReader {
  return {
    async read(path) {
      const found = await workspace.read(path);
      if (found.status === "file") return found.bytes;
      const why = found.status === "refused" ? found.why : found.status === "folder" ? "it is a folder" : "there is no such file";
      throw new Error(`${JSON.stringify(path)} cannot be read: ${why}`);
    },
    async list(pattern) {
      const matches = picomatch(pattern, { dot: true });
      const entries = await workspace.list("", DEEPEST);
      return entries.flatMap(({ kind, path }) => (kind === "file" && matches(path) ? [path] : []));
    },
  };
}

/** Through the run's own publisher, as the built-in tools: cleaning, addressing, the gate and the journal are the same. */
async function submit({ publisher, run, extension }: WriteContext, operation: api.ToolOperation): Promise<Decision> {
  return decisionOf(await submitted());

  function submitted(): Promise<Submitted> {
    switch (operation.kind) {
      case "comment": {
        const number = operation.number ?? extension?.thread;
        if (number === undefined) throw new TypeError("this run has no thread to comment on");
        return publisher.comment(number, operation.body);
      }
      case "open-pull-request": {
        const { title, body, base, draft } = operation;
        return publisher.openPullRequest({
          title,
          body,
          ...(base === undefined ? {} : { base }),
          ...(draft === undefined ? {} : { draft }),
        });
      }
      case "commit":
        return publisher.commit(operation.message);
      default:
        throw new TypeError(`a run of ${run.repository.name} cannot submit ${JSON.stringify((operation as { kind?: unknown }).kind)}`);
    }
  }
}

function decisionOf(submitted: Submitted): Decision {
  if (submitted.status === "failed") throw new Error(submitted.why);
  return submitted.decision;
}

const NO_ARTIFACTS: api.ArtifactStore = {
  save: () => Promise.reject(new Error("nothing is kept of this run")),
  load: () => Promise.resolve(undefined),
};
