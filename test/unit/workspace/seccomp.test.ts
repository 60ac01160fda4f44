import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { seccompFilter } from "../../../src/workspace/sandbox/seccomp-filter.ts";
import { assembleFilter } from "../../../src/workspace/sandbox/seccomp.ts";

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const EAFNOSUPPORT = 0x00050061;
const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const I386 = 0x40000003;

/** What the kernel does with a program: a classic BPF machine with one accumulator. Source: net/core/filter.c. */
function decide(
  program: Buffer,
  { arch, number, args = [] }: { readonly arch: number; readonly number: number; readonly args?: readonly number[] },
): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(arch >>> 0, 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + index * 8);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(at * 8);
    const value = program.readUInt32LE(at * 8 + 4);
    const branch = (holds: boolean): number => program.readUInt8(at * 8 + (holds ? 2 : 3));
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += branch(accumulator === value);
    else if (code === 0x35) at += branch(accumulator >= value);
    else if (code === 0x45) at += branch((accumulator & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`instruction ${at} has the unknown code ${code}`);
  }
  throw new Error("the program runs off its end");
}

function filterFor(processor: "x64" | "arm64"): Buffer {
  const filter = seccompFilter(processor);
  if (filter === undefined) throw new Error(`there is no filter for ${processor}`);
  return filter;
}

describe("the filter on x86-64", () => {
  const rows: readonly (readonly [name: string, number: number, args: readonly number[], verdict: number])[] = [
    ["read", 0, [], ALLOW],
    ["write", 1, [], ALLOW],
    ["execve", 59, [], ALLOW],
    ["clone3, whose flags cannot be seen", 435, [], ENOSYS],
    ["keyctl", 250, [], EPERM],
    ["add_key", 248, [], EPERM],
    ["request_key", 249, [], EPERM],
    ["userfaultfd", 323, [], EPERM],
    ["perf_event_open", 298, [], EPERM],
    ["bpf", 321, [], EPERM],
    ["mount", 165, [], EPERM],
    ["umount2", 166, [], EPERM],
    ["move_mount", 429, [], EPERM],
    ["open_tree", 428, [], EPERM],
    ["fsopen", 430, [], EPERM],
    ["setns", 308, [], EPERM],
    ["io_uring_setup", 425, [], ENOSYS],
    ["io_uring_enter", 426, [], ENOSYS],
    ["socket of a unix family", 41, [1, 1, 0], ALLOW],
    ["socket of IPv4", 41, [2, 1, 0], ALLOW],
    ["socket of IPv6", 41, [10, 1, 0], ALLOW],
    ["socket of netlink", 41, [16, 3, 0], ALLOW],
    ["socket of vsock", 41, [40, 1, 0], EAFNOSUPPORT],
    ["socket of the kernel's ciphers", 41, [38, 5, 0], EAFNOSUPPORT],
    ["socket of raw packets", 41, [17, 3, 0], EAFNOSUPPORT],
    ["socket of family 0", 41, [0, 1, 0], EAFNOSUPPORT],
    ["socket of vsock with upper bits set, which the kernel drops", 41, [40 + 2 ** 32, 1, 0], EAFNOSUPPORT],
    ["unshare of files alone", 272, [0x400], ALLOW],
    ["unshare of the user namespace", 272, [0x10000000], EPERM],
    ["unshare of the mount namespace among others", 272, [0x20000 + 0x400], EPERM],
    ["unshare of the time namespace", 272, [0x80], EPERM],
    ["clone of a thread", 56, [0x3d0f00], ALLOW],
    ["clone of a process", 56, [0x1200011], ALLOW],
    ["clone into a user namespace", 56, [0x10000011], EPERM],
    ["ioctl that asks for the window size", 16, [0, 0x5413], ALLOW],
    ["ioctl that types into the terminal", 16, [0, 0x5412], EPERM],
    ["ioctl of the console", 16, [0, 0x541c], EPERM],
    ["a call of the x32 convention", 0x40000000, [], ENOSYS],
    ["keyctl by the x32 convention", 0x40000000 + 250, [], ENOSYS],
  ];
  test.each(rows)("answers %s", (_, number, args, verdict) => {
    expect(decide(filterFor("x64"), { arch: X64, number, args })).toBe(verdict);
  });

  test("allows no call of another architecture", () => {
    for (const arch of [I386, ARM64, 0]) expect(decide(filterFor("x64"), { arch, number: 0 })).toBe(ENOSYS);
  });
});

test.each([
  ["read", 63, [], ALLOW],
  ["keyctl", 219, [], EPERM],
  ["bpf", 280, [], EPERM],
  ["mount", 40, [], EPERM],
  ["socket of IPv4", 198, [2], ALLOW],
  ["socket of vsock", 198, [40], EAFNOSUPPORT],
  ["unshare of the user namespace", 97, [0x10000000], EPERM],
  ["io_uring_setup", 425, [], ENOSYS],
  ["ioctl that types into the terminal", 29, [0, 0x5412], EPERM],
] as const)("on arm64 %s", (_, number, args, verdict) => {
  expect(decide(filterFor("arm64"), { arch: ARM64, number, args })).toBe(verdict);
  expect(decide(filterFor("arm64"), { arch: X64, number, args })).toBe(ENOSYS);
});

test("only the calls that are named are denied, every other number is allowed", () => {
  const denied = Array.from({ length: 600 }, (_, number) => number).filter(
    (number) => decide(filterFor("x64"), { arch: X64, number, args: [1] }) !== ALLOW,
  );
  expect(denied).toHaveLength(35);
});

test("a processor without a filter has none, so that the level says so", () => {
  expect(seccompFilter("riscv64")).toBeUndefined();
});

test("the numbers are those of this machine's own headers, where it has them", ({ skip }) => {
  let header: string;
  try {
    header = readFileSync("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "utf8");
  } catch {
    return skip("needs the kernel's headers for x86-64");
  }
  for (const [name, verdict] of Object.entries({
    keyctl: EPERM,
    add_key: EPERM,
    bpf: EPERM,
    mount: EPERM,
    setns: EPERM,
    kexec_load: EPERM,
    reboot: EPERM,
  })) {
    const number = Number(new RegExp(`#define __NR_${name}\\s+(\\d+)`).exec(header)?.[1]);
    expect.soft(decide(filterFor("x64"), { arch: X64, number }), name).toBe(verdict);
  }
  return undefined;
});

test("a rule without a test denies whatever the arguments, one with several values each of them", () => {
  const program = assembleFilter({ audit: X64 }, [
    { number: 7, errno: 1 },
    { number: 8, when: { argument: 5, equals: [3, 5] }, errno: 2 },
    { number: 9, when: { argument: 1, isNot: [] }, errno: 3 },
  ]);
  const verdict = (number: number, args: readonly number[]) => decide(program, { arch: X64, number, args }) & 0xffff;
  expect([verdict(7, [9]), verdict(8, [0, 0, 0, 0, 0, 3]), verdict(8, [0, 0, 0, 0, 0, 5]), verdict(9, [])]).toEqual([1, 2, 2, 3]);
  expect(decide(program, { arch: X64, number: 8, args: [0, 0, 0, 0, 0, 4] })).toBe(ALLOW);
});
