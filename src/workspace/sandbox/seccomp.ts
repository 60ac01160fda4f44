/**
 * A small assembler for classic BPF as seccomp runs it. Sources: linux/filter.h, linux/bpf_common.h, linux/seccomp.h.
 * A program is a list of rules; each looks at the architecture, the system call's number and at most one argument.
 */
export interface SyscallRule {
  readonly number: number;
  /** Without a test the call is denied whatever its arguments. */
  readonly when?: ArgumentTest;
  /** What the caller sees. */
  readonly errno: number;
}

/** Compares the low 32 bits of an argument: system calls of these kinds take an `int` there. */
export type ArgumentTest =
  | { readonly argument: number; readonly equals: readonly number[] }
  | { readonly argument: number; readonly isNot: readonly number[] }
  | { readonly argument: number; readonly hasAnyBit: number };

export interface Architecture {
  /** AUDIT_ARCH_*, from linux/audit.h. */
  readonly audit: number;
  /** Numbers from here on belong to another calling convention (x32) and are denied. */
  readonly numbersBelow?: number;
}

const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_BITS = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const ERRNO = 0x00050000;
const OFFSET_NUMBER = 0;
const OFFSET_ARCHITECTURE = 4;
const OFFSET_ARGUMENTS = 16;
export const ENOSYS = 38;

interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly value: number;
}

const statement = (code: number, value: number): Instruction => ({ code, ifTrue: 0, ifFalse: 0, value });
const jump = (code: number, value: number, ifTrue: number, ifFalse: number): Instruction => ({ code, ifTrue, ifFalse, value });
const deny = (errno: number): Instruction => statement(RETURN, ERRNO + errno);

/** The program's bytes, as `struct sock_filter[]` in little-endian order. What no rule names is allowed; a foreign architecture is not. */
export function assembleFilter({ audit, numbersBelow }: Architecture, rules: readonly SyscallRule[]): Buffer {
  const program: Instruction[] = [
    statement(LOAD_WORD, OFFSET_ARCHITECTURE),
    jump(JUMP_EQUAL, audit, 1, 0),
    deny(ENOSYS),
    statement(LOAD_WORD, OFFSET_NUMBER),
    ...(numbersBelow === undefined ? [] : [jump(JUMP_AT_LEAST, numbersBelow, 0, 1), deny(ENOSYS)]),
  ];
  for (const rule of rules) {
    const body = [...testOf(rule.when), deny(rule.errno), statement(LOAD_WORD, OFFSET_NUMBER)];
    // A test that does not hold jumps to the last instruction, which loads the number again for the next rule.
    program.push(jump(JUMP_EQUAL, rule.number, 0, body.length), ...body);
  }
  program.push(statement(RETURN, ALLOW));
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, ifTrue, ifFalse, value }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}

/** Falls through to the instruction after it when the test holds, else jumps over that one. */
function testOf(test: ArgumentTest | undefined): Instruction[] {
  if (test === undefined) return [];
  const load = statement(LOAD_WORD, OFFSET_ARGUMENTS + 8 * test.argument);
  if ("hasAnyBit" in test) return [load, jump(JUMP_BITS, test.hasAnyBit, 0, 1)];
  if ("isNot" in test) {
    const values = test.isNot;
    return [load, ...values.map((value, index) => jump(JUMP_EQUAL, value, values.length - index, 0))];
  }
  const values = test.equals;
  return [
    load,
    ...values.map((value, index) => {
      const last = index === values.length - 1;
      return jump(JUMP_EQUAL, value, values.length - 1 - index, last ? 1 : 0);
    }),
  ];
}
