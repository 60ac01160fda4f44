import { describe, expect, it } from "vitest";
import { dumpsRule } from "../../../../src/gate/rules/dumps.ts";
import { ask, commit, severities, write } from "../fixtures.ts";

const rule = dumpsRule();
const elf = (type: number, order = 1): Buffer => {
  const bytes = Buffer.alloc(64);
  bytes.write("\u007fELF", "latin1");
  bytes[4] = 2;
  bytes[5] = order;
  if (order === 2) bytes.writeUInt16BE(type, 16);
  else bytes.writeUInt16LE(type, 16);
  return bytes;
};
const mach = (type: number): Buffer => {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(type, 12);
  return bytes;
};

describe("dumps", () => {
  it.each<[string, Buffer]>([
    ["a core dump", elf(4)],
    ["a core dump of the other byte order", elf(4, 2)],
    ["a core dump of macOS", mach(4)],
    ["a minidump", Buffer.from("MDMP\u0093\u00a7")],
    ["a heap dump of Java", Buffer.from("JAVA PROFILE 1.0.2\0")],
    ["a heap snapshot of JavaScript", Buffer.from('{"snapshot":{"meta":{"node_fields":[]}}}')],
    ["a bundle", Buffer.from(`# v2 git bundle\n${"a".repeat(40)} refs/heads/main\n`)],
    ["a pack", Buffer.from("PACK\0\0\0\u0002\0\0\0\u0001", "latin1")],
  ])("blocks %s under any name", async (_, bytes) => {
    expect(severities(await ask(rule, write("src/logo.png", bytes)))).toEqual(["block"]);
    expect(severities(await ask(rule, commit({ "core.1": { after: bytes } })))).toEqual(["block"]);
  });

  it.each<[string, Buffer]>([
    ["a program", elf(2)],
    ["a library", elf(3)],
    ["a program of macOS", mach(2)],
    ["talk about bundles", Buffer.from("A bundle starts with `# v2 git bundle`.\n")],
    ["a word", Buffer.from("PACKAGE")],
    ["a beginning", Buffer.from("\u007fELF")],
    ["nothing", Buffer.alloc(0)],
  ])("lets through %s", async (_, bytes) => {
    expect(await ask(rule, write("a.bin", bytes))).toEqual([]);
  });

  it("lets a dump be deleted or stay where it is", async () => {
    expect(await ask(rule, commit({ "core.1": { before: elf(4).toString("latin1") } }))).toEqual([]);
    expect(await ask(rule, commit({ "core.1": { before: elf(4), after: elf(4), modeBefore: "100755" } }))).toEqual([]);
  });
});
