/** Payloads as GitHub sends them, cut down to what is looked at and a little more. */
export const ALICE = { id: 7, login: "alice", type: "User" };
export const MALLORY = { id: 8, login: "mallory", type: "User" };
export const BOT = { id: 9, login: "sallyport[bot]", type: "Bot" };
export const OTHER_BOT = { id: 10, login: "renovatey[bot]", type: "Bot" };
export const HEAD = "a".repeat(40);
export const BASE = "b".repeat(40);

export const repository = {
  id: 100,
  name: "widgets",
  full_name: "acme/widgets",
  owner: { id: 5, login: "acme", type: "Organization" },
  private: true,
  default_branch: "trunk",
  archived: false,
};

export const issue = {
  id: 1000,
  number: 31,
  title: "sum subtracts",
  body: "`sum(1, 2)` gives -1.",
  user: MALLORY,
  state: "open",
  labels: [],
};

export const pull = {
  id: 2000,
  number: 8,
  title: "extra",
  body: "adds more",
  user: ALICE,
  head: { ref: "feature", sha: HEAD, repo: { id: 100 } },
  base: { ref: "trunk", sha: BASE, repo: { id: 100 } },
};

export function payload(action: string, rest: object): Record<string, unknown> {
  return { action, installation: { id: 55 }, repository, sender: ALICE, ...rest };
}

export function comment(body: string | null, rest: object = {}): Record<string, unknown> {
  return { id: 3000, body, user: ALICE, author_association: "NONE", performed_via_github_app: null, ...rest };
}
