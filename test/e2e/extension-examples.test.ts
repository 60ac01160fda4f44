import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { stageExtension, call, say } from "../../src/testing.ts";

const example = (name: string): URL => new URL(`../../examples/${name}/index.ts`, import.meta.url);

/** Answers with what runs, and keeps what it was asked. */
async function deployments(answer: object) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => new Promise((done) => server.close(() => done())));
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/what-runs` };
}

describe("the example deployment-status", { timeout: 120_000 }, () => {
  test("appends its tool for the run and for research, puts it first, takes tags away, and answers what runs", async () => {
    const { asked, url } = await deployments({ version: "1.2.3", commit: "abc" });
    await using stage = await stageExtension({
      modules: [example("deployment-status")],
      server: { extensions: { config: { "deployment-status": { environments: { staging: url } } } } },
      script: ({ toolNames, results }) => {
        const isResearch = !toolNames.includes("research_code");
        if (isResearch)
          return results.length === 0 ? call("deployment_status", { environment: "staging" }) : say(`Research: ${results[0]}`);
        const turns = [
          call("deployment_status", { environment: "staging" }),
          call("deployment_status", { environment: "moon" }),
          call("research_code", { question: "What runs?" }),
          say("1.2.3 runs."),
        ];
        return turns[results.length];
      },
    });
    const { comments, state, results } = await stage.ask("@sallyport what runs?");
    const commit = stage.github.tip(stage.repository, "main");
    expect(state).toBe("done");
    expect(comments.at(-1)).toContain("1.2.3 runs.");
    expect(results[0]).toBe(`staging runs 1.2.3 (abc); this run works on ${commit}.`);
    expect(results[1]).toMatch(/^\[error\] .*environment/s);
    expect(results[2]).toContain("staging runs 1.2.3");
    expect(asked).toEqual(["/what-runs?repository=acme%2Fwidgets", "/what-runs?repository=acme%2Fwidgets"]);
    const [first] = stage.model.requests;
    expect(first?.toolNames[0]).toBe("deployment_status");
    expect(first?.toolNames).not.toContain("list_recent_tags");
    expect(first?.system).toContain("ask deployment_status what runs");
  });
});

describe("the example changelog-entry", { timeout: 120_000 }, () => {
  test("writes through the gate: a line arrives in a pull request, a secret does not, and its errors are texts", async () => {
    const secret = ["AKIA", "Z7K2QXW4N6TBV3MR"].join("");
    await using stage = await stageExtension({
      modules: [example("changelog-entry")],
      repository: {
        files: {
          "README.md": "# Widgets\n",
          "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n### Fixed\n\n- A leak.\n\n## 1.0.0\n\nFirst.\n",
        },
        permissions: { alice: "write" },
      },
      script: [
        call("changelog_entry", { section: "Fixed", line: `The key ${secret} is used.` }),
        call("changelog_entry", { section: "Fixed", line: "A leak." }),
        call("changelog_entry", { section: "Moved", line: "A thing." }),
        call("changelog_entry", { section: "Fixed", line: "Sums add." }),
        call("changelog_entry", { section: "Added", line: "A button." }),
        call("gh_create_pr", { title: "Note what changed", body: "Two lines." }),
        say("Noted."),
      ],
    });
    const { results, state } = await stage.ask("@sallyport note what changed");
    expect(results[0]).toMatch(/^\[blocked\] secrets?: /);
    expect(results[1]).toBe("[error] That line stands there already.");
    expect(results[2]).toMatch(/^\[error\] .*section/s);
    expect(results.slice(3, 5)).toEqual(["Added under Fixed.", "Added under Added."]);
    expect(state).toBe("done");
    const [pull] = stage.github.pulls(stage.repository);
    expect(stage.github.fileAt(stage.repository, pull?.headSha ?? "", "CHANGELOG.md")).toBe(
      "# Changelog\n\n## Unreleased\n\n### Fixed\n\n- Sums add.\n- A leak.\n\n### Added\n\n- A button.\n\n## 1.0.0\n\nFirst.\n",
    );
    stage.model.assertDone();
  });
});

describe("the example repository-metadata", { timeout: 120_000 }, () => {
  test("reads with a token from the environment that nobody else sees, counts calls, shows them on its page, and serves beside the run", async () => {
    let token = "";
    await using stage = await stageExtension({
      modules: [example("repository-metadata")],
      variables: (github) => ({ METADATA_TOKEN: (token = github.addToken({ login: "alice" })) }),
      server: (github) => ({ extensions: { config: { "repository-metadata": { api: github.apiUrl } } } }),
      script: [
        call("github_repository", { fields: ["visibility", "issues"] }),
        call("github_repository", { fields: ["owner"] }),
        call("github_repository"),
        say("A public one."),
      ],
    });
    const { results, state } = await stage.ask("@sallyport what is this?");
    expect(state).toBe("done");
    expect(results[0]).toBe("visibility: public\nissues: 1");
    expect(results[1]).toMatch(/^\[error\] .*fields/s);
    expect(results[2]).toBe("description: none");
    const asked = stage.github.requests
      .filter(({ authorization }) => authorization === `Bearer ${token}`)
      .map(({ method, path }) => `${method} ${path}`);
    expect(new Set(asked)).toEqual(new Set(["GET /rate_limit", "GET /repos/acme/widgets"]));
    expect(JSON.stringify(stage.model.requests)).not.toContain(token);

    const page = await stage.get("/x/repository-metadata/calls");
    const text = await page.text();
    expect(text).toContain('<tr><th scope="row">github_repository ok</th><td>2</td></tr>');
    expect(text).toMatch(/Requests left this hour: \d+/);
    expect(await (await stage.get("/sallyport")).text()).toContain('href="/x/repository-metadata/calls"');
  });

  test("stops the start where the token is missing or refused, and names what is wrong", async () => {
    const starting = (variables: Readonly<Record<string, string>>) =>
      stageExtension({
        modules: [example("repository-metadata")],
        variables,
        server: (github) => ({ extensions: { config: { "repository-metadata": { api: github.apiUrl } } } }),
      });
    await expect(starting({})).rejects.toThrow(/repository-metadata: the environment variable METADATA_TOKEN is not set/);
    await expect(starting({ METADATA_TOKEN: "ghp_nobody-knows-this-one" })).rejects.toThrow(/service did not start: GitHub answered 401/);
  });
});
