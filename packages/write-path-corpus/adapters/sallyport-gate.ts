import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Adapter, Claim, Ground } from "../src/adapter.ts";
import type { CorpusCase } from "../src/cases.ts";
import { git } from "../src/ground.ts";

/** `SALLYPORT` names another program than that of this checkout, as words of a command. */
const command = process.env["SALLYPORT"]?.split(" ") ?? [process.execPath, fileURLToPath(new URL("../../../src/cli.ts", import.meta.url))];

/**
 * A bot whose one check is `sallyport gate --dir` over the folder that it is about to commit; it pushes what passes. The command judges files,
 * so the other doors are not played, and a path that leads out of the folder is refused by the bot, as by any program that writes into a folder.
 */
export const adapter: Adapter = {
  name: "sallyport gate",
  doors: ["files"],
  async prepare(one, ground) {
    const folder = join(ground.scratch, "folder");
    await git(ground.checkout, "worktree", "prune");
    await mkdir(folder);
    await git(ground.checkout, `--work-tree=${folder}`, "checkout", "--quiet", ground.base, "--", ".");
    return { act: () => act(one, ground, folder) };
  },
};

async function act({ files, text, branch }: CorpusCase, { checkout, base, secret }: Ground, folder: string): Promise<Claim> {
  for (const [path, bytes] of Object.entries(files)) {
    const place = join(folder, path);
    const isInside = place.startsWith(`${folder}${sep}`) && !path.startsWith("/") && !path.includes("\0");
    if (!isInside) return { outcome: "blocked", why: "the path leads out of the folder" };
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, bytes);
  }
  const { status, stdout, stderr } = await gate(["--dir", folder, "--base", base, "--format", "json", "--cwd", checkout], secret);
  if (status !== 0 && status !== 1 && status !== 2) throw new Error(`it could not judge: ${stderr.trim()}`);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly rule: string; readonly why: string }[] };
  const why = findings.map((one) => `${one.rule}: ${one.why}`).join("; ");
  if (status !== 0) return { outcome: status === 1 ? "blocked" : "asked", why };
  await git(checkout, `--work-tree=${folder}`, "add", "--all", "--force");
  await git(checkout, "commit", "--quiet", "--message", text);
  await git(checkout, "push", "--quiet", "origin", `HEAD:refs/heads/${branch}`);
  return { outcome: "published", warned: findings.length > 0, why };
}

async function gate(args: readonly string[], secret: string) {
  const [program = "", ...words] = command;
  // The secret is one that the command knows of, as it would be where a bot runs.
  const child = spawn(program, [...words, "gate", ...args], { env: { PATH: process.env["PATH"], OPENAI_API_KEY: secret } });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const status = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  return { status, stdout, stderr };
}
