import type { Finding } from "../../core/result.ts";
import { filesOf } from "../contents.ts";
import type { JudgedFile } from "../contents.ts";
import type { GateRule } from "../rule.ts";

const NAME = "dumps";

interface Kind {
  readonly is: (bytes: Buffer) => boolean;
  readonly why: string;
}

/** Executables of these formats say themselves whether they are a dump. Sources: elf(5), Apple's loader.h, Microsoft's minidumpapiset.h. */
const KINDS: readonly Kind[] = [
  { is: isElfCore, why: "it is the memory of a process (a core dump), with whatever secrets that held" },
  { is: isMachCore, why: "it is the memory of a process (a core dump), with whatever secrets that held" },
  { is: (bytes) => starts(bytes, "MDMP"), why: "it is the memory of a process (a minidump), with whatever secrets that held" },
  { is: (bytes) => starts(bytes, "JAVA PROFILE "), why: "it is the memory of a process (a heap dump), with whatever secrets that held" },
  {
    is: (bytes) => starts(bytes, '{"snapshot":{"meta":'),
    why: "it is the memory of a process (a heap snapshot), with whatever secrets that held",
  },
  {
    is: (bytes) => /^# v[23] git bundle\n/.test(bytes.toString("latin1", 0, 20)),
    why: "it is a whole repository in one file, which nobody can review",
  },
  { is: (bytes) => starts(bytes, "PACK\0\0\0"), why: "it is a pack of git objects, which nobody can review" },
];

/** Memory of processes and packed repositories: they carry what nobody can look through, so they are not published, whatever they are named. */
export function dumpsRule(): GateRule {
  return {
    name: NAME,
    applies: ["workspace-write", "commit", "open-pull-request"],
    check: (judged) => filesOf(judged).flatMap(judgeFile),
  };
}

function judgeFile({ path, before, after }: JudgedFile): readonly Finding[] {
  if (after?.bytes === undefined || (after.ref !== undefined && after.ref.sha === before?.ref?.sha)) return [];
  const bytes = Buffer.from(after.bytes.buffer, after.bytes.byteOffset, after.bytes.byteLength);
  const kind = KINDS.find(({ is }) => is(bytes));
  return kind === undefined ? [] : [{ rule: NAME, severity: "block", where: { path }, why: kind.why, fix: "Delete the file." }];
}

function starts(bytes: Buffer, text: string): boolean {
  return bytes.toString("latin1", 0, text.length) === text;
}

function isElfCore(bytes: Buffer): boolean {
  if (!starts(bytes, "\u007fELF") || bytes.length < 18) return false;
  const type = bytes[5] === 2 ? bytes.readUInt16BE(16) : bytes.readUInt16LE(16);
  return type === 4;
}

function isMachCore(bytes: Buffer): boolean {
  if (bytes.length < 16) return false;
  const magic = bytes.readUInt32LE(0);
  return (magic === 0xfeedface || magic === 0xfeedfacf) && bytes.readUInt32LE(12) === 4;
}
