import type { ContextPack } from "../agent/opening.ts";
import type { ChangeSet } from "../core/change-set.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Reach } from "../gate/rules/impact.ts";
import { repositoryGraph, type BuildGraph } from "../graph/live.ts";
import type { AskableGraph } from "../graph/query/askable.ts";
import { glanceAtChange, type ChangeGlance } from "../graph/query/change-glance.ts";
import { reachOfChange, type ChangedText } from "../graph/query/change-reach.ts";
import { contextOf } from "../graph/query/context.ts";
import { findMentioned, mentionsIn } from "../graph/query/mentions.ts";
import type { FindEnclosing } from "../review/read/head-hunks.ts";
import { enclosingBy } from "./review/enclosing-by-graph.ts";
import type { Workspace, WorkspaceSource } from "../workspace/workspace.ts";

/** The code graph of one run's workspace; nothing is built before somebody asks. */
export interface DeskGraph {
  /** Of the workspace as it stands, uncommitted changes and all. */
  readonly ask: () => Promise<AskableGraph>;
  /** What it has to say of what a request mentions, within a few seconds; undefined when nothing is mentioned, or it takes longer. */
  readonly pack: ContextPack;
  /** Names the declarations around a line of the workspace; undefined when that cannot be had within a few seconds. */
  readonly enclosing: () => Promise<FindEnclosing | undefined>;
  /** How far a change of the pinned tree reaches; undefined when that cannot be said in time. */
  readonly reach: (changes: ChangeSet) => Promise<Reach | undefined>;
  /** The same for people, symbol by symbol. */
  readonly glance: (changes: ChangeSet) => Promise<ChangeGlance | undefined>;
}

export interface DeskGraphOptions {
  readonly workspace: Pick<Workspace, "sources" | "read" | "baseBlob">;
  readonly build: BuildGraph;
  readonly log: Logger;
  /** Milliseconds that the beginning of a conversation waits for the graph, and that the gate does. */
  readonly packWithinMs?: number;
  readonly reachWithinMs?: number;
  /** And that people do, who are told what else there is meanwhile. */
  readonly glanceWithinMs?: number;
}

const PACK_WITHIN_MS = 4_000;
/** Below what a rule of the gate may take: an unknown reach is told as such, and not as a rule that failed. */
const REACH_WITHIN_MS = 8_000;
const GLANCE_WITHIN_MS = 30_000;
const PACK_TOKENS = 3_000;
/** Changed files of a pull request that count as mentioned. */
const MOST_FILES = 20;

export function openDeskGraph(options: DeskGraphOptions): DeskGraph {
  const { workspace, build, log, packWithinMs = PACK_WITHIN_MS, reachWithinMs = REACH_WITHIN_MS } = options;
  const { glanceWithinMs = GLANCE_WITHIN_MS } = options;
  const graph = repositoryGraph(build);
  const ask = async (): Promise<AskableGraph> => graph.of(await workspace.sources("now"));
  const orNothing = async <T>(what: string, ms: number, work: Promise<T>): Promise<T | undefined> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        log.warn({ what, ms }, "the code graph took too long");
        resolve(undefined);
      }, ms);
    });
    const done = work.catch((error: unknown) => {
      log.warn({ what, error: messageOf(error) }, "the code graph cannot be had");
    });
    try {
      return (await Promise.race([done, late])) ?? undefined;
    } finally {
      clearTimeout(timer);
    }
  };
  /** Looks at a change by the graphs before and after it. */
  const ofChange = async <T>(
    changes: ChangeSet,
    look: (before: AskableGraph, after: AskableGraph, texts: readonly ChangedText[]) => T,
  ): Promise<T> => {
    const base = await workspace.sources("base");
    const before = await graph.of(base);
    const after = await graph.of(changedSources(workspace, base, changes));
    return look(before, after, await changedTexts(workspace, changes));
  };
  return {
    ask,
    pack: async ({ text, files }) => {
      const { names, paths } = mentionsIn(text);
      if (names.length + paths.length + files.length === 0) return undefined;
      const wanted = { names, paths: [...paths, ...files.slice(0, MOST_FILES)] };
      return orNothing(
        "context",
        packWithinMs,
        ask().then((asked) => packOf(workspace, asked, wanted)),
      );
    },
    enclosing: () => orNothing("headings", packWithinMs, ask().then(enclosingBy)),
    reach: (changes) => orNothing("reach", reachWithinMs, ofChange(changes, reachOfChange)),
    glance: (changes) => orNothing("glance", glanceWithinMs, ofChange(changes, glanceAtChange)),
  };
}

async function packOf(
  workspace: Pick<Workspace, "read">,
  asked: AskableGraph,
  mentioned: ReturnType<typeof mentionsIn>,
): Promise<string | undefined> {
  const { symbols, files } = findMentioned(asked, mentioned);
  if (symbols.length + files.length === 0) return undefined;
  const read = async (path: string): Promise<string | undefined> => {
    const found = await workspace.read(path);
    return found.status === "file" ? Buffer.from(found.bytes).toString("utf8") : undefined;
  };
  const { text } = await contextOf(asked, { symbols, files, budgetTokens: PACK_TOKENS, read });
  return text === "" ? undefined : text;
}

/** The files as the change leaves them: what is judged, whatever the workspace has become since. */
function changedSources(
  workspace: Pick<Workspace, "baseBlob">,
  base: readonly WorkspaceSource[],
  { changes, blobs }: ChangeSet,
): readonly WorkspaceSource[] {
  const changed = new Map(changes.map(({ path, after }) => [path, after]));
  const made = changes.flatMap(({ path, after }): readonly WorkspaceSource[] => {
    if (after === undefined || !after.mode.startsWith("100")) return [];
    return [{ path, blob: after.sha, size: after.size, bytes: () => blobs.get(after.sha) ?? workspace.baseBlob(after.sha) }];
  });
  return [...base.filter(({ path }) => !changed.has(path)), ...made];
}

async function changedTexts(
  workspace: Pick<Workspace, "baseBlob">,
  { changes, blobs, before: old }: ChangeSet,
): Promise<readonly ChangedText[]> {
  const texts: ChangedText[] = [];
  for (const { path, before, after } of changes) {
    const textOf = async (ref: typeof before): Promise<string | undefined> => {
      if (ref === undefined || !ref.mode.startsWith("100")) return undefined;
      return Buffer.from(blobs.get(ref.sha) ?? old.get(ref.sha) ?? (await workspace.baseBlob(ref.sha))).toString("utf8");
    };
    texts.push({ path, before: await textOf(before), after: await textOf(after) });
  }
  return texts;
}
