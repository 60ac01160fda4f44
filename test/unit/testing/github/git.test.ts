import { join } from "node:path";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { git, github, temporaryFolder, widgets } from "./world.ts";

const basic = (token: string): string[] => [
  "-c",
  `http.extraHeader=Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`,
];

describe("git over smart HTTP", () => {
  it("clones a public repository without a credential", async () => {
    const from = await widgets();
    const folder = temporaryFolder();
    expect(await git(folder, "clone", "-q", `${from.origin}/acme/widgets.git`, "copy")).toMatchObject({ status: 0 });
    expect(readFileSync(join(folder, "copy/README.md"), "utf8")).toBe("# Widgets\n");
    expect(from.requests.every(({ git, auth }) => git === "fetch" && auth === "none")).toBe(true);
  });

  it("clones a private repository with a token, and records the raw header", async () => {
    const from = await widgets({ isPrivate: true });
    const folder = temporaryFolder();
    const token = from.addToken();
    expect(await git(folder, ...basic(token), "clone", "-q", `${from.origin}/acme/widgets`, "copy")).toMatchObject({ status: 0 });
    expect(from.requests).toContainEqual(
      expect.objectContaining({
        path: "/acme/widgets/info/refs",
        git: "fetch",
        auth: "installation",
        login: "sallyport[bot]",
        status: 200,
      }),
    );
    expect(from.requests.at(-1)?.authorization).toContain("Basic ");
  });

  it.each([
    { name: "no credential", status: 401, token: () => undefined },
    { name: "an unknown token", status: 401, token: () => "ghs_unknown" },
    { name: "an expired token", status: 401, token: (from: Awaited<ReturnType<typeof github>>) => from.addToken({ lifetimeMs: -1 }) },
    { name: "a stranger's token", status: 404, token: (from: Awaited<ReturnType<typeof github>>) => from.addToken({ login: "eve" }) },
    {
      name: "a token without contents",
      status: 403,
      token: (from: Awaited<ReturnType<typeof github>>) => from.addToken({ permissions: { issues: "write" } }),
    },
  ])("refuses a private repository to $name with $status", async ({ status, token }) => {
    const from = await widgets({ isPrivate: true });
    const credential = token(from);
    const args = [...(credential === undefined ? [] : basic(credential)), "ls-remote", `${from.origin}/acme/widgets.git`];
    expect((await git(temporaryFolder(), ...args)).status).not.toBe(0);
    expect(from.requests.at(-1)?.status).toBe(status);
  });

  it("fetches one commit by its id, as deep as asked", async () => {
    const from = await widgets();
    const old = from.tip("acme/widgets", "main") ?? "";
    from.push("acme/widgets", "main", { "README.md": "new\n" });
    const folder = temporaryFolder();
    await git(folder, "init", "-q");
    expect(await git(folder, "fetch", "-q", "--depth=1", `${from.origin}/acme/widgets.git`, old)).toMatchObject({ status: 0 });
    expect((await git(folder, "show", "FETCH_HEAD:README.md")).out).toBe("# Widgets\n");
  });

  it("takes a push from who may write, records it, and moves the pull request", async () => {
    const from = await widgets();
    from.push("acme/widgets", "topic", { "a.txt": "a" });
    const pull = from.openPull("acme/widgets", { title: "A", user: "alice", head: "topic" });
    const folder = temporaryFolder();
    const remote = `${from.origin}/acme/widgets.git`;
    await git(folder, "clone", "-q", "-b", "topic", remote, ".");
    writeFileSync(join(folder, "a.txt"), "b");
    await git(folder, "-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "-qam", "b");
    const args = [...basic(from.addToken({ login: "alice" })), "push", "-q", "origin", "topic"];
    expect(await git(folder, ...args)).toMatchObject({ status: 0 });
    expect(from.requests.filter(({ git }) => git === "push").map(({ login }) => login)).toContain("alice");
    expect(from.fileAt("acme/widgets", "topic", "a.txt")).toBe("b");
    expect(pull.headSha).toBe(from.tip("acme/widgets", "topic"));
  });

  it("refuses a push to a protected branch, and one by who may only read", async () => {
    const from = await widgets();
    from.protect("acme/widgets", "main");
    const folder = temporaryFolder();
    await git(folder, "clone", "-q", `${from.origin}/acme/widgets.git`, ".");
    writeFileSync(join(folder, "README.md"), "taken over");
    await git(folder, "-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "-qam", "b");
    const before = from.tip("acme/widgets", "main");
    for (const login of ["alice", "mallory"]) {
      expect((await git(folder, ...basic(from.addToken({ login })), "push", "-q", "origin", "HEAD:main")).status).not.toBe(0);
    }
    expect((await git(folder, ...basic(from.addToken({ login: "mallory" })), "push", "-q", "origin", "HEAD:other")).status).not.toBe(0);
    expect(from.tip("acme/widgets", "main")).toBe(before);
    expect(from.branches("acme/widgets")).toEqual(["main"]);
  });

  it("keeps bytes and modes as they were pushed", async () => {
    const from = await github();
    const content = Buffer.from([0, 255, 13, 10]);
    from.addRepository("acme/bytes", { files: { "run.sh": { content: "#!/bin/sh\n", mode: "100755" }, "raw.bin": content } });
    from.push("acme/bytes", "main", { link: { content: "raw.bin", mode: "120000" }, "run.sh": null });
    expect(from.bytesAt("acme/bytes", "main", "raw.bin")).toEqual(content);
    expect(from.modeAt("acme/bytes", "main~1", "run.sh")).toBe("100755");
    expect(from.modeAt("acme/bytes", "main", "link")).toBe("120000");
    expect(from.modeAt("acme/bytes", "main", "run.sh")).toBeUndefined();
  });
});
