const MIB = 1024 * 1024;

/** What one command may use. Written as products: a shift past 31 bits is negative in JavaScript, and such a limit is none. */
export const LIMITS = {
  processes: 1024,
  /** Bytes of private memory of each process. */
  memory: 4096 * MIB,
  /** Of all together, looked at from time to time: lower, since what is seen is already late. */
  memoryTogether: 3072 * MIB,
  /** Bytes of each file, and written to the workspace altogether. */
  written: 1024 * MIB,
  /** Files, folders and links made in the workspace by one command: more than the largest installations. */
  files: 250_000,
  openFiles: 4096,
  /** Bytes of output that are kept. */
  output: 1_000_000,
  /** Bytes of the private folders, which are memory: together as much as may be written to the workspace. */
  temporary: 640 * MIB,
  home: 320 * MIB,
  sharedMemory: 64 * MIB,
} as const;

/** `prlimit`'s arguments: it sets its own limits, then becomes the command. Data rather than address space: runtimes reserve far more than they use. */
export function limitArguments(): readonly string[] {
  return [
    `--nproc=${LIMITS.processes}`,
    `--data=${LIMITS.memory}`,
    `--fsize=${LIMITS.written}`,
    `--nofile=${LIMITS.openFiles}`,
    "--core=0",
    "--memlock=0",
  ];
}
