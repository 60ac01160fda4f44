import { messageOf } from "../core/errors.ts";
import { open } from "./envelope.ts";
import type { PublicKey } from "./keys.ts";
import { PREDICATE_TYPE, type Receipt, type Statement } from "./statement.ts";

/** What whoever verifies knows of the commit from elsewhere: a checkout, or GitHub. What is absent is not compared. */
export interface Known {
  readonly commit?: string;
  readonly repositoryId?: number;
  /** The tree of the commit that the receipt names; undefined where nobody can say. */
  treeOf(commit: string): Promise<string | undefined>;
  /** Where that stands, for people: `this checkout`, `GitHub`. */
  readonly source: string;
}

export interface VerifyRequest {
  readonly envelope: string;
  readonly keys: readonly PublicKey[];
  readonly known?: Known;
}

export type Verified =
  | {
      readonly status: "good";
      readonly receipt: Receipt;
      readonly keyId: string;
      readonly commit: string;
      readonly tree?: string;
      /** What is shown by it, and what is not, a sentence each. */
      readonly proves: readonly string[];
      readonly provesNot: readonly string[];
    }
  | { readonly status: "bad"; readonly why: string }
  | { readonly status: "unjudged"; readonly why: string };

/**
 * Judges a receipt: its signature by the keys that are trusted, its kind, and the commit and the tree that it names against what is known of them
 * from elsewhere. `bad` is a receipt that must not be believed; `unjudged` says that nothing is known either way.
 */
export async function verifyReceipt({ envelope, keys, known }: VerifyRequest): Promise<Verified> {
  if (keys.length === 0) return { status: "unjudged", why: "No key was given to judge it by" };
  const opened = open(envelope, keys);
  if (opened.status === "bad") return { status: "bad", why: `The receipt is not to be believed: ${opened.why}.` };
  const statement = readStatement(opened.payload);
  if (typeof statement === "string") return { status: "bad", why: `What was signed is no receipt of this kind: ${statement}.` };
  const { commit, tree } = subjectOf(statement);
  if (commit === undefined) return { status: "bad", why: "What was signed names no commit." };
  const { id, name } = statement.predicate.repository;
  if (known?.repositoryId !== undefined && known.repositoryId !== id) {
    return { status: "bad", why: `The receipt is for another repository: ${name} (${id}), not ${known.repositoryId}.` };
  }
  const compared = known === undefined ? undefined : await compare({ commit, tree }, known);
  if (compared !== undefined && compared.status !== "same") return { status: compared.status, why: compared.why };
  return {
    status: "good",
    receipt: statement.predicate,
    keyId: opened.keyId,
    commit,
    ...(tree === undefined ? {} : { tree }),
    proves: [
      `The holder of the key ${opened.keyId} signed exactly this text; no byte of it has changed.`,
      ...(compared === undefined || known === undefined
        ? []
        : [
            tree === undefined
              ? `Commit ${commit} is there (${known.source}); the receipt names it, and with it its tree.`
              : `Commit ${commit} has the tree ${tree} that the receipt names (${known.source}).`,
          ]),
    ],
    provesNot: [
      ...(compared === undefined ? ["Nobody compared the commit and its tree: run it inside a checkout, or name the pull request."] : []),
      "It does not show that the change is right, nor that the model's words are true.",
      "It is the word of whoever holds the key: it shows what their server recorded, not that nobody could make that server record something else.",
    ],
  };
}

/** A text says what is wrong. */
function readStatement(payload: string): Statement | string {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch (error) {
    return messageOf(error);
  }
  const { _type, predicateType, subject, predicate } = (value ?? {}) as { readonly [key: string]: unknown };
  if (_type !== "https://in-toto.io/Statement/v1") return "it is no statement of in-toto, version 1";
  if (predicateType !== PREDICATE_TYPE) return `its predicate is ${JSON.stringify(predicateType)}`;
  const { repository } = (predicate ?? {}) as { readonly repository?: { readonly id?: unknown } };
  if (!Array.isArray(subject) || typeof repository?.id !== "number") return "it names no subject or no repository";
  return value as Statement;
}

function subjectOf({ subject }: Statement): { readonly commit: string | undefined; readonly tree: string | undefined } {
  const digests = subject.map(({ digest }) => digest as { readonly gitCommit?: unknown; readonly gitTree?: unknown });
  const find = (key: "gitCommit" | "gitTree"): string | undefined =>
    digests.map((digest) => digest[key]).find((one): one is string => typeof one === "string" && /^[0-9a-f]{40}$/.test(one));
  return { commit: find("gitCommit"), tree: find("gitTree") };
}

async function compare(
  { commit, tree }: { readonly commit: string; readonly tree: string | undefined },
  known: Known,
): Promise<{ readonly status: "same" } | { readonly status: "bad" | "unjudged"; readonly why: string }> {
  if (known.commit !== undefined && known.commit !== commit) {
    return { status: "bad", why: `The receipt is for commit ${commit}; what is to be verified is ${known.commit}.` };
  }
  const found = await known.treeOf(commit);
  if (found === undefined) return { status: "unjudged", why: `Commit ${commit}, which the receipt names, is not there (${known.source})` };
  if (tree !== undefined && found !== tree) {
    return { status: "bad", why: `The receipt is for the tree ${tree}; commit ${commit} has ${found} (${known.source}).` };
  }
  return { status: "same" };
}
