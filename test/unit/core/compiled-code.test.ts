import { expect, test } from "vitest";
import { compiledCode } from "../../../src/core/compiled-code.ts";

/** The smallest module: its magic number and version (WebAssembly Core Specification, 5.5.16). */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

test("code is read and compiled once, whoever asks for it", async () => {
  let reads = 0;
  const read = (): Promise<Uint8Array> => {
    reads++;
    return Promise.resolve(EMPTY);
  };
  const [first, second] = await Promise.all([compiledCode("once", read), compiledCode("once", read)]);
  expect(second).toBe(first);
  expect(await compiledCode("once", read)).toBe(first);
  expect(reads).toBe(1);
});

test("code that could not be had is asked for again", async () => {
  await expect(compiledCode("again", () => Promise.reject(new Error("no such file")))).rejects.toThrow("no such file");
  await expect(compiledCode("again", () => Promise.resolve(Uint8Array.of(1)))).rejects.toThrow(/WebAssembly/);
  await expect(compiledCode("again", () => Promise.resolve(EMPTY))).resolves.toBeDefined();
});
