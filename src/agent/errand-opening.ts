import type { Message } from "../core/conversation.ts";
import type { RunRequest } from "../core/run.ts";
import { wrapPieces, type Piece } from "./envelope.ts";
import type { Guidance } from "./opening.ts";

export interface ErrandOptions {
  readonly runId: string;
  readonly repository: Pick<RunRequest["repository"], "owner" | "name">;
  readonly system: string;
  readonly guidance: Guidance;
  /** What the pieces are about, in the product's own words. */
  readonly about: string;
  /** What was read: hostile texts. */
  readonly pieces: readonly Piece[];
  /** What is to be done, in the product's own words: nobody has asked for it in theirs. */
  readonly task: string;
}

/** The messages before the first turn of a run that nobody asked for in words. The same options give the same bytes. */
export function errandOpening({ runId, repository, system, guidance, about, pieces, task }: ErrandOptions): readonly Message[] {
  const isThere = ({ text }: Piece): boolean => text.trim() !== "";
  const standing = guidance.files
    .map(({ path, text }): Piece => ({ origin: `${path} on the base branch`, trust: "repository", text }))
    .filter(isThere);
  const wrapped = wrapPieces(runId, [...standing, ...pieces.filter(isThere)]);
  const parts = [
    ...(standing.length === 0 ? [] : ["What is known of this repository:", ...wrapped.slice(0, standing.length)]),
    `Repository ${repository.owner}/${repository.name}. ${about}`,
    ...wrapped.slice(standing.length),
    task,
  ];
  return [
    { role: "system", text: system },
    { role: "user", text: parts.join("\n\n") },
  ];
}
