import type { RunRequest } from "../../../src/core/run.ts";

let made = 0;

/** A mention with a delivery id of its own. */
export function mention({ number = 1, ...rest }: Partial<RunRequest> & { readonly number?: number } = {}): RunRequest {
  return {
    trigger: "mention",
    deliveryId: `delivery-${(made += 1)}`,
    repository: { id: 42, owner: "octo", name: "cart", installationId: 7, isPrivate: true, defaultBranch: "trunk" },
    thread: { kind: "issue", number },
    actor: { id: 9, login: "mona", isBot: false },
    source: { kind: "issue-comment", id: 1000 + made },
    title: "The total is wrong",
    body: "See below",
    text: "fix this",
    ...rest,
  };
}
