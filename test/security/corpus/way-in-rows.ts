import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { whyNotMeant } from "../../../src/config/meant.ts";
import { DEFAULT_SETTINGS } from "../../../src/config/settings.ts";
import { readDelivery } from "../../../src/triggers/delivery.ts";
import { toRunRequest } from "../../../src/triggers/request.ts";
import { ALICE, comment, issue, MALLORY, payload, pull } from "../../unit/triggers/payloads.ts";
import type { Outcome } from "./scene.ts";

const identity = { appSlug: "sallyport", appId: 42, botLogin: "sallyport[bot]" };
const WORDS = "@sallyport go";

/** Who a run would be for, or that there is none. */
function asker(event: string, body: unknown): string {
  const request = toRunRequest(event, "d-1", body, identity);
  return "ignored" in request || whyNotMeant(request, DEFAULT_SETTINGS) !== undefined ? "nobody" : request.actor.login;
}
const said = (action: string, author: object, sender: object = author) =>
  payload(action, { issue, comment: comment(WORDS, { user: author }), sender });
/** Each event with who may be asked about: whoever wrote the words, or nobody. */
const judge = (...asked: readonly (readonly [seen: string, wanted: string])[]): Promise<Outcome> =>
  Promise.resolve({ kind: "outcome", held: asked.every(([seen, wanted]) => seen === wanted), saw: JSON.stringify(asked) });

/** Statuses for one body under several signatures; undefined where it was taken. */
async function delivered(headers: readonly Record<string, string>[], body: string, secret: string): Promise<readonly number[]> {
  const server = createServer((request, response) => {
    void readDelivery(request, { secrets: [secret] }).then((read) => response.writeHead("status" in read ? read.status : 202).end());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  try {
    const statuses: number[] = [];
    for (const more of headers) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", "x-github-event": "issue_comment", "x-github-delivery": "d-1", ...more },
      });
      statuses.push(answer.status);
    }
    return statuses;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Events that must start nothing, or nothing for whoever only passed them on, by their rows. */
export const WAY_IN: Readonly<Record<string, () => Promise<Outcome>>> = {
  "gate-006": () =>
    judge(
      [asker("issue_comment", said("created", ALICE)), "alice"],
      [asker("issue_comment", said("edited", MALLORY, ALICE)), "nobody"],
      [asker("issues", payload("edited", { issue: { ...issue, body: WORDS }, sender: ALICE })), "nobody"],
      [asker("issue_comment", said("created", MALLORY, ALICE)), "mallory"],
      [
        asker("pull_request_review_comment", payload("created", { pull_request: pull, comment: comment(WORDS, { user: MALLORY }) })),
        "mallory",
      ],
    ),
  "gate-007": () =>
    judge(
      [asker("issue_comment", said("created", { id: 66, login: "evil-app[bot]", type: "Bot" })), "nobody"],
      [asker("issue_comment", said("created", { id: 66, login: "evil-app[bot]", type: "User" })), "nobody"],
      [asker("issue_comment", said("created", { id: 66, login: "evil-app", type: "Bot" })), "nobody"],
      [
        asker("issues", payload("opened", { issue: { ...issue, body: WORDS, user: { id: 66, login: "evil-app[bot]", type: "Bot" } } })),
        "nobody",
      ],
    ),
  async "gate-011"() {
    const secret = "a secret of this test alone";
    const body = JSON.stringify(said("created", ALICE));
    const sign = (kind: string, key: string, text = body): string => `${kind}=${createHmac(kind, key).update(text).digest("hex")}`;
    const good = { "x-hub-signature-256": sign("sha256", secret) };
    const bad = [
      {},
      { "x-hub-signature": sign("sha1", secret) },
      { "x-hub-signature-256": sign("sha1", secret) },
      { "x-hub-signature-256": sign("sha256", "another") },
      { "x-hub-signature-256": sign("sha256", secret, `${body} `) },
    ];
    const [taken, ...refused] = await delivered([good, ...bad], body, secret);
    return { kind: "outcome", held: taken === 202 && refused.every((status) => status === 401), saw: JSON.stringify([taken, ...refused]) };
  },
  "gate-012"() {
    const fork = { id: 66, full_name: "mallory/app", owner: { login: "mallory" } };
    const run = {
      id: 1,
      name: "test",
      event: "pull_request",
      conclusion: "failure",
      run_attempt: 1,
      head_branch: "main",
      head_sha: "a".repeat(40),
      head_repository: fork,
      pull_requests: [],
      actor: MALLORY,
      triggering_actor: MALLORY,
    };
    const body = payload("completed", { workflow_run: run, sender: MALLORY });
    // It is Mallory who must hold the permission, whatever branch name the fork chose; of work on a fork all is read-only.
    return judge(
      [asker("workflow_run", body), "mallory"],
      [asker("workflow_run", payload("completed", { workflow_run: { id: 1 } })), "nobody"],
    );
  },
};
