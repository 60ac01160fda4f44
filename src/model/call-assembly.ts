import { readArguments } from "./arguments.ts";

/** One streamed piece of a call. Servers leave out, repeat or mistype any of these. */
export interface CallPiece {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
  readonly extra_content?: unknown;
}

/** A call as far as it has arrived. */
export interface CallDraft {
  readonly index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  /** The server itself says that it did not send all of it. */
  readonly cut?: boolean;
  /** What the server wants back beside the call: Gemini's signature of its thought. */
  extra?: unknown;
}

/**
 * Adds a piece to the call it belongs to, or starts a new one. A piece starts a call when its index is new, when it names a function under
 * another id than the call at its index, or when that call is already whole; some servers give all parallel calls one index, some none.
 */
export function addPiece(drafts: CallDraft[], piece: CallPiece): void {
  const index = typeof piece.index === "number" ? piece.index : undefined;
  const id = typeof piece.id === "string" ? piece.id : "";
  const name = typeof piece.function?.name === "string" ? piece.function.name : "";
  const text = argumentText(piece.function?.arguments);
  const extra = piece.extra_content ?? undefined;
  const draft = findDraft(drafts, { index, id, name });
  if (draft === undefined) {
    drafts.push({ index, id, name, arguments: text, ...(extra === undefined ? {} : { extra }) });
    return;
  }
  if (extra !== undefined) draft.extra = extra;
  draft.id ||= id;
  // A name comes in one piece, is repeated with each, or (as the reference allows) comes in parts before the arguments.
  if (draft.name === "") draft.name = name;
  else if (name !== draft.name && draft.arguments === "") draft.name += name;
  draft.arguments += text;
}

function findDraft(drafts: readonly CallDraft[], piece: { index: number | undefined; id: string; name: string }): CallDraft | undefined {
  const { index, id, name } = piece;
  const sameId = id === "" ? undefined : drafts.findLast((draft) => draft.id === id && draft.index === index);
  if (sameId !== undefined) return sameId;
  const candidate = index === undefined ? drafts.at(-1) : drafts.findLast((draft) => draft.index === index);
  if (candidate === undefined || name === "") return candidate;
  if (id !== "" && candidate.id !== "") return undefined;
  return candidate.arguments !== "" && readArguments(candidate.arguments).ok ? undefined : candidate;
}

/** Arguments arrive as text; some servers send the object itself. */
function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
