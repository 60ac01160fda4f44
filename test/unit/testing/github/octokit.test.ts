import { createAppAuth } from "@octokit/auth-app";
import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { restEndpointMethods } from "@octokit/plugin-rest-endpoint-methods";
import { request } from "@octokit/request";
import { Webhooks } from "@octokit/webhooks";
import { describe, expect, it } from "vitest";
import type { EmbeddedGitHub } from "../../../../src/testing/index.ts";
import { receiver, widgets } from "./world.ts";

const Client = Octokit.plugin(restEndpointMethods, paginateRest);

function client(from: EmbeddedGitHub) {
  const auth = {
    appId: from.appId,
    privateKey: from.privateKey,
    installationId: from.installationId,
    request: request.defaults({ baseUrl: from.apiUrl }),
  };
  return new Client({ baseUrl: from.apiUrl, authStrategy: createAppAuth, auth });
}

describe("GitHub's own client", () => {
  it("authenticates as the App, reads pages and writes as the bot", async () => {
    const from = await widgets({ isPrivate: true });
    for (let n = 0; n < 130; n += 1) from.addComment("acme/widgets", 1, { body: String(n), user: "alice" });
    const octokit = client(from);
    const place = { owner: "acme", repo: "widgets" };
    const comments = await octokit.paginate(octokit.rest.issues.listComments, { ...place, issue_number: 1, per_page: 100 });
    expect(comments.map(({ body }) => body)).toEqual(Array.from({ length: 130 }, (_, n) => String(n)));
    const { data } = await octokit.rest.issues.createComment({ ...place, issue_number: 1, body: "Hello" });
    expect(data.user?.login).toBe("sallyport[bot]");
    expect(from.requests.filter(({ auth }) => auth === "app").map(({ path }) => path)).toEqual(["/app/installations/777/access_tokens"]);
  });

  it("commits through GraphQL, and throws GraphQL's errors", async () => {
    const from = await widgets();
    from.moveBranch("acme/widgets", "topic", from.tip("acme/widgets", "main") ?? "");
    const octokit = client(from);
    const mutation = "mutation Commit($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }";
    const commit = (expectedHeadOid: string | undefined) => {
      const input = {
        branch: { repositoryNameWithOwner: "acme/widgets", branchName: "topic" },
        expectedHeadOid,
        message: { headline: "Change" },
        fileChanges: { additions: [{ path: "a", contents: "YQ==" }] },
      };
      return octokit.graphql<{ createCommitOnBranch: { commit: { oid: string } } }>(mutation, { input });
    };
    const before = from.tip("acme/widgets", "topic");
    const made = await commit(before);
    expect(made.createCommitOnBranch.commit.oid).toBe(from.tip("acme/widgets", "topic"));
    await expect(commit(before)).rejects.toMatchObject({ errors: [{ type: "STALE_DATA" }] });
  });

  it("finds webhooks signed as they should be", async () => {
    const from = await widgets();
    const app = await receiver();
    from.webhookTarget = app.url;
    await from.say("acme/widgets", 1, "hello", "alice");
    const [webhook] = app.received;
    const webhooks = new Webhooks({ secret: from.webhookSecret });
    expect(await webhooks.verify(webhook?.raw ?? "", String(webhook?.headers["x-hub-signature-256"]))).toBe(true);
  });
});
