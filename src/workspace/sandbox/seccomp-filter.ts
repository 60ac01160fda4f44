import { assembleFilter, ENOSYS } from "./seccomp.ts";
import type { Architecture, SyscallRule } from "./seccomp.ts";

const EPERM = 1;
const EAFNOSUPPORT = 97;

/** Numbers on x86-64 and on arm64. Sources: arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h. */
const DENIED: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  // Keys of the caller's sessions are shared across namespaces.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Large attack surfaces that no test needs.
  userfaultfd: [323, 282],
  perf_event_open: [298, 241],
  bpf: [321, 280],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  // Its flags lie in memory, where no filter sees them; libraries fall back to clone, whose flags are seen.
  clone3: [435, 435],
  // Mounts and roots.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  setns: [308, 268],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // The machine itself.
  syslog: [103, 116],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  quotactl: [179, 60],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
};

const SOCKET: readonly [number, number] = [41, 198];
const UNSHARE: readonly [number, number] = [272, 97];
const IOCTL: readonly [number, number] = [16, 29];
const CLONE: readonly [number, number] = [56, 220];
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: a network namespace holds these. It does not hold AF_VSOCK, nor AF_ALG, AF_PACKET and the rest. */
const FAMILIES = [1, 2, 10, 16];
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME. */
const NEW_NAMESPACES = 0x7e020080;
/** For `clone` the lowest byte is the signal to the parent, so NEWTIME cannot be asked for there. */
const NEW_NAMESPACES_CLONE = 0x7e020000;
/** Typing into a terminal as though somebody did. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

const ARCHITECTURES: Readonly<Record<"x64" | "arm64", Architecture & { readonly column: 0 | 1 }>> = {
  x64: { audit: 0xc000003e, numbersBelow: 0x40000000, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
};

/** The sandbox's filter for a processor, as Node names it; undefined where the product has none. */
export function seccompFilter(processor: string): Buffer | undefined {
  if (processor !== "x64" && processor !== "arm64") return undefined;
  const { column, ...architecture } = ARCHITECTURES[processor];
  const rules: SyscallRule[] = Object.entries(DENIED).map(([name, numbers]) => ({
    number: numbers[column],
    // Libraries that try these fall back when the kernel seems to have none.
    errno: name.startsWith("io_uring") || name === "clone3" ? ENOSYS : EPERM,
  }));
  rules.push(
    { number: SOCKET[column], when: { argument: 0, isNot: FAMILIES }, errno: EAFNOSUPPORT },
    { number: UNSHARE[column], when: { argument: 0, hasAnyBit: NEW_NAMESPACES }, errno: EPERM },
    { number: CLONE[column], when: { argument: 0, hasAnyBit: NEW_NAMESPACES_CLONE }, errno: EPERM },
    { number: IOCTL[column], when: { argument: 1, equals: [TIOCSTI, TIOCLINUX] }, errno: EPERM },
  );
  return assembleFilter(architecture, rules);
}
