import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkOut } from "../../../src/workspace/check-out.ts";
import { openGit } from "../../../src/workspace/git.ts";
import { readLayer } from "../../../src/config/read-layer.ts";
import { keepStores, storeLimits } from "../../../src/workspace/keep-stores.ts";
import { openStores, type Store } from "../../../src/workspace/store.ts";
import { silent } from "../../../src/core/log.ts";
import { makeRepository, startHost, temporaryFolder } from "./git-host.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const PATH = process.env["PATH"] ?? "";
const HOUR = 60 * 60_000;
let count = 0;

async function openRoom() {
  const origin = makeRepository(temporary.path);
  const host = await startHost(origin);
  const folder = join(temporary.path, `room ${(count += 1)}`);
  mkdirSync(folder);
  const stores = openStores({ git: openGit({ path: PATH }), folder: join(folder, "stores"), path: PATH });
  const remote = { url: host.url, token: () => Promise.resolve(undefined) };
  let made = 0;
  const fetchNew = async (store: Store, bytes = `${made}\n`): Promise<string> => {
    const sha = origin.commit({ [`file-${(made += 1)}.txt`]: bytes }, { message: `${made}` });
    await store.fetchCommit({ remote, sha });
    return sha;
  };
  return { origin, host, folder, stores, remote, fetchNew, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

const pinsOf = ({ git, gitDir }: Store) =>
  git.text(["for-each-ref", "--format=%(refname:lstrip=2)"], { gitDir }).then((text) => text.split("\n").filter(Boolean));
const packsOf = ({ gitDir }: Store) => readdirSync(join(gitDir, "objects", "pack")).filter((name) => name.endsWith(".pack"));
/** As though nobody had touched it for so many hours. */
const age = (file: string, hours: number): void => {
  const then = new Date(Date.now() - hours * HOUR);
  utimesSync(file, then, then);
};

describe("the upkeep of stores", () => {
  test("releases the pins of ended runs after a day, and keeps those of runs at work", async () => {
    await using room = await openRoom();
    const store = await room.stores.open(1);
    const [ended, working, fresh] = [await room.fetchNew(store), await room.fetchNew(store), await room.fetchNew(store)];
    for (const sha of [ended, working]) age(join(store.gitDir, "refs", "runs", sha), 30);
    const workspace = await checkOut({ store, remote: room.remote, commit: working, directory: join(room.folder, "w") });
    age(join(store.gitDir, "refs", "runs", working), 30);
    expect(await room.stores.tend()).toMatchObject({ pinsReleased: 1, evicted: [], repacked: [1] });
    expect((await pinsOf(store)).sort()).toEqual([working, fresh].sort());
    await workspace.dispose();
    age(join(store.gitDir, "refs", "runs", working), 30);
    expect((await room.stores.tend()).pinsReleased).toBe(1);
    expect(await pinsOf(store)).toEqual([fresh]);
  });

  test("keeps a commit that another run asked for again", async () => {
    await using room = await openRoom();
    const store = await room.stores.open(1);
    const sha = await room.fetchNew(store);
    age(join(store.gitDir, "refs", "runs", sha), 30);
    const asked = room.host.requests.length;
    await store.fetchCommit({ remote: room.remote, sha });
    expect(room.host.requests).toHaveLength(asked);
    expect((await room.stores.tend()).pinsReleased).toBe(0);
  });

  test("joins the packs that many fetches leave, and every commit stays whole", async () => {
    await using room = await openRoom();
    const store = await room.stores.open(1);
    const shas: string[] = [];
    for (let index = 0; index < 22; index += 1) shas.push(await room.fetchNew(store));
    expect(packsOf(store).length).toBeGreaterThan(20);
    expect(await room.stores.tend()).toMatchObject({ repacked: [1], evicted: [] });
    expect(packsOf(store)).toHaveLength(1);
    const asked = room.host.requests.length;
    for (const sha of shas) {
      await store.fetchCommit({ remote: room.remote, sha });
      await store.git.run(["rev-list", "--objects", "--max-count=1", "--quiet", sha], { gitDir: store.gitDir });
    }
    expect(room.host.requests).toHaveLength(asked);
    await room.fetchNew(store);
  });

  test("removes a store that nobody used for weeks; the next run makes it anew", async () => {
    await using room = await openRoom();
    const [old, used] = [await room.stores.open(1), await room.stores.open(2)];
    const sha = await room.fetchNew(old);
    await room.fetchNew(used);
    age(join(old.gitDir, "used"), 15 * 24);
    expect(await room.stores.tend()).toMatchObject({ evicted: [1] });
    expect([existsSync(old.gitDir), existsSync(used.gitDir)]).toEqual([false, true]);
    // Whoever has it open goes on.
    expect(await old.fetchCommit({ remote: room.remote, sha })).toMatchObject({ commit: sha });
  });

  test("removes those that were not used for longest until the rest has room, and never one in use", async () => {
    await using room = await openRoom();
    const ids = [1, 2, 3, 4];
    const stores = await Promise.all(ids.map((id) => room.stores.open(id)));
    const noise = Buffer.from(Array.from({ length: 60_000 }, () => Math.floor(Math.random() * 256))).toString("base64");
    const commits: string[] = [];
    for (const store of stores) commits.push(await room.fetchNew(store, noise));
    for (const [index, store] of stores.entries()) age(join(store.gitDir, "used"), 40 - 10 * index);
    const workspace = await checkOut({
      store: stores[0] as Store,
      remote: room.remote,
      commit: commits[0] ?? "",
      directory: join(room.folder, "w"),
    });
    age(join(stores[0]?.gitDir ?? "", "used"), 50);
    const { evicted, bytes } = await room.stores.tend({ maxBytes: 150_000 });
    expect(evicted).toEqual([2, 3, 4].slice(0, evicted.length));
    expect(evicted.length).toBeGreaterThan(1);
    expect(existsSync(stores[0]?.gitDir ?? "")).toBe(true);
    expect(bytes).toBeLessThanOrEqual(150_000);
    await workspace.dispose();
  });

  test("removes what killed processes had begun, once it is old", async () => {
    await using room = await openRoom();
    const store = await room.stores.open(1);
    const parent = join(store.gitDir, "..");
    const names = ["new-store-abc", "scratch-abc", "broken-abc", "evicted-abc"];
    for (const name of names) {
      mkdirSync(join(parent, name));
      mkdirSync(join(parent, `${name}-young`));
      age(join(parent, name), 2);
    }
    await room.stores.tend();
    expect(readdirSync(parent).sort()).toEqual(["1.git", ...names.map((name) => `${name}-young`)].sort());
  });

  test("goes on over a store that is broken, and over a folder that is not there", async () => {
    await using room = await openRoom();
    expect(await room.stores.tend()).toMatchObject({ evicted: [], bytes: 0 });
    const store = await room.stores.open(1);
    const sha = await room.fetchNew(store);
    age(join(store.gitDir, "refs", "runs", sha), 30);
    writeFileSync(join(store.gitDir, "HEAD"), "");
    writeFileSync(join(store.gitDir, "config"), "[[[");
    expect(await room.stores.tend()).toMatchObject({ pinsReleased: 0 });
    await using _keeping = keepStores(room.stores, { log: silent });
  });
});

describe("what the operator says about the stores", () => {
  const limitsOf = (text: string) => {
    const reading = readLayer(text, "server");
    if (reading.status === "faulty") throw new Error(reading.faults.map(({ why }) => why).join());
    return storeLimits(reading.settings.workspace?.stores);
  };

  test.each([
    ["", {}],
    ["workspace: {stores: {max_days: 3}}", { maxDays: 3 }],
    ["workspace: {stores: {max_gib: 0.5, max_days: 30}}", { maxBytes: 512 * 1024 ** 2, maxDays: 30 }],
  ])("%j", (text, limits) => {
    expect(limitsOf(text)).toEqual(limits);
  });

  test("counts when the stores are tended", async () => {
    await using room = await openRoom();
    const store = await room.stores.open(1);
    await room.fetchNew(store);
    age(join(store.gitDir, "used"), 5 * 24);
    expect(await room.stores.tend(limitsOf("workspace: {stores: {max_days: 6}}"))).toMatchObject({ evicted: [] });
    expect(await room.stores.tend(limitsOf("workspace: {stores: {max_days: 4}}"))).toMatchObject({ evicted: [1] });
  });

  test.each(["workspace: {stores: {max_gib: 0}}", "workspace: {stores: {max_days: 0}}", "workspace: {stores: {days: 2}}"])(
    "%s is a fault",
    (text) => {
      expect(() => limitsOf(text)).toThrow();
    },
  );

  test("is the server's file's alone to say", () => {
    expect(readLayer("workspace: {stores: {max_days: 3}}", "repository")).toMatchObject({
      status: "faulty",
      faults: [{ key: "workspace", why: expect.stringContaining("only the server's own file") as string }],
    });
  });
});

describe("a store that was damaged", () => {
  const damages: readonly (readonly [string, (store: Store, sha: string) => void])[] = [
    [
      "by a pack that was cut off",
      (store) => {
        for (const name of packsOf(store)) {
          const file = join(store.gitDir, "objects", "pack", name);
          chmodSync(file, 0o600);
          truncateSync(file, Math.floor(statSync(file).size / 2));
        }
      },
    ],
    [
      "by packs that are gone",
      (store) => {
        for (const name of readdirSync(join(store.gitDir, "objects", "pack"))) {
          execFileSync("rm", ["-f", join(store.gitDir, "objects", "pack", name)]);
        }
      },
    ],
    [
      "by an index that is empty",
      (store) => {
        for (const name of readdirSync(join(store.gitDir, "objects", "pack")).filter((one) => one.endsWith(".idx"))) {
          const file = join(store.gitDir, "objects", "pack", name);
          chmodSync(file, 0o600);
          truncateSync(file, 0);
        }
      },
    ],
    ["by an empty reference", (store, sha) => writeFileSync(join(store.gitDir, "refs", "runs", sha), "")],
    ["by a configuration of zeroes", (store) => writeFileSync(join(store.gitDir, "config"), Buffer.alloc(50))],
    ["by an empty HEAD", (store) => writeFileSync(join(store.gitDir, "HEAD"), "")],
    ["by a list of shallow commits that breaks off", (store, sha) => writeFileSync(join(store.gitDir, "shallow"), sha.slice(0, 20))],
  ];
  test.each(damages)("%s is made anew, and the workspace is whole", async (_, damage) => {
    await using room = await openRoom();
    const store = await room.stores.open(1);
    const sha = room.origin.commit({ "a/b.txt": "whole\n", "c.txt": "x".repeat(10_000) });
    await store.fetchCommit({ remote: room.remote, sha });
    damage(store, sha);
    const other = openStores({ git: openGit({ path: PATH }), folder: join(room.folder, "stores"), path: PATH });
    for (const stores of [room.stores, other]) {
      const directory = join(room.folder, `w${(count += 1)}`);
      const workspace = await checkOut({ store: await stores.open(1), remote: room.remote, commit: sha, directory });
      expect(await workspace.read("a/b.txt")).toMatchObject({ status: "file", bytes: Buffer.from("whole\n") });
      expect((await workspace.changeSet()).changes).toEqual([]);
      await workspace.dispose();
    }
  });

  test("is not what a missing commit or a silent host looks like: nothing is thrown away for those", async () => {
    await using room = await openRoom();
    const store = await room.stores.open(1);
    await room.fetchNew(store);
    const { ino } = statSync(store.gitDir);
    const directory = join(room.folder, "none");
    const missing = checkOut({ store, remote: room.remote, commit: "f".repeat(40), directory });
    await expect(missing).rejects.toMatchObject({ code: "commit-missing" });
    room.host.answer = (_, response) => {
      response.writeHead(502).end();
      return true;
    };
    const silentHost = checkOut({ store, remote: room.remote, commit: "e".repeat(40), directory });
    await expect(silentHost).rejects.toMatchObject({ code: "remote-unreachable" });
    expect(statSync(store.gitDir).ino).toBe(ino);
  });
});

test("a repository that was renamed keeps its store: what is there is not fetched again", async () => {
  await using room = await openRoom();
  const store = await room.stores.open(1);
  const sha = await room.fetchNew(store);
  const asked = room.host.requests.length;
  const renamed = { ...room.remote, url: room.host.url.replace("owner/name", "new-owner/new-name") };
  await (await room.stores.open(1)).fetchCommit({ remote: renamed, sha });
  expect(room.host.requests).toHaveLength(asked);
});

test(
  "several processes fetch into one store, tend it and check out of it at once; one of them is killed",
  { timeout: 120_000 },
  async () => {
    await using room = await openRoom();
    const shas = Array.from({ length: 6 }, (_, index) => room.origin.commit({ "same.txt": "s\n", [`f${index}`]: `${index}\n` }));
    const at = (path: string) => JSON.stringify(new URL(`../../../src/workspace/${path}.ts`, import.meta.url).href);
    const script = `import { openGit } from ${at("git")}; import { openStores } from ${at("store")}; import { checkOut } from ${at("check-out")};
const [folder, url, name, ...shas] = process.argv.slice(1);
const path = process.env.PATH;
const stores = openStores({ git: openGit({ path }), folder: folder + "/stores", path });
const remote = { url, token: async () => undefined };
for (const sha of shas) {
  const workspace = await checkOut({ store: await stores.open(1), remote, commit: sha, directory: folder + "/" + name + "-" + sha });
  const [{ changes }] = await Promise.all([workspace.changeSet(), stores.tend()]);
  if (changes.length > 0 || (await workspace.read("same.txt")).status !== "file") throw new Error("not whole");
  await workspace.dispose();
  process.stdout.write(sha + "\\n");
}`;
    const start = (name: string, order: readonly string[]) => {
      const args = ["--input-type=module", "--eval", script, room.folder, room.host.url, name, ...order];
      const child = spawn(process.execPath, args, { env: { PATH }, stdio: ["ignore", "pipe", "pipe"] });
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text));
      const ended = new Promise<{ code: number | null; said: string }>((resolve) => child.once("close", (code) => resolve({ code, said })));
      return { child, ended };
    };
    const victim = start("victim", shas);
    const others = [start("a", shas), start("b", shas.toReversed())];
    await new Promise((resolve) => victim.child.stdout.once("data", resolve));
    victim.child.kill("SIGKILL");
    for (const { ended } of others) expect(await ended).toEqual({ code: 0, said: expect.stringMatching(/^(?:[0-9a-f]{40}\n){6}$/) });
    await victim.ended;
    const store = await room.stores.open(1);
    expect((await pinsOf(store)).sort()).toEqual([...new Set(shas)].sort());
  },
);
