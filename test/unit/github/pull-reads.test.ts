import { describe, expect, it } from "vitest";
import { embedded } from "./embedded.ts";

describe("a pull request's files", () => {
  it("come with their patches, old names and counts", async () => {
    const { github, reader } = await embedded({}, { files: { "a.txt": "a\n", "old/name.txt": "one\ntwo\nthree\nfour\n" } });
    github.push("acme/widgets", "topic", {
      "a.txt": "b\n",
      "old/name.txt": null,
      "new/name.txt": "one\ntwo\nthree\nfour\n",
      "src/x.ts": "x\n",
    });
    const { number } = github.openPull("acme/widgets", { title: "t", head: "topic" });
    const found = await reader.pullFiles({ number, page: 1 });
    expect(found?.files).toEqual([
      expect.objectContaining({
        path: "a.txt",
        status: "modified",
        additions: 1,
        deletions: 1,
        patch: expect.stringMatching(/-a\n\+b/) as string,
      }),
      expect.objectContaining({ path: "new/name.txt", previousPath: "old/name.txt", status: "renamed" }),
      expect.objectContaining({ path: "src/x.ts", status: "added" }),
    ]);
    expect(found).toMatchObject({ changedFiles: 3, pages: 1 });
    const at = async (path: string) => (await reader.pullFiles({ number, page: 1, path }))?.files.map((file) => file.path);
    expect([await at("src"), await at("old/name.txt"), await at("sr")]).toEqual([["src/x.ts"], ["new/name.txt"], []]);
  });

  it("are found by path on whatever page they stand", async () => {
    const { github, reader } = await embedded();
    github.push(
      "acme/widgets",
      "topic",
      Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`many/f${String(n).padStart(3, "0")}.txt`, `${n}\n`])),
    );
    const { number } = github.openPull("acme/widgets", { title: "t", head: "topic" });
    expect((await reader.pullFiles({ number, page: 2 }))?.files).toHaveLength(30);
    expect(await reader.pullFiles({ number, page: 1, path: "many/f129.txt" })).toMatchObject({
      files: [{ path: "many/f129.txt" }],
      changedFiles: 130,
      pages: 2,
    });
    expect(await reader.pullFiles({ number: 99, page: 1 })).toBeUndefined();
  });
});

describe("a pull request", () => {
  it("comes with its ends, counts, reviews and remarks", async () => {
    const { github, reader } = await embedded();
    const sha = github.push("acme/widgets", "topic", { "a.txt": "b\n" });
    const { number } = github.openPull("acme/widgets", { title: "t", body: null, user: null, head: "topic", draft: true });
    const review = github.addReview("acme/widgets", number, { user: "alice", body: "Look at a.txt." });
    github.addReviewComment("acme/widgets", number, { path: "a.txt", line: 1, body: "Why b?", user: "alice", review: review.id });
    expect(await reader.pullDetails(number)).toMatchObject({
      number,
      body: "",
      author: "ghost",
      draft: true,
      merged: false,
      head: { ref: "topic", sha, repository: "acme/widgets" },
      base: { ref: "main", sha: github.tip("acme/widgets", "main") },
      commits: 1,
      changedFiles: 1,
      reviews: [{ author: "alice", body: "Look at a.txt." }],
      remarks: [{ author: "alice", body: "Why b?", where: { path: "a.txt", line: 1 } }],
      hasOlderRemarks: false,
    });
    expect(await reader.pullDetails(99)).toBeUndefined();
  });
});

describe("the issues", () => {
  it("are the newest first, with pull requests among them, by state and labels", async () => {
    const { github, reader } = await embedded();
    github.addIssue("acme/widgets", { title: "one", labels: ["bug"], user: null });
    github.addIssue("acme/widgets", { title: "two", state: "closed" });
    github.push("acme/widgets", "topic", { "a.txt": "b\n" });
    github.openPull("acme/widgets", { title: "three", head: "topic" });
    const list = async (filter: Partial<Parameters<typeof reader.issues>[0]>) => {
      const { issues, more } = await reader.issues({ state: "open", labels: [], limit: 10, ...filter });
      return [issues.map(({ title }) => title), more];
    };
    expect(await list({})).toEqual([["three", "one"], false]);
    expect(await list({ state: "all", limit: 1 })).toEqual([["three"], true]);
    expect(await list({ state: "closed" })).toEqual([["two"], false]);
    expect(await list({ labels: ["bug"] })).toEqual([["one"], false]);
    expect((await reader.issues({ state: "open", labels: [], limit: 10 })).issues).toMatchObject([
      { isPullRequest: true },
      { isPullRequest: false, author: "ghost" },
    ]);
  });
});
