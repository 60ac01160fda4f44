import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { untar } from "../../../src/store/tar.ts";

interface Entry {
  readonly name: string;
  readonly prefix?: string;
  readonly kind?: string;
  readonly content?: Uint8Array;
  /** What the header says, where it lies. */
  readonly size?: number | string;
}

function tar(...entries: Entry[]): Uint8Array {
  const blocks = entries.flatMap(({ name, prefix = "", kind = "0", content = new Uint8Array(), size = content.length }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write("0000600", 100);
    header.write(typeof size === "string" ? size : size.toString(8).padStart(11, "0"), 124);
    header.write(kind, 156);
    header.write("ustar", 257);
    header.write(prefix, 345);
    return [header, Buffer.concat([content], Math.ceil(content.length / 512) * 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

let outside = "";
let folder = "";
beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), "sallyport-tar-"));
  folder = join(outside, "inside");
  await mkdir(folder);
});
afterEach(() => rm(outside, { recursive: true, force: true }));

describe("unpacking the prepared database", () => {
  const zeros = Buffer.concat([Buffer.from([1, 2, 3]), Buffer.alloc(100_000)]);
  test.each([
    { name: "a file", entries: [{ name: "a", content: Buffer.from("hello") }], path: "a", bytes: Buffer.from("hello") },
    { name: "a file that ends in zeros", entries: [{ name: "z", content: zeros }], path: "z", bytes: zeros },
    { name: "a file of zeros only", entries: [{ name: "z", content: Buffer.alloc(700) }], path: "z", bytes: Buffer.alloc(700) },
    { name: "an empty file", entries: [{ name: "e" }], path: "e", bytes: Buffer.alloc(0) },
    { name: "a file below folders that have no entry", entries: [{ name: "x/y/f", content: zeros }], path: "x/y/f", bytes: zeros },
    {
      name: "a name split into prefix and rest",
      entries: [{ prefix: "base", name: "5/1", content: zeros }],
      path: "base/5/1",
      bytes: zeros,
    },
    { name: "a name that starts at the archive's root", entries: [{ name: "/PG", content: zeros }], path: "PG", bytes: zeros },
    {
      name: "the second of two files",
      entries: [
        { name: "a", content: zeros },
        { name: "b", content: Buffer.from("b") },
      ],
      path: "b",
      bytes: Buffer.from("b"),
    },
  ])("$name comes out with its bytes", async ({ entries, path, bytes }) => {
    untar(tar(...entries), folder);
    expect((await readFile(join(folder, path))).equals(bytes)).toBe(true);
    expect((await stat(join(folder, path))).mode & 0o777).toBe(0o600);
  });

  test("an empty folder is kept", async () => {
    untar(tar({ name: "pg_tblspc/", kind: "5" }), folder);
    expect((await stat(join(folder, "pg_tblspc"))).isDirectory()).toBe(true);
  });

  test.each([
    { name: "a path that climbs out", archive: tar({ name: "../out" }) },
    { name: "a path that climbs out later", archive: tar({ name: "a/../../out" }) },
    { name: "a symbolic link", archive: tar({ name: "link", kind: "2" }) },
    { name: "a hard link", archive: tar({ name: "link", kind: "1" }) },
    { name: "a long name in a record of its own", archive: tar({ name: "long", kind: "L" }) },
    { name: "a size beyond the end", archive: tar({ name: "a", size: 1_000_000 }) },
    { name: "a size that is no number", archive: tar({ name: "a", size: "many" }) },
    { name: "a name that comes twice", archive: tar({ name: "a" }, { name: "a" }) },
  ])("$name is refused", async ({ archive }) => {
    expect(() => untar(archive, folder)).toThrow();
    expect(await readdir(outside)).toEqual(["inside"]);
  });
});
