import { expect, test } from "vitest";
import { resumable, say } from "../../src/testing/index.ts";
import { openStage, REPOSITORY } from "./stage.ts";

test(
  "what GitHub could not hand over while no server ran is asked for at the next start, and shows in the metrics",
  { timeout: 60_000 },
  async () => {
    await using stage = await openStage({ files: { "README.md": "# Widgets\n" }, script: resumable([say("It adds.")]) });
    const { github } = stage;
    github.addIssue(REPOSITORY, { title: "what does sum do", user: "alice" });
    await stage.say(1, "@sallyport help");
    await stage.stop();
    const { delivery } = await github.say(REPOSITORY, 1, "@sallyport what does sum do?", "alice");
    expect(delivery.status).toBe(0);

    const { url } = await stage.start();
    await expect
      .poll(() => github.deliveries.filter(({ id }) => id === delivery.id).map(({ status }) => status), { timeout: 20_000 })
      .toEqual([0, 202]);
    await stage.idle();
    expect(stage.comments(1)).toEqual(expect.arrayContaining([expect.stringMatching(/^\*\*done\*\*[\s\S]*It adds\./)]));
    const metrics = await (await fetch(`${url}/metrics`)).text();
    for (const line of [
      'sallyport_redeliveries_total{outcome="asked"} 1',
      'sallyport_requests_total{kind="mention",status="accepted"} 1',
      'sallyport_runs_ended_total{kind="mention",state="done"} 1',
    ])
      expect(metrics.split("\n")).toContain(line);
    expect(metrics).not.toContain("acme");
  },
);
