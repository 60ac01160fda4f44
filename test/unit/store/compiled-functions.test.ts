import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startHere } from "../../../src/processes/start-process.ts";

const from = (path: string): string => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);
const script = `
  const { openEmbedded } = await import(${from("store/embedded.ts")});
  const { silent } = await import(${from("core/log.ts")});
  const database = await openEmbedded({ directory: process.argv[1], log: silent });
  await database.executeSql("create table numbers (number int, name text)");
  for (let number = 0; number < 3000; number++) await database.query("insert into numbers values ($1, $2)", [number, "name " + number]);
  const [row] = await database.query("select count(*)::int as count, md5(string_agg(name, ',')) from numbers");
  console.log("counted", row.count);
  await database.close();`;

test("what V8 has compiled of the embedded database is never freed while it runs, not even what better code took the place of", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sallyport-compiled-"));
  try {
    const args = ["--trace-wasm-code-gc", "--input-type=module", "-e", script, directory];
    const child = startHere({ program: process.execPath, args, cwd: "/", env: {} });
    const [said, { exitCode }] = await Promise.all([text(child.stdout), child.ended]);
    expect(exitCode).toBe(0);
    expect(said).toContain("counted 3000");
    expect(said.split("\n").filter((line) => line.includes("Freeing"))).toEqual([]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
