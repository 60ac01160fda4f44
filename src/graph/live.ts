import type { LiveGraph, SourceFile } from "./graph.ts";
import { askable, type AskableGraph } from "./query/askable.ts";

export type BuildGraph = (files: readonly SourceFile[]) => Promise<LiveGraph>;

/** The graph of one repository, built when it is first asked for and brought from one state of its files to the next. */
export interface RepositoryGraph {
  /** The graph of exactly these files. Only what differs from the last ones asked for is read and linked again. */
  of(files: readonly SourceFile[]): Promise<AskableGraph>;
}

interface State {
  readonly live: LiveGraph;
  /** Blobs by path. */
  readonly blobs: ReadonlyMap<string, string>;
  readonly asked: AskableGraph;
}

/** Questions that come at once are answered one after the other. */
export function repositoryGraph(build: BuildGraph): RepositoryGraph {
  let state: State | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const bring = async (files: readonly SourceFile[]): Promise<AskableGraph> => {
    const from = state;
    // What fails on the way leaves nothing behind that could be taken for a whole graph.
    state = undefined;
    state = from === undefined ? await begin(build, files) : await goOn(from, files);
    return state.asked;
  };
  return {
    of(files) {
      const next = last.then(() => bring(files));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

async function begin(build: BuildGraph, files: readonly SourceFile[]): Promise<State> {
  const live = await build(files);
  return { live, blobs: blobsOf(files), asked: askable(live.graph) };
}

async function goOn(from: State, files: readonly SourceFile[]): Promise<State> {
  const blobs = blobsOf(files);
  const changed = files.filter(({ path, blob }) => from.blobs.get(path) !== blob);
  const removed = [...from.blobs.keys()].filter((path) => !blobs.has(path));
  if (changed.length === 0 && removed.length === 0) return from;
  const graph = await from.live.update({ changed, removed });
  return { live: from.live, blobs, asked: askable(graph) };
}

function blobsOf(files: readonly SourceFile[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, blob }) => [path, blob]));
}
