import { spawn } from "node:child_process";
import { readFileSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { processesIn, processesLeftIn } from "../../security/sandbox-stage.ts";
import { openGit } from "../../../src/workspace/git.ts";
import { openQuarters } from "../../../src/workspace/quarters.ts";
import { probeSandbox } from "../../../src/workspace/sandbox/probe.ts";
import { openStores } from "../../../src/workspace/store.ts";
import { startHost, temporaryFolder } from "./git-host.ts";
import { makeOrigin } from "./opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const PATH = process.env["PATH"] ?? "";
const DAY = 24 * 60 * 60_000;
const { origin, commit } = makeOrigin(temporary.path, [{ "a.txt": "1\n" }, { "a.txt": "2\n" }]);

/** A run as a process of its own that says how far it has come and goes on until it is killed. */
const RUN = `
import { checkOut } from "./check-out.ts";
import { openGit } from "./git.ts";
import { openQuarters } from "./quarters.ts";
import { probeSandbox } from "./sandbox/probe.ts";
import { runIn } from "./sandbox/run-in.ts";
import { openStores } from "./store.ts";
const [folder, url, commit, point] = process.argv.slice(2);
const path = process.env.PATH;
const say = (word) => (process.stdout.write(word + "\\n"), word === point ? new Promise(() => {}) : undefined);
setInterval(() => {}, 1000);
const { sandbox } = await probeSandbox({ path });
const { directory } = await openQuarters(folder + "/workspaces");
const store = await openStores({ git: openGit({ path }), folder: folder + "/stores", path }).open(1);
const remote = { url, token: () => Promise.resolve(undefined) };
const checkingOut = checkOut({ store, remote, commit, directory: directory + "/run.1" });
await say("checking-out");
const workspace = await checkingOut;
const making = workspace.history({ isAsked: true });
await say("making-history");
await making;
await say("history-made");
const command = "git log --oneline > seen; echo x >> a.txt; (sleep 600 &) ; touch started; sleep 600";
const running = runIn(sandbox, workspace, { command, timeoutMs: 60000 });
const { existsSync } = await import("node:fs");
while (!existsSync(workspace.directory + "/started")) await new Promise((resolve) => setTimeout(resolve, 20));
await say("running");
await running;
`;

async function killAt(point: string, folder: string, url: string): Promise<void> {
  const room = new URL("../../../src/workspace/", import.meta.url).href;
  const script = `data:text/javascript,${encodeURIComponent(RUN.replaceAll('from "./', `from "${room}`))}`;
  const child = spawn(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `process.argv.splice(1, 0, ""); await import(${JSON.stringify(script)});`,
      folder,
      url,
      commit,
      point,
    ],
    {
      env: { PATH },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  for await (const text of child.stdout.setEncoding("utf8") as AsyncIterable<string>) if (text.split("\n").includes(point)) break;
  child.kill("SIGKILL");
  await ended;
}

test.for(["checking-out", "making-history", "history-made", "running"])(
  "a run that is killed when it is %s leaves nothing that the next start does not clean",
  async (point, { skip }) => {
    const { sandbox } = await probeSandbox({ path: PATH });
    if (sandbox?.hasGit !== true) return skip("there is no sandbox with a git on this machine");
    await using host = await startHost(origin);
    const folder = join(temporary.path, point);
    await killAt(point, folder, host.url);

    await using quarters = await openQuarters(join(folder, "workspaces"));
    expect(quarters.swept).toHaveLength(1);
    expect(readdirSync(join(folder, "workspaces"))).toHaveLength(1);
    expect(await processesLeftIn(quarters.swept[0] ?? "")).toEqual([]);
    expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(folder);

    const stores = openStores({ git: openGit({ path: PATH }), folder: join(folder, "stores"), path: PATH });
    const store = await stores.open(1);
    const remote = { url: host.url, token: () => Promise.resolve(undefined) };
    await store.fetchCommit({ remote, sha: commit });
    const pin = join(store.gitDir, "refs", "runs", commit);
    const before = new Date(Date.now() - 2 * DAY);
    utimesSync(pin, before, before);
    expect(await stores.tend()).toMatchObject({ pinsReleased: 1 });
    expect((await store.git.text(["for-each-ref"], { gitDir: store.gitDir })).trim()).toBe("");
    expect(readdirSync(store.gitDir, { recursive: true }).filter((name) => String(name).endsWith(".lock"))).toEqual([]);
    expect(processesIn(folder)).toEqual([]);
    return undefined;
  },
);
