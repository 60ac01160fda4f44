import { describe, expect, it } from "vitest";
import type { EmbeddedGitHub } from "../../../../src/testing/index.ts";
import { api, widgets } from "./world.ts";

const COMMENTS = "POST /repos/acme/widgets/issues/1/comments";

describe("comments", () => {
  it("are the bot's when its token writes them, and keep their history", async () => {
    const from = await widgets();
    const token = from.addToken();
    const { body } = await api(from, COMMENTS, { token, body: { body: "working" } });
    const edited = await api(from, `PATCH /repos/acme/widgets/issues/comments/${Number(body["id"])}`, { token, body: { body: "done" } });
    expect(edited.body).toMatchObject({ body: "done", user: { login: "sallyport[bot]" } });
    expect(from.comments("acme/widgets", 1)).toMatchObject([{ body: "done", user: "sallyport[bot]", history: ["working", "done"] }]);
  });

  it.each([
    { name: "missing", body: {}, status: 422 },
    { name: "blank", body: { body: "  \n" }, status: 422 },
    { name: "no text", body: { body: 7 }, status: 422 },
    { name: "too long", body: { body: "x".repeat(65_537) }, status: 422 },
    { name: "as long as may be", body: { body: "x".repeat(65_536) }, status: 201 },
  ])("are answered with $status when the body is $name", async ({ body, status }) => {
    const from = await widgets();
    expect((await api(from, COMMENTS, { token: from.addToken(), body })).status).toBe(status);
  });

  it("cannot be written on a locked issue, nor be reacted to", async () => {
    const from = await widgets();
    const comment = from.addComment("acme/widgets", 1, { body: "x", user: "alice" });
    from.issue("acme/widgets", 1).locked = true;
    const token = from.addToken();
    const answer = await api(from, COMMENTS, { token, body: { body: "x" } });
    expect(answer).toMatchObject({ status: 403, body: { message: "Unable to create comment because issue is locked." } });
    for (const path of ["issues/1", `issues/comments/${comment.id}`]) {
      expect((await api(from, `POST /repos/acme/widgets/${path}/reactions`, { token, body: { content: "eyes" } })).status).toBe(403);
    }
  });

  it("of others are not edited or deleted by the App", async () => {
    const from = await widgets();
    const { id } = from.addComment("acme/widgets", 1, { body: "mine", user: "alice" });
    const token = from.addToken();
    expect((await api(from, `PATCH /repos/acme/widgets/issues/comments/${id}`, { token, body: { body: "x" } })).status).toBe(403);
    expect((await api(from, `DELETE /repos/acme/widgets/issues/comments/${id}`, { token })).status).toBe(403);
    expect(from.comments("acme/widgets", 1)).toMatchObject([{ body: "mine" }]);
  });

  it("of a deleted account have no user", async () => {
    const from = await widgets();
    const { id } = from.addComment("acme/widgets", 1, { body: "left", user: null });
    expect((await api(from, `GET /repos/acme/widgets/issues/comments/${id}`)).body).toMatchObject({ user: null, body: "left" });
  });
});

describe("reactions", () => {
  it("are made once: the same again answers 200 with the first", async () => {
    const from = await widgets();
    const token = from.addToken();
    const line = "POST /repos/acme/widgets/issues/1/reactions";
    const first = await api(from, line, { token, body: { content: "eyes" } });
    const second = await api(from, line, { token, body: { content: "eyes" } });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body["id"]).toBe(first.body["id"]);
    expect(from.reactions("acme/widgets")).toMatchObject([{ target: "issue", targetId: 1, content: "eyes", user: "sallyport[bot]" }]);
    expect((await api(from, "GET /repos/acme/widgets/issues/1")).body).toMatchObject({ reactions: { total_count: 1, eyes: 1 } });
  });
});

describe("pull requests", () => {
  const LINE = "POST /repos/acme/widgets/pulls";
  const asked = { title: "T", head: "topic", base: "main" };

  async function topic(): Promise<EmbeddedGitHub> {
    const from = await widgets();
    from.push("acme/widgets", "topic", { "src/sum.ts": "export const sum = (a, b) => a + b;\n", "new.txt": "1\n2\n" });
    return from;
  }

  it("hold the difference to their base", async () => {
    const from = await topic();
    from.push("acme/widgets", "main", { "other.txt": "meanwhile" });
    const { body } = await api(from, LINE, { token: from.addToken(), body: { ...asked, body: "Closes #1", draft: true } });
    expect(body).toMatchObject({
      number: 2,
      draft: true,
      changed_files: 2,
      additions: 3,
      deletions: 1,
      commits: 1,
      user: { login: "sallyport[bot]" },
    });
    const { list: files } = await api(from, "GET /repos/acme/widgets/pulls/2/files");
    expect(files.map(({ filename, status }) => [filename, status])).toEqual([
      ["new.txt", "added"],
      ["src/sum.ts", "modified"],
    ]);
    expect(files[1]?.["patch"]).toBe("@@ -1 +1 @@\n-export const sum = (a, b) => a - b;\n+export const sum = (a, b) => a + b;");
    const { text } = await api(from, "GET /repos/acme/widgets/pulls/2", { accept: "application/vnd.github.diff" });
    expect(text).toContain("+++ b/new.txt");
    expect(from.pulls("acme/widgets")).toMatchObject([{ title: "T", body: "Closes #1", headRef: "topic", baseRef: "main" }]);
  });

  it.each([
    { name: "there is one already", body: asked, message: "A pull request already exists for acme:topic.", twice: true },
    { name: "nothing differs", body: { ...asked, head: "main" }, message: "No commits between main and main" },
    { name: "the head is missing", body: { ...asked, head: "gone" }, field: "head" },
    { name: "the base is missing", body: { ...asked, base: "gone" }, field: "base" },
    { name: "the title is blank", body: { ...asked, title: " " }, field: "title" },
    { name: "the body is too long", body: { ...asked, body: "x".repeat(65_537) }, field: "body" },
  ])("are refused with 422 when $name", async ({ body, message, field, twice }) => {
    const from = await topic();
    const token = from.addToken();
    if (twice) await api(from, LINE, { token, body });
    const answer = await api(from, LINE, { token, body });
    const error = message === undefined ? { field } : { message };
    expect(answer).toMatchObject({ status: 422, body: { message: "Validation Failed", errors: [error] } });
    expect(from.pulls("acme/widgets")).toHaveLength(twice ? 1 : 0);
  });

  it("are found by their head, and by their state", async () => {
    const from = await topic();
    const pull = from.openPull("acme/widgets", { ...asked, user: "alice" });
    const found = async (query: string) => (await api(from, `GET /repos/acme/widgets/pulls?${query}`)).list.length;
    expect(await found("head=acme:topic")).toBe(1);
    expect(await found("head=acme:other")).toBe(0);
    await api(from, `PATCH /repos/acme/widgets/pulls/${pull.number}`, { token: from.addToken(), body: { state: "closed" } });
    expect(await found("head=acme:topic")).toBe(0);
    expect(await found("state=closed")).toBe(1);
  });

  it("follow their branch, renames and binaries included", async () => {
    const from = await topic();
    const pull = from.openPull("acme/widgets", { ...asked, user: "alice" });
    from.push("acme/widgets", "topic", { "README.md": null, "docs/README.md": "# Widgets\n", "a.bin": Buffer.from([0, 1, 2]) });
    const { list } = await api(from, `GET /repos/acme/widgets/pulls/${pull.number}/files`);
    expect(list).toContainEqual(
      expect.objectContaining({ filename: "docs/README.md", status: "renamed", previous_filename: "README.md", changes: 0 }),
    );
    expect(list.find(({ filename }) => filename === "a.bin")).not.toHaveProperty("patch");
  });

  it("can come from a fork, whose branch is the fork's", async () => {
    const from = await topic();
    from.addRepository("eve/widgets", { files: { a: "a" }, ownerType: "User", installed: false });
    from.push("eve/widgets", "topic", { b: "b" });
    const pull = from.openPull("acme/widgets", { ...asked, user: "eve", headRepository: "eve/widgets" });
    expect(from.fileAt("acme/widgets", `refs/pull/${pull.number}/head`, "b")).toBe("b");
    expect(from.branches("acme/widgets")).toEqual(["main", "topic"]);
  });
});

describe("reviews", () => {
  async function reviewed(body: object): Promise<{ from: EmbeddedGitHub; status: number; errors: unknown }> {
    const from = await widgets();
    const head = from.push("acme/widgets", "topic", { "src/sum.ts": "export const sum = 1;\n" });
    from.openPull("acme/widgets", { title: "T", head: "topic", user: "sallyport[bot]" });
    const token = from.addToken();
    const answer = await api(from, "POST /repos/acme/widgets/pulls/2/reviews", {
      token,
      body: { commit_id: head, event: "COMMENT", ...body },
    });
    return { from, status: answer.status, errors: answer.body["errors"] };
  }
  const line = { path: "src/sum.ts", line: 1, body: "Why?" };

  it("publish their comments with them", async () => {
    const { from, status } = await reviewed({ body: "All in all", comments: [line] });
    expect(status).toBe(200);
    expect(from.reviews("acme/widgets", 2)).toMatchObject([{ state: "COMMENTED", body: "All in all", user: "sallyport[bot]" }]);
    expect(from.reviewComments("acme/widgets", 2)).toMatchObject([{ path: "src/sum.ts", line: 1, side: "RIGHT" }]);
  });

  it.each([
    { name: "a line is not in the difference", body: { comments: [line, { ...line, line: 9 }] }, error: "line must be part of the diff" },
    { name: "a path is not in the difference", body: { comments: [{ ...line, path: "README.md" }] }, error: "path could not be resolved" },
    { name: "a range is upside down", body: { comments: [{ ...line, start_line: 1 }] }, error: "start_line must precede" },
    { name: "there is nothing in it", body: {}, error: "body can't be blank" },
    { name: "it approves its own", body: { event: "APPROVE" }, error: "approve your own" },
    { name: "the commit is foreign", body: { commit_id: "1".repeat(40), body: "x" }, error: "Commit oid is not part" },
    { name: "a comment is too long", body: { comments: [{ ...line, body: "x".repeat(65_537) }] }, error: "too long" },
  ])("are refused whole when $name", async ({ body, error }) => {
    const { from, status, errors } = await reviewed(body);
    expect(status).toBe(422);
    expect(String(errors)).toContain(error);
    expect(from.reviews("acme/widgets")).toEqual([]);
    expect(from.reviewComments("acme/widgets")).toEqual([]);
  });

  it("keep replies in the first comment's thread", async () => {
    const { from } = await reviewed({ comments: [line] });
    const token = from.addToken();
    const first = from.reviewComments("acme/widgets")[0]?.id ?? 0;
    const { body: reply } = await api(from, `POST /repos/acme/widgets/pulls/2/comments/${first}/replies`, {
      token,
      body: { body: "Because." },
    });
    const { body: second } = await api(from, "POST /repos/acme/widgets/pulls/2/comments", {
      token,
      body: { body: "I see.", in_reply_to: Number(reply["id"]) },
    });
    expect([reply["in_reply_to_id"], second["in_reply_to_id"]]).toEqual([first, first]);
  });
});

describe("check runs", () => {
  it("are completed by a conclusion, and add up their annotations", async () => {
    const from = await widgets();
    const token = from.addToken();
    const head = from.tip("acme/widgets", "main");
    const annotation = { path: "README.md", start_line: 1, end_line: 1, annotation_level: "notice", message: "x" };
    const output = { title: "T", summary: "S", annotations: [annotation] };
    const { body } = await api(from, "POST /repos/acme/widgets/check-runs", { token, body: { name: "sallyport", head_sha: head, output } });
    expect(body).toMatchObject({ status: "queued", conclusion: null });
    const line = `PATCH /repos/acme/widgets/check-runs/${Number(body["id"])}`;
    const done = await api(from, line, { token, body: { conclusion: "success", output } });
    expect(done.body).toMatchObject({ status: "completed", conclusion: "success", output: { annotations_count: 2 } });
    expect(from.checkRuns("acme/widgets")).toHaveLength(1);
  });

  it.each([
    { name: "an unknown commit", body: { head_sha: "1".repeat(40) } },
    { name: "an unknown conclusion", body: { conclusion: "fine" } },
    { name: "an end without a conclusion", body: { status: "completed" } },
    { name: "a summary that is too long", body: { output: { title: "T", summary: "x".repeat(65_536) } } },
    { name: "51 annotations", body: { output: { title: "T", summary: "S", annotations: Array.from({ length: 51 }, () => ({})) } } },
  ])("are refused with $name", async ({ body }) => {
    const from = await widgets();
    const whole = { name: "sallyport", head_sha: from.tip("acme/widgets", "main"), ...body };
    expect((await api(from, "POST /repos/acme/widgets/check-runs", { token: from.addToken(), body: whole })).status).toBe(422);
    expect(from.checkRuns("acme/widgets")).toEqual([]);
  });
});
