import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openGit } from "../../../src/workspace/git.ts";
import { openStores } from "../../../src/workspace/store.ts";
import type { Stores } from "../../../src/workspace/store.ts";
import { makeRepository, startHost, temporaryFolder } from "./git-host.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const PATH = process.env["PATH"] ?? "";
let count = 0;

function freshStores(path = PATH): { readonly stores: Stores; readonly folder: string } {
  count += 1;
  const folder = join(temporary.path, `data ${count}`);
  return { stores: openStores({ git: openGit({ path }), folder, path }), folder };
}

/** Assembled here, so that no file of the repository holds a token's shape. */
const TOKEN = ["ghs", "x".repeat(36)].join("_");
const tokenOf = (token?: string) => () => Promise.resolve(token);

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe("fetching a commit", () => {
  test("brings it once, pins it, and asks nothing the second time", async () => {
    const origin = makeRepository(temporary.path);
    const first = origin.commit({ "a.txt": "one\n" });
    const second = origin.commit({ "a.txt": "two\n" }, { parent: first });
    await using host = await startHost(origin);
    const { stores } = freshStores();
    const store = await stores.open(7);
    const remote = { url: host.url, token: tokenOf() };
    const stored = await store.fetchCommit({ remote, sha: second });
    expect(stored).toEqual({ commit: second, tree: origin.text(["rev-parse", `${second}^{tree}`]) });
    const asked = host.requests.length;
    expect(asked).toBeGreaterThan(0);
    await store.fetchCommit({ remote, sha: second });
    const again = await freshStoresOver(stores, 7);
    await again.fetchCommit({ remote, sha: second });
    expect(host.requests).toHaveLength(asked);
    expect(await store.git.text(["rev-list", "--all"], { gitDir: store.gitDir })).toBe(`${second}\n`);
    expect(await store.git.text(["for-each-ref", "--format=%(refname)"], { gitDir: store.gitDir })).toBe(`refs/runs/${second}\n`);
  });

  async function freshStoresOver(stores: Stores, id: number) {
    const { gitDir } = await stores.open(id);
    return openStores({ git: openGit({ path: PATH }), folder: join(gitDir, ".."), path: PATH }).open(id);
  }

  test("sends the token to the remote's origin alone, and leaves it neither on disk nor in any argument", async () => {
    const origin = makeRepository(temporary.path);
    const sha = origin.commit({ "a.txt": "secret enough\n" });
    await using host = await startHost(origin);
    const seen = spyOnGit();
    const { stores, folder } = freshStores(seen.path);
    const store = await stores.open(1);
    await store.fetchCommit({ remote: { url: host.url, token: tokenOf(TOKEN) }, sha });
    const basic = Buffer.from(`x-access-token:${TOKEN}`).toString("base64");
    expect(host.requests.every(({ authorization }) => authorization === `Basic ${basic}`)).toBe(true);
    for (const file of everyFile(folder)) {
      const bytes = readFileSync(file).toString("latin1");
      expect.soft(bytes.includes(TOKEN) || bytes.includes(basic), file).toBe(false);
    }
    const { argv, env } = seen.read();
    expect(argv).toContain("fetch");
    expect(argv).not.toContain(TOKEN);
    expect(argv).not.toContain(basic);
    expect(env).toContain(`Authorization: Basic ${basic}`);
    expect(env).toContain(`http.${new URL(host.url).origin}/.extraHeader`);
    expect(env).not.toMatch(/^HOME=/m);
  });

  test("does not follow a redirect, so that no other host sees the header", async () => {
    const origin = makeRepository(temporary.path);
    const sha = origin.commit({ a: "a" });
    await using host = await startHost(origin);
    const visits: string[] = [];
    const other = createServer((request, response) => {
      visits.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    host.answer = (request, response) => {
      response.writeHead(301, { location: `${elsewhere}${request.url}` }).end();
      return true;
    };
    const store = await freshStores().stores.open(1);
    const fetching = store.fetchCommit({ remote: { url: host.url, token: tokenOf(TOKEN) }, sha });
    await expect(fetching).rejects.toMatchObject({ code: "remote-moved" });
    await new Promise((resolve) => other.close(resolve));
    expect(visits).toEqual([]);
  });

  test("works for two at once, of one commit and of two", async () => {
    const origin = makeRepository(temporary.path);
    const first = origin.commit({ "a.txt": "one\n" });
    const second = origin.commit({ "a.txt": "two\n" }, { parent: first });
    await using host = await startHost(origin);
    const { stores, folder } = freshStores();
    const remote = { url: host.url, token: tokenOf() };
    const twin = openStores({ git: openGit({ path: PATH }), folder, path: PATH });
    const all = [first, second, first].flatMap((sha) =>
      [stores, twin].map(async (some) => (await some.open(3)).fetchCommit({ remote, sha })),
    );
    const commits = (await Promise.all(all)).map(({ commit }) => commit);
    expect(commits).toEqual([first, first, second, second, first, first]);
  });

  test("goes on over the lock files and half packs of a git that was killed", async () => {
    const origin = makeRepository(temporary.path);
    const sha = origin.commit({ "a.txt": "one\n" });
    await using host = await startHost(origin);
    const store = await freshStores().stores.open(1);
    mkdirSync(join(store.gitDir, "refs", "runs"), { recursive: true });
    mkdirSync(join(store.gitDir, "objects", "pack"), { recursive: true });
    for (const name of ["shallow.lock", `refs/runs/${sha}.lock`, "objects/pack/tmp_pack_abc"]) writeFileSync(join(store.gitDir, name), "");
    await store.fetchCommit({ remote: { url: host.url, token: tokenOf() }, sha });
    expect(readdirSync(join(store.gitDir, "objects", "pack")).some((name) => name.startsWith("tmp_"))).toBe(false);
  });

  test("fetches again when a commit is there without its tree", async () => {
    const origin = makeRepository(temporary.path);
    const sha = origin.commit({ "a.txt": "one\n" });
    await using host = await startHost(origin);
    const store = await freshStores().stores.open(1);
    await store.git.run(["hash-object", "-t", "commit", "-w", "--stdin"], {
      gitDir: store.gitDir,
      input: origin.git(["cat-file", "commit", sha]),
    });
    await store.fetchCommit({ remote: { url: host.url, token: tokenOf() }, sha });
    expect(await store.git.text(["show", `${sha}:a.txt`], { gitDir: store.gitDir })).toBe("one\n");
  });
});

describe("a fetch that fails says why", () => {
  const status =
    (code: number, headers = {}, text = "") =>
    (_: unknown, response: ServerResponse) => {
      response.writeHead(code, headers).end(text);
      return true;
    };
  const missing = "f".repeat(40);
  const rows: readonly {
    readonly name: string;
    readonly code: string;
    readonly answer?: ReturnType<typeof status>;
    readonly token?: string;
  }[] = [
    { name: "no such commit", code: "commit-missing" },
    { name: "no such repository", code: "repository-missing", answer: status(404) },
    { name: "no credentials", code: "fetch-unauthorized", answer: status(401, { "www-authenticate": "Basic" }) },
    { name: "refused credentials", code: "fetch-unauthorized", answer: status(401, { "www-authenticate": "Basic" }), token: TOKEN },
    { name: "a forbidden repository", code: "fetch-unauthorized", answer: status(403), token: TOKEN },
    {
      name: "a host that is asked too often",
      code: "remote-unreachable",
      answer: status(403, { "content-type": "text/plain" }, "You have exceeded a secondary rate limit. Please wait.\n"),
      token: TOKEN,
    },
    { name: "a host that says so with a status", code: "remote-unreachable", answer: status(429), token: TOKEN },
    { name: "a host in trouble", code: "remote-unreachable", answer: status(502) },
  ];
  test.each(rows)("$name: $code", async ({ code, answer, token }) => {
    const origin = makeRepository(temporary.path);
    origin.commit({ a: "a" });
    await using host = await startHost(origin);
    if (answer !== undefined) host.answer = answer;
    const store = await freshStores().stores.open(1);
    const fetching = store.fetchCommit({ remote: { url: host.url, token: tokenOf(token) }, sha: missing });
    const error: Error = await fetching.then(
      () => new Error("it was fetched"),
      (reason: Error) => reason,
    );
    expect(error).toMatchObject({ code, hint: expect.stringMatching(/./) });
    expect(error.message).toContain(missing);
    expect(error.message).not.toContain(TOKEN);
  });

  test.each([
    ["a closed port", "http://127.0.0.1:1/a/b.git", "remote-unreachable"],
    ["an unknown host", "https://nowhere.invalid/a/b.git", "remote-unreachable"],
    ["an address with a token in it", "https://x:y@example.test/a/b.git", "bad-remote"],
    ["a path", "/etc", "bad-remote"],
    ["the ext transport", "ext::sh -c touch% /tmp/x", "bad-remote"],
    ["an ssh address", "ssh://git@example.test/a/b.git", "bad-remote"],
    ["a file address", "file:///etc", "bad-remote"],
  ])("%s", async (_, url, code) => {
    const store = await freshStores().stores.open(1);
    const fetching = store.fetchCommit({ remote: { url, token: tokenOf(TOKEN) }, sha: missing });
    await expect(fetching).rejects.toMatchObject({ code, message: expect.not.stringContaining("x:y") });
  });

  test.each(["HEAD", "main", "--upload-pack=x", "abc", "F".repeat(40)])("%s is no commit id", async (sha) => {
    const store = await freshStores().stores.open(1);
    await expect(store.fetchCommit({ remote: { url: "https://example.test/a", token: tokenOf() }, sha })).rejects.toMatchObject({
      code: "bad-commit-id",
    });
  });

  test("an abort ends it at once", async () => {
    const origin = makeRepository(temporary.path);
    const sha = origin.commit({ a: "a" });
    await using host = await startHost(origin);
    host.answer = () => true;
    const store = await freshStores().stores.open(1);
    const stop = new AbortController();
    const fetching = store.fetchCommit({ remote: { url: host.url, token: tokenOf() }, sha, signal: stop.signal });
    const ended = expect(fetching).rejects.toMatchObject({ code: "git-aborted" });
    await expect.poll(() => host.requests.length).toBeGreaterThan(0);
    stop.abort();
    await ended;
    host.answer = () => false;
    await expect(store.fetchCommit({ remote: { url: host.url, token: tokenOf() }, sha })).resolves.toMatchObject({ commit: sha });
  });
});

test("a fetched commit whose tree names git's own folder is refused by git's own check", async () => {
  const origin = makeRepository(temporary.path);
  const sha = origin.commit({ ".git/config": "[core]\n\tfsmonitor = false\n" });
  await using host = await startHost(origin);
  const store = await freshStores().stores.open(1);
  await expect(store.fetchCommit({ remote: { url: host.url, token: tokenOf() }, sha })).rejects.toThrow(/hasDotgit|contains '.git'/);
});

test("a store removed with its repository leaves nothing", async () => {
  const { stores, folder } = freshStores();
  await stores.open(5);
  await stores.remove(5);
  expect(readdirSync(folder)).toEqual([]);
});

/** A `git` before the real one that writes down how it was called, then becomes it. */
function spyOnGit(): { readonly path: string; read(): { readonly argv: string; readonly env: string } } {
  count += 1;
  const folder = join(temporary.path, `spy-${count}`);
  mkdirSync(folder);
  const real = PATH.split(":").find((entry) => entry !== "" && statSync(join(entry, "git"), { throwIfNoEntry: false }) !== undefined);
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" >> ${folder}/argv\nenv >> ${folder}/env\nexec ${real}/git "$@"\n`;
  writeFileSync(join(folder, "git"), script);
  chmodSync(join(folder, "git"), 0o755);
  return {
    path: `${folder}:${PATH}`,
    read: () => ({ argv: readFileSync(join(folder, "argv"), "utf8"), env: readFileSync(join(folder, "env"), "utf8") }),
  };
}
