import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { probeSandbox } from "../../src/workspace/sandbox/probe.ts";
import { runIn } from "../../src/workspace/sandbox/run-in.ts";
import type { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import { temporaryFolder } from "../unit/workspace/git-host.ts";
import { makeOrigin, openTestOrigin } from "../unit/workspace/opened.ts";
import type { Opened } from "../unit/workspace/opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const found: Partial<Record<Sandbox["backend"], Sandbox>> = {};
beforeAll(async () => {
  for (const prefer of ["bubblewrap", "util-linux"] as const) {
    const { sandbox } = await probeSandbox({ path: process.env["PATH"] ?? "", prefer });
    if (sandbox !== undefined) found[sandbox.backend] = sandbox;
  }
});

const origin = makeOrigin(temporary.path, [{ "a.txt": "old\n" }, { "a.txt": "a\n", "src/b.ts": "export {};\n" }]);
const GIT = "/workspace/.git";
const LACKS = "this machine has no such sandbox, or no git in it";
/** A program of the attacker's that says where it has run. */
const PAYLOAD = "printf '#!/bin/sh\\ntouch %s/pwned; touch /workspace/repository/pwned\\n' /tmp > /tmp/p; chmod +x /tmp/p";

/** What is tried against the history, or by means of it; each prints `took` where the history itself was changed. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  "a hook is written": `${PAYLOAD}; mkdir -p ${GIT}/hooks && cp /tmp/p ${GIT}/hooks/post-checkout && echo took`,
  "its configuration is written": `git config core.fsmonitor /tmp/p && echo took; git config --add remote.x.url http://evil.test && echo took`,
  "its configuration file is replaced": `printf '[core]\\nfsmonitor=/tmp/p\\n' > ${GIT}/config && echo took; mv ${GIT}/config ${GIT}/c && echo took`,
  "other objects are borrowed": `mkdir -p ${GIT}/objects/info && echo /tmp/o > ${GIT}/objects/info/alternates && echo took`,
  "an object is added": "echo x | git hash-object -w --stdin && echo took",
  "a reference is moved": `git update-ref HEAD HEAD~1 && echo took; git tag x && echo took; echo x > ${GIT}/refs/x && echo took`,
  "a commit is made": "git add -A && echo took; git -c user.name=x -c user.email=x@x commit --allow-empty -qm x && echo took",
  "the index is lied to": "git update-index --assume-unchanged a.txt && echo took",
  "the work tree is reset":
    "echo mine > src/mine.ts; git stash -u && echo took; git reset --hard HEAD~1 && echo took; git clean -fdx -e '*' && rm src/mine.ts",
  "the folder is moved away": `mv ${GIT} /tmp/git && echo took; mv ${GIT} /workspace/old && echo took; rm -rf ${GIT} && echo took`,
  "a link takes its place": `ln -sfn /tmp ${GIT}/x && echo took; ln -s /tmp /workspace/link && echo took`,
  "permissions are widened": `chmod -R 777 ${GIT} && echo took; chown -R 1000 ${GIT} && echo took`,
  "it is mounted again": `mount -o remount,rw ${GIT} && echo took; mount -t tmpfs none ${GIT} && echo took; umount ${GIT} && echo took`,
  "a hard link leads to it": `ln ${GIT}/HEAD stolen && echo took; rm -f stolen`,
  "it is packed and pruned": `git gc --prune=now -q && echo took; git repack -adf && echo took; git prune`,
  "a work tree is added": "git worktree add -f /tmp/tree HEAD && echo took",
};

/** Every name in a folder with what can be told of it. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const { mode, uid, nlink, mtimeMs } = lstatSync(path);
    const bytes = entry.isFile() ? createHash("sha1").update(readFileSync(path)).digest("hex") : "";
    return [path.slice(folder.length), (entry.isFile() ? [mode, uid, nlink, mtimeMs, bytes] : [mode, uid]).join()] as const;
  });
  return Object.fromEntries(entries);
}

describe.each(["bubblewrap", "util-linux"] as const)("the history that %s shows", (backend) => {
  let opened: Opened;
  let folder: string;
  beforeAll(async () => {
    opened = await openTestOrigin(temporary.path, origin);
    folder = (await opened.workspace.history({ isAsked: true })) ?? "";
  });
  afterAll(() => opened[Symbol.asyncDispose]());
  const run = async (sandbox: Sandbox, command: string): Promise<string> =>
    (await runIn(sandbox, opened.workspace, { command, timeoutMs: 20_000 })).output;

  test.for(Object.entries(ATTEMPTS))("stays as it is, for the next command and for the host: %s", async ([, command], { skip }) => {
    const sandbox = found[backend];
    if (sandbox?.hasGit !== true) return skip(LACKS);
    const before = [contentOf(folder), contentOf(opened.store.gitDir), contentOf(opened.workspace.directory)];
    const state =
      "git rev-parse HEAD; git status --porcelain; git config --list --show-origin; git log --format=%H; ls -R /workspace/.git; ls -a /workspace";
    const told = await run(sandbox, state);
    expect(told).toContain(`${opened.commit}\n`);
    const said = await run(sandbox, `${command}; echo tried`);
    expect(said).toMatch(/tried\n$/);
    expect(said).not.toMatch(/^took$/m);
    expect(await run(sandbox, state)).toBe(told);
    expect([contentOf(folder), contentOf(opened.store.gitDir), contentOf(opened.workspace.directory)]).toEqual(before);
    expect((await opened.workspace.changeSet()).changes).toEqual([]);
  });

  test("leads nowhere else: no path, remote or object of the host", async ({ skip }) => {
    const sandbox = found[backend];
    if (sandbox?.hasGit !== true) return skip(LACKS);
    const hidden = opened.origin.commit({ "secret.txt": "of another run\n" });
    await opened.store.fetchCommit({ remote: opened.remote, sha: hidden });
    const said = await run(
      sandbox,
      `git cat-file -p ${hidden} || echo unknown; git remote; cat ${GIT}/config ${GIT}/HEAD; ls -aR ${GIT}; find ${GIT} -type l; git fetch 2>&1; git rev-list --all --count`,
    );
    expect(said).toContain("unknown\n");
    expect(said).not.toContain("alternates");
    for (const part of [temporary.path, basename(dirname(folder)), "token", "http"]) expect(said).not.toContain(part);
  });

  test("is nothing that the host trusts: a repository that a command makes in the workspace is left out, and nothing in it is run", async ({
    skip,
  }) => {
    const sandbox = found[backend];
    if (sandbox?.hasGit !== true) return skip(LACKS);
    await using own = await openTestOrigin(temporary.path, origin);
    const command = `${PAYLOAD}; cp /tmp/p p; git init -q . && git config core.fsmonitor ./p && git config diff.external ./p && cp p .git/hooks/post-checkout`;
    await runIn(sandbox, own.workspace, { command, timeoutMs: 20_000 });
    expect(existsSync(join(own.workspace.directory, ".git", "config"))).toBe(true);
    await own.workspace.git.diff({}).catch(() => undefined);
    await own.workspace.git.log({ limit: 2 });
    await own.workspace.history({ isAsked: true });
    expect((await own.workspace.changeSet()).changes.map(({ path }) => path)).toEqual(["p"]);
    expect(existsSync(join(own.workspace.directory, "pwned"))).toBe(false);
  });

  test("holds the same when the workspace's files are links to the host by the time it is made", async ({ skip }) => {
    const sandbox = found[backend];
    if (sandbox?.hasGit !== true) return skip(LACKS);
    await using own = await openTestOrigin(temporary.path, origin);
    const outside = join(temporary.path, "outside.txt");
    writeFileSync(outside, "a\n");
    const { directory } = own.workspace;
    await sandbox.run({
      command: `rm -r src a.txt; ln -s ${outside} a.txt; ln -s ${temporary.path} src`,
      workspace: directory,
      timeoutMs: 20_000,
    });
    const said = (await runIn(sandbox, own.workspace, { command: "git status --porcelain", timeoutMs: 20_000 })).output;
    expect(said).toBe(" T a.txt\n D src/b.ts\n?? src\n");
    expect(readFileSync(outside, "utf8")).toBe("a\n");
  });
});
