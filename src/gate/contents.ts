import type { BlobRef, ChangeSet } from "../core/change-set.ts";
import type { Judged, JudgedKind } from "./judged.ts";

/** One path of what is judged, with the bytes on both sides as far as they are at hand. */
export interface JudgedFile {
  readonly path: string;
  /** What stands there now; `bytes` is absent for a blob over the limit of the checkout. */
  readonly before?: JudgedSide;
  /** What would stand there; absent for a deletion. */
  readonly after?: JudgedSide;
  readonly movedFrom?: string;
}
interface JudgedSide {
  readonly bytes?: Uint8Array;
  /** Absent for a tool's write, which keeps the mode of what is there. */
  readonly ref?: BlobRef;
}

const TEXT_FIELDS = ["title", "body", "message", "branch", "base", "name", "summary", "text", "externalId", "detailsUrl", "sarif"] as const;

/** A text that an operation would publish, by the name of its field. */
export interface JudgedText {
  readonly field: (typeof TEXT_FIELDS)[number] | "annotation" | "annotated path" | "remark" | "remarked path";
  readonly text: string;
}

/** The change set of an operation that has one. */
export function changesOf(judged: Judged): ChangeSet | undefined {
  return judged.kind === "open-pull-request" || judged.kind === "commit" ? judged.changes : undefined;
}

/** Every path that is touched. A file that moved is compared with what it was under its old name. */
export function filesOf(judged: Judged): readonly JudgedFile[] {
  if (judged.kind === "workspace-write") {
    const { path, before, after } = judged;
    return [{ path, ...(before && { before: { bytes: before } }), ...(after && { after: { bytes: after } }) }];
  }
  const set = changesOf(judged);
  if (set === undefined) return [];
  const refs = new Map(set.changes.map(({ path, before }) => [path, before]));
  return set.changes.map(({ path, before: own, after, movedFrom }) => {
    const before = own ?? (movedFrom === undefined ? undefined : refs.get(movedFrom));
    return {
      path,
      ...(before && { before: side(before, set.before.get(before.sha) ?? set.blobs.get(before.sha)) }),
      ...(after && { after: side(after, set.blobs.get(after.sha) ?? set.before.get(after.sha)) }),
      ...(movedFrom !== undefined && { movedFrom }),
    };
  });
}

function side(ref: BlobRef, bytes: Uint8Array | undefined): JudgedSide {
  return bytes === undefined ? { ref } : { ref, bytes };
}

/** Whether free text or bytes leave with each kind. A new kind does not compile before it has said so. */
const BEARS_TEXT: Readonly<Record<JudgedKind, boolean>> = {
  "workspace-write": true,
  "open-pull-request": true,
  commit: true,
  comment: true,
  "edit-own-comment": true,
  "check-run": true,
  "upload-sarif": true,
  review: true,
  "open-issue": true,
  reaction: false,
  "delete-pending-review": false,
  "resolve-thread": false,
  "rerun-workflow": false,
  label: false,
};

/** What the rules about texts apply to. */
export const TEXT_BEARING = (Object.keys(BEARS_TEXT) as JudgedKind[]).filter((kind) => BEARS_TEXT[kind]);

/** Every text that would leave. One list for all rules, so no outlet is looked at by one and missed by another. */
export function textsOf(judged: Judged): readonly JudgedText[] {
  const fields = judged as { readonly [field in (typeof TEXT_FIELDS)[number]]?: string };
  const plain = TEXT_FIELDS.flatMap((field) => {
    const text = fields[field];
    return text === undefined ? [] : [{ field, text }];
  });
  if (judged.kind === "review") {
    return [
      ...plain,
      ...judged.comments.flatMap(({ path, body }): readonly JudgedText[] => [
        { field: "remarked path", text: path },
        { field: "remark", text: body },
      ]),
    ];
  }
  if (judged.kind !== "check-run") return plain;
  const remarks = (judged.annotations ?? []).flatMap(({ path, title, message }): readonly JudgedText[] => [
    { field: "annotated path", text: path },
    ...[title, message].flatMap((text) => (text === undefined ? [] : [{ field: "annotation" as const, text }])),
  ]);
  return [...plain, ...remarks];
}

/** Every text that would leave, and those of the model that it was made from: what a secret is looked for in. */
export function textsAndSources(judged: Judged): readonly { readonly field: string; readonly text: string }[] {
  const { written = [] } = judged as { readonly written?: readonly string[] };
  const sent = textsOf(judged);
  const known = new Set(sent.map(({ text }) => text));
  return [...sent, ...written.filter((text) => !known.has(text)).map((text) => ({ field: "text as it was written", text }))];
}
