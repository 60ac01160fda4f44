import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Adapter, Claim, Ground } from "../src/adapter.ts";
import type { CorpusCase } from "../src/cases.ts";
import { git } from "../src/ground.ts";

/** The baseline: a bot that writes, commits, pushes and posts whatever its model asks for. Only git and GitHub themselves stand in its way. */
export const adapter: Adapter = {
  name: "naive push",
  doors: ["files", "message", "branch", "comment"],
  prepare: (one, ground) => Promise.resolve({ act: () => (one.door === "comment" ? post(one, ground) : push(one, ground)) }),
};

async function push({ files, text, branch }: CorpusCase, { checkout }: Ground): Promise<Claim> {
  for (const [path, bytes] of Object.entries(files)) {
    const place = join(checkout, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, bytes);
  }
  await git(checkout, "add", "--all", "--force");
  await git(checkout, "commit", "--quiet", "--message", text);
  await git(checkout, "push", "--quiet", "--force", "origin", `HEAD:${branch.startsWith("refs/") ? branch : `refs/heads/${branch}`}`);
  return { outcome: "published" };
}

async function post({ thread, text }: CorpusCase, { api }: Ground): Promise<Claim> {
  const response = await fetch(`${api}/repos/${thread.repository}/issues/${thread.number}/comments`, {
    method: "POST",
    body: JSON.stringify({ body: text }),
  });
  if (!response.ok) throw new Error(`GitHub answered ${response.status}`);
  return { outcome: "published" };
}
