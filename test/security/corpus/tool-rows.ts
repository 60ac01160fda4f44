import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTools } from "../../../src/tools/registry.ts";
import { locateRipgrep } from "../../../src/workspace/search/locate-ripgrep.ts";
import { ripgrepSearch } from "../../../src/workspace/search/ripgrep.ts";
import { answerOf, contextFor } from "../../unit/tools/folder-workspace.ts";
import { temporaryFolder } from "../../unit/workspace/git-host.ts";
import { openTestWorkspace } from "../../unit/workspace/opened.ts";
import { randomText } from "../../../packages/write-path-corpus/src/expand.ts";
import type { Row } from "../../../packages/write-path-corpus/src/rows.ts";
import type { Outcome } from "./scene.ts";

/** UTF-8 bytes that an answer to the model may have at most, with room for what frames it. */
const LONGEST_ANSWER = 100_000;

/** Calls the row's own tool on a real checkout, beside which lies a git folder with a credential; undefined for other rows. */
export async function playTool(row: Row): Promise<Outcome | undefined> {
  if (!["read_file", "grep"].includes(row.tool)) return undefined;
  const folder = temporaryFolder();
  try {
    return await onCheckout(row, folder.path);
  } finally {
    folder.remove();
  }
}

async function onCheckout(row: Row, folder: string): Promise<Outcome> {
  const binary = await locateRipgrep(process.env["PATH"] ?? "");
  if (binary === undefined) throw new Error("ripgrep is not installed");
  await using opened = await openTestWorkspace(folder, {
    "README.md": "# Here\n",
    "src/long.txt": `${"a".repeat(1_000_000)}\n`,
  });
  const { workspace } = opened;
  const credential = randomText(40, "credential");
  mkdirSync(join(workspace.directory, ".git"), { recursive: true });
  writeFileSync(join(workspace.directory, ".git", "config"), `[http]\n\textraheader = AUTHORIZATION: basic ${credential}\n`);
  const tool = createTools({ sandbox: false, search: ripgrepSearch({ binary }) }).find(({ name }) => name === row.tool);
  if (tool === undefined) throw new TypeError(`There is no tool ${row.tool}.`);
  const answer = await answerOf(tool, row.args, contextFor({ workspace }));
  // A pattern that would take for ever elsewhere may be answered, as long as it is answered, and shortly.
  const isAnswered = row.area === "path" && String(row.args["pattern"]).includes("+)+");
  const refused = answer.startsWith("[error]") || answer.startsWith("[blocked]");
  const held = (isAnswered || refused) && !answer.includes(credential) && Buffer.byteLength(answer) < LONGEST_ANSWER;
  return { kind: "outcome", held, saw: answer.slice(0, 500) };
}
