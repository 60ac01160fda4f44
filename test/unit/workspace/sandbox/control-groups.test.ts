import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { controlGroups, sweepControlGroups } from "../../../../src/workspace/sandbox/control-groups.ts";
import { findDelegation } from "../../../../src/workspace/sandbox/delegation.ts";
import { usableGroups } from "../../../../src/workspace/sandbox/usable-groups.ts";

const base = mkdtempSync(join(tmpdir(), "groups-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let count = 0;

interface Group {
  readonly controllers?: string;
  readonly handedOn?: string;
  readonly processes?: string;
}

/** A hierarchy as plain files: what the kernel would do to them is done by nobody, but what is written can be read. */
function hierarchy({ groups, self, under = "" }: { readonly groups: Readonly<Record<string, Group>>; self: string; under?: string }) {
  const root = join(base, String(count++));
  const mount = join(root, "cgroup");
  for (const [path, { controllers = "cpu memory pids", handedOn = "", processes = "" }] of Object.entries(groups)) {
    const folder = join(mount, under, path);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "cgroup.controllers"), controllers);
    writeFileSync(join(folder, "cgroup.subtree_control"), handedOn);
    writeFileSync(join(folder, "cgroup.procs"), processes);
    // The top of the machine's own hierarchy has no type.
    if (path !== "") writeFileSync(join(folder, "cgroup.type"), "domain");
  }
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "self"), self);
  return { mount, self: join(root, "self"), at: (path: string) => join(mount, under, path) };
}

describe("control groups are looked for", () => {
  test("in a service's own group, out of which it moves first", async () => {
    const { at, ...request } = hierarchy({ groups: { "": {}, "app.service": {} }, self: "0::/app.service\n" });
    await findDelegation({ ...request, isRoot: false });
    expect(readFileSync(join(at("app.service"), "cgroup.subtree_control"), "utf8")).toBe("+memory +pids");
  });

  test("in a service's own group where they are handed on already", async () => {
    const { at, ...request } = hierarchy({ groups: { "": {}, "app.service": { handedOn: "memory pids" } }, self: "0::/app.service\n" });
    expect(await findDelegation({ ...request, isRoot: false })).toEqual({ status: "delegated", folder: at("app.service") });
  });

  test("above the group into which an earlier start has moved", async () => {
    const groups = { "": {}, "app.service": { handedOn: "memory pids" }, "app.service/sallyport-server": { controllers: "" } };
    const { at, ...request } = hierarchy({ groups, self: "0::/app.service/sallyport-server\n" });
    expect(await findDelegation({ ...request, isRoot: false })).toEqual({ status: "delegated", folder: at("app.service") });
  });

  test("at the top of the machine, by root", async () => {
    const { at, ...request } = hierarchy({ groups: { "": { handedOn: "cpu memory pids" }, "user.slice": {} }, self: "0::/user.slice\n" });
    expect(await findDelegation({ ...request, isRoot: true })).toEqual({ status: "delegated", folder: at("") });
    expect(readFileSync(join(at("user.slice"), "cgroup.subtree_control"), "utf8")).toBe("");
  });

  test("in the folder of version 2 beside those of version 1", async () => {
    const world = { groups: { "": { handedOn: "memory pids" } }, self: "4:memory:/x\n0::/\n", under: "unified" };
    const { at, ...request } = hierarchy(world);
    expect(await findDelegation({ ...request, isRoot: true })).toEqual({ status: "delegated", folder: at("") });
  });

  test.each([
    ["there is no version 2", { groups: { "": {} }, self: "4:memory:/x\n" }, /no cgroup v2/],
    ["nothing is mounted", { groups: {}, self: "0::/\n" }, /no cgroup v2/],
    ["version 1 holds the controllers", { groups: { "": { controllers: "hugetlb" } }, self: "0::/\n" }, /does not offer memory and pids/],
    ["its own group is outside of what it sees", { groups: { "": {} }, self: "0::/../other\n" }, /outside/],
    ["the kernel does not hand them on", { groups: { "": {} }, self: "0::/\n" }, /cannot be handed on/],
  ])("and not found where %s", async (_, world, why) => {
    const { at: _at, ...request } = hierarchy(world);
    expect(await findDelegation({ ...request, isRoot: true })).toMatchObject({ status: "missing", why: expect.stringMatching(why) });
  });

  test("and not believed where their limits do not hold", async () => {
    const { at, ...request } = hierarchy({ groups: { "": { handedOn: "memory pids" } }, self: "0::/\n" });
    expect(await usableGroups({ ...request, isRoot: true })).toEqual({ why: expect.stringMatching(/not hold/) });
    expect(at("")).toBeTruthy();
  });
});

describe("a command's group", () => {
  test("carries its limits before anything enters it", async () => {
    const folder = mkdtempSync(join(base, "plain-"));
    const group = await controlGroups(folder, 77).open({ memory: 4096, processes: 12 });
    const [name = ""] = readdirSync(folder);
    const read = (file: string): string => readFileSync(join(folder, name, file), "utf8");
    expect([read("memory.max"), read("pids.max"), read("memory.swap.max"), read("memory.oom.group")]).toEqual(["4096", "12", "0", "1"]);
    expect(group.prefix.at(-1)).toBe(join(folder, name));
    expect(await group.exceeded()).toBeUndefined();
    writeFileSync(join(folder, name, "memory.events"), "max 9\noom 1\noom_kill 2\noom_group_kill 1\n");
    expect(await group.exceeded()).toMatch(/of memory$/);
  });

  test("is removed by a later start when its owner is gone, and nothing else is", async () => {
    const folder = mkdtempSync(join(base, "sweep-"));
    const id = "11111111-2222-3333-4444-555555555555";
    for (const name of [`sallyport-run-10-${id}`, `sallyport-run-20-${id}`, "sallyport-run-10-other", "sallyport-server", "user.slice"]) {
      mkdirSync(join(folder, name));
    }
    expect(await sweepControlGroups(folder, (pid) => pid === 20)).toEqual([`sallyport-run-10-${id}`]);
    expect(readdirSync(folder)).toHaveLength(4);
  });

  test("ends what is left in it and goes, on a kernel that has version 2", async ({ skip }) => {
    const top = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].find((folder) => existsSync(join(folder, "cgroup.controllers")));
    const folder = top === undefined ? "" : join(top, `sallyport-test-${process.pid}`);
    try {
      mkdirSync(folder);
    } catch {
      return skip("needs root and a mounted cgroup v2");
    }
    try {
      const group = await controlGroups(folder, process.pid)
        .open({ memory: 2 ** 30, processes: 50 })
        .catch(() => undefined);
      if (group === undefined) return await endsPlainGroup(folder);
      const [, ...args] = [...group.prefix, "/bin/sh", "-c", "setsid sleep 60 & exec sleep 60"];
      const child = spawn("/bin/sh", args, { stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
      await expect
        .poll(
          () =>
            readFileSync(join(group.prefix.at(-1) ?? "", "cgroup.procs"), "utf8")
              .trim()
              .split("\n").length,
        )
        .toBe(2);
      await group[Symbol.asyncDispose]();
      expect(await ended).toBe("SIGKILL");
      expect(readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())).toEqual([]);
    } finally {
      execFileSync("rmdir", [folder]);
    }
    return undefined;
  });
});

/** Where version 1 holds memory and pids, groups of version 2 have no limits; that a command's group needs them is all that can be seen. */
async function endsPlainGroup(folder: string): Promise<void> {
  await expect(controlGroups(folder, process.pid).open({ memory: 1, processes: 1 })).rejects.toThrow(/memory.max/);
  expect(readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())).toEqual([]);
}
