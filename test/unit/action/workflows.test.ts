import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readInputs } from "../../../action/inputs.ts";
import { outputsOf } from "../../../action/outcome.ts";
import { auditWorkflow } from "../../../src/gate/ci/workflow-audits.ts";
import { readYaml } from "../../../src/gate/ci/yaml-file.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

interface Manifest {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string }>>;
  readonly runs: Readonly<Record<string, string>>;
}
const manifest = parse(read("action/action.yml")) as Manifest;

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | number>>;
}
interface Workflow {
  readonly permissions: object;
  readonly concurrency: object;
  readonly jobs: Readonly<
    Record<string, { readonly permissions: object; readonly "timeout-minutes": number; readonly steps: readonly Step[] }>
  >;
}

/** The variables by which the runner hands inputs over. */
const variablesOf = (inputs: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, String(value)]));

describe("action.yml", () => {
  test("runs on node24 from one bundle", () => {
    expect(manifest.runs).toEqual({ using: "node24", main: "dist/index.js" });
  });

  test("declares each input that is read, with the default that holds without it", () => {
    const source = read("action/inputs.ts");
    const names = [...source.matchAll(/(?:inputOf\(variables|readAmount\(variables), "(\w+)"/g)].map(([, name = ""]) => name);
    expect(Object.keys(manifest.inputs).toSorted()).toEqual([...new Set([...names, "github_token"])].toSorted());
    const defaults = Object.entries(manifest.inputs).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]]));
    const given = { ...Object.fromEntries(defaults), github_token: "ghs_x" };
    expect(readInputs(variablesOf(given))).toEqual(readInputs({ INPUT_GITHUB_TOKEN: "ghs_x" }));
  });

  test("declares each output that is set", () => {
    const all = outputsOf({ conclusion: "ignored", why: "", sarifFile: "/tmp/a.sarif", receiptFile: "/tmp/a.json" });
    expect(Object.keys(manifest.outputs)).toEqual(Object.keys(all));
  });

  test("describes all of them", () => {
    for (const { description } of [...Object.values(manifest.inputs), ...Object.values(manifest.outputs)]) {
      expect(description).toMatch(/^\S.{8,}$/);
    }
  });

  test("is told of in the documentation, input by input and output by output", () => {
    const page = read("docs/action.md");
    for (const name of [...Object.keys(manifest.inputs), ...Object.keys(manifest.outputs)]) expect(page).toContain(`\`${name}\``);
  });
});

/** What is meant in an example, and would rightly be asked about in a change. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  "ci-fix.yml": ["workflow_run runs with this repository's secrets on what a stranger proposes", "its token may write contents"],
  "mention.yml": ["its token may write contents"],
  "schedule.yml": ["its token may write contents"],
  "two-jobs.yml": ["its token may write contents"],
};
const files = readdirSync(new URL("examples/action/", root));

describe.for(files)("the example %s", (file) => {
  const text = read(`examples/action/${file}`);
  const workflow = parse(text) as Workflow;
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  test("is held to the rules for workflows, but for what it is there for", () => {
    const places = readYaml(text);
    expect(places).toBeDefined();
    expect(auditWorkflow(places ?? []).map(({ why }) => why)).toEqual(MEANT[file] ?? []);
  });

  test("gives the Action inputs that it has, and that it takes", () => {
    for (const { uses, with: inputs = {} } of steps) {
      if (uses?.startsWith("sallyport/") !== true) continue;
      for (const name of Object.keys(inputs)) expect(manifest.inputs).toHaveProperty(name);
      const meant = Object.entries(inputs).filter(([, value]) => !String(value).includes("${{"));
      expect(() => readInputs(variablesOf({ github_token: "ghs_x", ...Object.fromEntries(meant) }))).not.toThrow();
    }
  });

  test("grants nothing beyond its jobs, bounds their time, and says what runs beside what", () => {
    expect(workflow.permissions).toEqual({});
    expect(workflow.concurrency).toHaveProperty("group");
    for (const job of Object.values(workflow.jobs)) {
      expect(job["timeout-minutes"]).toBeLessThanOrEqual(30);
      expect(Object.keys(job.permissions).length).toBeGreaterThan(0);
    }
  });

  test("is named in the documentation", () => {
    expect(read("docs/action.md")).toContain(`examples/action/${file}`);
  });
});

/** A package is published by the workflow's own identity. */
const OWN: Readonly<Record<string, readonly string[]>> = { "release.yml": ["its token may write id-token"] };

describe.for(readdirSync(new URL(".github/workflows/", root)))("the project's own workflow %s", (file) => {
  const text = read(`.github/workflows/${file}`);
  const { jobs } = parse(text) as Workflow;

  test("is held to the same rules", () => {
    expect(auditWorkflow(readYaml(text) ?? []).map(({ why }) => why)).toEqual(OWN[file] ?? []);
  });

  test("takes actions by commit only, and bounds its time", () => {
    for (const job of Object.values(jobs)) {
      expect(job["timeout-minutes"]).toBeLessThanOrEqual(40);
      for (const { uses } of job.steps) if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    }
  });
});

test("what may publish the package runs nothing but npm on what another job packed", () => {
  const { jobs } = parse(read(".github/workflows/release.yml")) as Workflow;
  const publishing = Object.entries(jobs).filter(([, { permissions }]) => "id-token" in permissions);
  expect(publishing.map(([name]) => name)).toEqual(["publish"]);
  const runs = publishing.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? []));
  expect(runs).toEqual([expect.stringMatching(/^npm publish \.\/sallyport-\*\.tgz --ignore-scripts --provenance/)]);
});
