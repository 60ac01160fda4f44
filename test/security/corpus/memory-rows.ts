import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../../../src/core/log.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { renderToolResult } from "../../../src/core/result.ts";
import type { Gate } from "../../../src/gate/gate.ts";
import { openFacts } from "../../../src/runs/facts.ts";
import type { RunContext } from "../../../src/runs/run-context.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { listFacts } from "../../../src/store/memory.ts";
import { recallFacts, rememberFact } from "../../../src/tools/memory/facts.ts";
import { contextFor, folderWorkspace } from "../../unit/tools/folder-workspace.ts";
import { run } from "../../unit/gate/fixtures.ts";
import { mention } from "../../unit/store/requests.ts";
import { context } from "../../../packages/write-path-corpus/src/context.ts";
import { expand } from "../../../packages/write-path-corpus/src/expand.ts";
import type { Row } from "../../../packages/write-path-corpus/src/rows.ts";
import type { Outcome } from "./scene.ts";

/** Asks for what the row says to be remembered, by the real tool, gate and database: what it stands for is then neither stored nor recalled. */
export async function playMemory(row: Row, gate: Gate): Promise<Outcome | undefined> {
  if (row.tool !== "remember_fact") return undefined;
  const directory = await mkdtemp(join(tmpdir(), "sallyport-memory-"));
  const database = await openDatabase({ directory, log: silent });
  try {
    const request = mention();
    const running = { run: { ...run, request }, request, view: run, journal: memoryJournal(), tell() {} } as unknown as RunContext;
    const facts = openFacts(running, { gate, database, callId: "c1" });
    const calling = { ...contextFor({ workspace: folderWorkspace() }), facts };
    const args: unknown = JSON.parse(expand(JSON.stringify(row.args), context));
    const answer = renderToolResult(await rememberFact.call(args, calling));
    const recalled = renderToolResult(await recallFacts.call({}, calling));
    const stored = JSON.stringify(await listFacts(database, request.repository.id, run.id));
    const isRemembered = answer.startsWith("[remembered] ") && stored !== "[]" && recalled.includes("noted in this run");
    const isRefused = /^\[(?:blocked|error)\] /.test(answer) && stored === "[]" && !recalled.includes(context.canary);
    return {
      kind: "outcome",
      held: row.expect === "ALLOW" ? isRemembered : isRefused,
      saw: `${answer.slice(0, 300)}\n${recalled.slice(0, 300)}`,
    };
  } finally {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  }
}
