import { constants } from "node:fs";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { messageOf } from "../../core/errors.ts";

/** Where this process may make control groups, or why nowhere. */
export type Delegation = { readonly status: "delegated"; readonly folder: string } | { readonly status: "missing"; readonly why: string };

export interface DelegationRequest {
  /** Where file systems of control groups are mounted: `/sys/fs/cgroup`. */
  readonly mount: string;
  /** `/proc/self/cgroup`. */
  readonly self: string;
  readonly isRoot: boolean;
}

const WANTED = ["memory", "pids"];
/** A group with processes of its own cannot count for groups below it: what runs there already moves into this one. */
const LEAF = "sallyport-server";
const ROUNDS = 5;

/**
 * Looks for a group that was handed to this process, and makes it count memory and processes for groups below it: its own (a service or
 * scope with delegation, a container that sees only itself), the one above (a subgroup of such a service), or, for root on the machine
 * itself, the top. Never throws. Sources: the kernel's cgroup-v2.rst, systemd's CGROUP_DELEGATION.
 */
export async function findDelegation({ mount, self, isRoot }: DelegationRequest): Promise<Delegation> {
  const path = /^0::(\/.*)$/m.exec(await text(self))?.[1];
  const top = await hierarchy(mount);
  if (path === undefined || top === undefined) return { status: "missing", why: "there is no cgroup v2" };
  if (path.startsWith("/..")) return { status: "missing", why: "this process's cgroup is outside of what it sees" };
  const own = join(top, path);
  const isTop = !(await exists(join(top, "cgroup.type")));
  const candidates: string[] = [];
  if (basename(own) === LEAF) candidates.push(dirname(own));
  // Root can write everything, so being able to says nothing about whose a group is; what it sees as the top is its container's.
  else if (!isRoot || (path === "/" && !isTop)) candidates.push(own, ...(path === "/" ? [] : [dirname(own)]));
  if (isRoot && isTop) candidates.push(top);
  const reasons: string[] = [];
  for (const folder of candidates) {
    const why = await prepare(folder, folder === top && isTop);
    if (why === undefined) return { status: "delegated", folder };
    reasons.push(why);
  }
  return { status: "missing", why: reasons[0] ?? "this process's cgroup is not delegated to it" };
}

/** The unified hierarchy, which has a folder of its own beside those of version 1. */
async function hierarchy(mount: string): Promise<string | undefined> {
  for (const folder of [mount, join(mount, "unified")]) if (await exists(join(folder, "cgroup.controllers"))) return folder;
  return undefined;
}

/** Answers why groups below the folder would not count; nothing when they do. */
async function prepare(folder: string, isTop: boolean): Promise<string | undefined> {
  const offered = words(await text(join(folder, "cgroup.controllers")));
  const lacking = WANTED.filter((name) => !offered.includes(name));
  if (lacking.length > 0) return `the cgroup does not offer ${lacking.join(" and ")}`;
  try {
    for (const file of [folder, join(folder, "cgroup.procs"), join(folder, "cgroup.subtree_control")]) await access(file, constants.W_OK);
  } catch {
    return "this process's cgroup is not delegated to it";
  }
  try {
    if (!(await counts(folder))) {
      if (!isTop) await moveOut(folder);
      await writeFile(join(folder, "cgroup.subtree_control"), WANTED.map((name) => `+${name}`).join(" "));
    }
    return (await counts(folder)) ? undefined : "the cgroup's controllers cannot be handed on";
  } catch (error) {
    return `the cgroup's controllers cannot be handed on: ${messageOf(error)}`;
  }
}

async function counts(folder: string): Promise<boolean> {
  const handedOn = words(await text(join(folder, "cgroup.subtree_control")));
  return WANTED.every((name) => handedOn.includes(name));
}

async function moveOut(folder: string): Promise<void> {
  const leaf = join(folder, LEAF);
  await mkdir(leaf, { recursive: true });
  // Several times: a process may start another while it is moved.
  for (let round = 0; round < ROUNDS; round++) {
    const ids = words(await text(join(folder, "cgroup.procs")));
    if (ids.length === 0) return;
    for (const id of ids) await writeFile(join(leaf, "cgroup.procs"), id).catch(() => undefined);
  }
}

const words = (line: string): string[] => line.split(/\s+/).filter(Boolean);
const text = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");
const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
