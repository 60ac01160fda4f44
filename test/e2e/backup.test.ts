import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { resumable, say } from "../../src/testing/index.ts";
import { postgresPrograms, startPostgres } from "../unit/store/postgres.ts";
import { openTheatre, type Process, type Theatre } from "./processes.ts";
import { REPOSITORY } from "./stage.ts";

const run = promisify(execFile);
const folders = [postgresPrograms ?? "", ...(process.env["PATH"] ?? "").split(delimiter)];
const hasTools = postgresPrograms !== undefined && folders.some((folder) => existsSync(join(folder, "pg_dump")));
/** pg_dump and psql may lie in another folder than the server's own programs. */
const tool = (name: string, ...args: string[]) => run(name, args, { env: { ...process.env, PATH: folders.join(delimiter) } });

async function playOne(theatre: Theatre): Promise<void> {
  const { number } = theatre.github.addIssue(REPOSITORY, { title: "sum subtracts", user: "alice" });
  await theatre.github.say(REPOSITORY, number, "@sallyport why does it?", "alice");
  await expect.poll(() => theatre.comments(number)[0] ?? "", { timeout: 50_000 }).toMatch(/^\*\*done\*\*/);
}

/** It shows the run of before, and works on. */
async function expectToGoOn(theatre: Theatre, { url }: Process): Promise<void> {
  const page = await fetch(`${url}/sallyport`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("sum subtracts");
  await playOne(theatre);
}

test("a copy of the data folder, taken while the server is stopped, is a backup", { timeout: 120_000 }, async () => {
  await using theatre = await openTheatre(resumable([say("It should not.")]));
  const before = await theatre.start();
  await playOne(theatre);
  expect(await before.terminate()).toBe(0);
  await cp(join(theatre.folder, "data"), join(theatre.folder, "copy"), { recursive: true });
  await expectToGoOn(theatre, await theatre.start({ data: "copy" }));
});

test.skipIf(!hasTools)("what pg_dump writes is a backup (skipped where PostgreSQL is not installed)", { timeout: 120_000 }, async () => {
  const postgres = await startPostgres();
  try {
    await using theatre = await openTheatre(resumable([say("It should not.")]));
    const [old, restored] = [await postgres.createDatabase(), await postgres.createDatabase()];
    const before = await theatre.start({ databaseUrl: old });
    await playOne(theatre);
    const dump = join(theatre.folder, "dump.sql");
    await tool("pg_dump", "--no-owner", "--file", dump, old);
    await before.terminate();
    await tool("psql", "--quiet", "--set", "ON_ERROR_STOP=1", "--file", dump, restored);
    await expectToGoOn(theatre, await theatre.start({ data: "elsewhere", databaseUrl: restored }));
  } finally {
    await postgres.dispose();
  }
});
