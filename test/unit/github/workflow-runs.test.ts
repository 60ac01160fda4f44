import { describe, expect, it } from "vitest";
import type { RunLogs } from "../../../src/core/run-logs.ts";
import { embedded, type Embedded } from "./embedded.ts";

const FAILING = "2031-02-03T04:05:06.1234567Z not ok 1 - adds\n2031-02-03T04:05:06.1234567Z ##[error]Process completed with exit code 1.\n";
const steps = [{ name: "Unit tests", number: 3, status: "completed", conclusion: "failure" }] as const;
const failed = (name: string, log = FAILING) => ({ name, conclusion: "failure", log, steps });

function found(logs: RunLogs): RunLogs & { readonly status: "found" } {
  if (logs.status !== "found") throw new Error(`it is ${logs.status}`);
  return logs;
}
const logReads = ({ github }: Embedded) =>
  github.requests.filter(({ path }) => path.endsWith("/logs")).map(({ path }) => Number(path.split("/").at(-2)));

describe("the logs of a workflow run", () => {
  it("are those of its failed and timed-out jobs, over all pages of jobs, and no others are read", async () => {
    const world = await embedded();
    const others = (count: number, from: number) =>
      Array.from({ length: count }, (_, n) => ({
        name: `unit (${from + n})`,
        conclusion: n % 3 === 0 ? "cancelled" : "success",
        log: "##[error]other\n",
      }));
    const jobs = [
      ...others(130, 0),
      failed("unit (130)"),
      { ...failed("slow"), conclusion: "timed_out" },
      { name: "skipped", conclusion: "skipped" },
      ...others(10, 131),
    ];
    const run = world.github.addWorkflowRun("acme/widgets", { branch: "main", jobs });
    const { jobs: all, logs, unread } = found(await world.reader.runLogs({ runId: run.id }));
    expect(all).toHaveLength(143);
    expect(logs.map(({ job }) => [job.name, job.conclusion, job.failedSteps])).toEqual([
      ["unit (130)", "failure", ["Unit tests"]],
      ["slow", "timed_out", ["Unit tests"]],
    ]);
    expect(logs.map(({ log }) => (log.status === "read" ? log.text : log.why))).toEqual(
      Array(2).fill("not ok 1 - adds\nerror: Process completed with exit code 1."),
    );
    expect(unread).toEqual([]);
    expect(logReads(world)).toEqual(logs.map(({ job }) => job.id));
  });

  it("are those of the last attempt", async () => {
    const world = await embedded();
    const jobs = [
      { ...failed("lint", "broke at first\n"), attempt: 1 },
      { ...failed("test"), attempt: 2 },
    ];
    const run = world.github.addWorkflowRun("acme/widgets", { branch: "main", attempt: 2, jobs });
    const { jobs: all, logs } = found(await world.reader.runLogs({ runId: run.id }));
    expect([all, logs.map(({ job }) => job)].map((list) => list.map(({ name }) => name))).toEqual([["test"], ["test"]]);
  });

  it("are fetched from where GitHub points to, without its token", async () => {
    const world = await embedded();
    const run = world.github.addWorkflowRun("acme/widgets", { branch: "main", jobs: [failed("test")] });
    const { logs } = found(await world.reader.runLogs({ runId: run.id }));
    expect(logs[0]?.log).toMatchObject({ status: "read" });
    expect(world.github.storageRequests).toHaveLength(1);
    expect(world.github.storageRequests[0]?.authorization).toBeUndefined();
    expect(JSON.stringify(logs)).not.toContain("sig=");
  });

  it("say of a log that has expired that there is none, and read the others", async () => {
    const world = await embedded();
    const run = world.github.addWorkflowRun("acme/widgets", {
      branch: "main",
      jobs: [{ name: "old", conclusion: "failure" }, failed("test")],
    });
    const { logs } = found(await world.reader.runLogs({ runId: run.id }));
    expect(logs.map(({ log }) => log.status)).toEqual(["unavailable", "read"]);
    expect(logs[0]?.log).toMatchObject({ why: expect.stringMatching(/has expired or was deleted/) as string });
  });

  it("say so when the storage no longer has one", async () => {
    const world = await embedded();
    const run = world.github.addWorkflowRun("acme/widgets", { branch: "main", jobs: [failed("test")] });
    world.github.fault({
      match: "GET /repos/acme/widgets/actions/jobs/*/logs",
      respond: { status: 302, headers: { location: `${world.github.origin}/gone?sig=x` } },
    });
    const { logs } = found(await world.reader.runLogs({ runId: run.id }));
    expect(logs[0]?.log).toMatchObject({ status: "unavailable", why: expect.stringMatching(/expired/) as string });
  });

  it("are not all read when very many jobs failed, and name the rest", async () => {
    const world = await embedded();
    const jobs = Array.from({ length: 12 }, (_, n) => failed(`unit (${n})`));
    const run = world.github.addWorkflowRun("acme/widgets", { branch: "main", jobs });
    const { logs, unread } = found(await world.reader.runLogs({ runId: run.id, most: 3 }));
    expect([logs.length, unread.map(({ name }) => name)]).toEqual([3, jobs.slice(3).map(({ name }) => name)]);
  });

  it("are those of one job when that is asked for, of whatever attempt and end", async () => {
    const world = await embedded();
    const jobs = [
      { name: "fine", conclusion: "success", log: "all is well\n" },
      { ...failed("lint", "broke at first\n"), attempt: 1 },
      failed("test"),
    ];
    const run = world.github.addWorkflowRun("acme/widgets", { branch: "main", attempt: 2, jobs });
    const textOf = async (jobId: number) =>
      found(await world.reader.runLogs({ runId: run.id, jobId })).logs.map(({ log }) => log.status === "read" && log.text);
    const [fine, lint] = world.github.workflowJobs("acme/widgets", run.id);
    expect([await textOf(fine?.id ?? 0), await textOf(lint?.id ?? 0)]).toEqual([["all is well"], ["broke at first"]]);
  });

  it("are not told for a job that is none of the run's; the jobs there are stand in the answer", async () => {
    const world = await embedded();
    const other = world.github.addWorkflowRun("acme/widgets", { branch: "main", jobs: [failed("other")] });
    const run = world.github.addWorkflowRun("acme/widgets", { branch: "main", jobs: [failed("left"), failed("right")] });
    for (const jobId of [1, world.github.workflowJobs("acme/widgets", other.id)[0]?.id ?? 0]) {
      const answer = await world.reader.runLogs({ runId: run.id, jobId });
      expect(answer).toMatchObject({ status: "no-job", jobs: [{ name: "left" }, { name: "right" }] });
    }
    expect(await world.reader.runLogs({ runId: 1 })).toEqual({ status: "no-run" });
  });

  it("name the permission that the App lacks, after two questions at most", async () => {
    const world = await embedded();
    const respond = {
      status: 403,
      body: { message: "Resource not accessible by integration" },
      headers: { "x-accepted-github-permissions": "actions=read" },
    };
    world.github.fault({ match: /\/actions\//, respond });
    await expect(world.reader.runLogs({ runId: 70 })).rejects.toMatchObject({
      code: "missing-permission",
      hint: expect.stringMatching(/lacks the permission actions=read/) as string,
    });
    expect(world.github.requests.filter(({ path }) => path.includes("/actions/")).length).toBeLessThanOrEqual(2);
  });

  it("of a private repository are not for an App without the permission", async () => {
    const world = await embedded({ permissions: { contents: "write" } }, { isPrivate: true });
    await expect(world.reader.runLogs({ runId: 70 })).rejects.toThrow(/Actions run 70 of acme\/widgets.*not accessible/);
  });
});

describe("the workflow runs", () => {
  it("are the newest first, of a branch and a status, with how many there are", async () => {
    const { github, reader } = await embedded();
    github.push("acme/widgets", "topic", { "b.txt": "b\n" });
    const add = (branch: string, conclusion: string | null) => github.addWorkflowRun("acme/widgets", { branch, conclusion }).id;
    const [first, second, third, running] = [add("main", "failure"), add("topic", "failure"), add("main", "success"), add("main", null)];
    const list = async (filter: Parameters<typeof reader.workflowRuns>[0]) => {
      const { runs, total } = await reader.workflowRuns(filter);
      return [runs.map(({ id }) => id), total];
    };
    expect(await list({ limit: 10 })).toEqual([[running, third, second, first], 4]);
    expect(await list({ limit: 1, branch: "main", status: "failure" })).toEqual([[first], 1]);
    expect(await list({ limit: 2 })).toEqual([[running, third], 4]);
  });
});

describe("the tags", () => {
  it("are in the order of their versions, whatever the alphabet says", async () => {
    const { github, reader } = await embedded();
    for (const name of ["v1.9.0", "v1.10.0", "v1.10.0-rc.1", "v0.1.0", "v1.10.0-rc.10"]) github.addTag("acme/widgets", name);
    const { tags, total, more } = await reader.tags(4);
    expect(tags.map(({ name }) => name)).toEqual(["v1.10.0", "v1.10.0-rc.10", "v1.10.0-rc.1", "v1.9.0"]);
    expect([total, more, tags[0]?.sha]).toEqual([5, false, github.tip("acme/widgets", "main")]);
  });

  it("point at commits, also where a tag is an object of its own, and there may be none", async () => {
    const { github, reader } = await embedded();
    expect(await reader.tags(5)).toEqual({ tags: [], total: 0, more: false });
    github.addTag("acme/widgets", "v1", "main", "The first.");
    expect((await reader.tags(5)).tags).toEqual([{ name: "v1", sha: github.tip("acme/widgets", "main") }]);
  });

  it("are read over all pages", async () => {
    const { github, reader } = await embedded();
    for (let n = 0; n < 105; n++) github.addTag("acme/widgets", `build-${n}`);
    expect((await reader.tags(1)).tags).toMatchObject([{ name: "build-104" }]);
  });
});
